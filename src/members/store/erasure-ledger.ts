import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseObject } from '../../kernel/json-object.ts';
import type { Departure, EarlyDeparture, Erasure, Release } from './entities.ts';

/**
 * Tombstones of members, links and addresses in a file beside the store, one JSON object a line. A restored backup is
 * from before some of them, and the ledger has them. It is only appended to, by any number of processes.
 */
export class ErasureLedger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Appends entries and syncs the file. */
  async append(entries: readonly LedgerEntry[]): Promise<void> {
    const lines = entries.map((entry) => `${JSON.stringify(recordOf(entry))}\n`).join('');
    const file = await open(this.#path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1, lineEnd);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      // A line that a crash cut off was not acknowledged; the next one must not continue it.
      await file.appendFile(last[0] === lineEnd ? lines : `\n${lines}`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** All entries in their order; null for a line that cannot be read. A ledger that is absent has none. */
  async *entries(): AsyncGenerator<LedgerEntry | null> {
    const input = createReadStream(this.#path, 'utf8');
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) {
        if (line !== '') yield entryOf(line);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    } finally {
      input.destroy();
    }
  }
}

const lineEnd = 0x0a;

export type LedgerEntry = Erasure | Departure | EarlyDeparture | Release;

function recordOf(entry: LedgerEntry) {
  const tombstone = Buffer.from(entry.tombstone).toString('hex');
  if ('leftAt' in entry) {
    const { platformId, leftAt } = entry;
    const link = { platform_id: platformId, tombstone, left_at: leftAt };
    return 'svcUid' in entry ? { svc_uid: entry.svcUid, ...link } : link;
  }
  if ('releasedAt' in entry) {
    const { svcUid, realm, platformId, releasedAt } = entry;
    const link = { svc_uid: svcUid, realm, platform_id: platformId };
    return { ...link, tombstone, released_at: releasedAt };
  }
  const { receiptId, svcUid, realm, platforms, erasedAt } = entry;
  const member = { receipt_id: receiptId, svc_uid: svcUid, realm, tombstone, platforms };
  return { ...member, erased_at: erasedAt };
}

function entryOf(line: string): LedgerEntry | null {
  const record = parseObject(line);
  const { svc_uid: svcUid, tombstone: hex } = record ?? {};
  if (record === null || typeof hex !== 'string') return null;
  const tombstone = Buffer.from(hex, 'hex');
  const { platform_id: platformId, left_at: leftAt, released_at: releasedAt } = record;
  if (typeof platformId === 'number' && typeof leftAt === 'number') {
    const departure = { platformId, tombstone, leftAt };
    return typeof svcUid === 'string' ? { svcUid, ...departure } : departure;
  }
  const { receipt_id: receiptId, realm, platforms, erased_at: erasedAt } = record;
  if (typeof svcUid !== 'string' || typeof realm !== 'string') return null;
  if (typeof platformId === 'number' && typeof releasedAt === 'number') {
    return { svcUid, realm, platformId, tombstone, releasedAt };
  }
  if (typeof receiptId !== 'string') return null;
  if (typeof platforms !== 'number' || typeof erasedAt !== 'number') return null;
  return { receiptId, svcUid, realm, tombstone, platforms, erasedAt };
}
