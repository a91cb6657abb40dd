import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseObject } from '../../kernel/json-object.ts';
import type { Erasure } from './entities.ts';

/**
 * Tombstones in a file beside the store, one JSON object a line. A restored backup is from before some erasures, and the
 * ledger has them. It is only appended to, by any number of processes.
 */
export class ErasureLedger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Appends erasures and syncs the file. */
  async append(erasures: readonly Erasure[]): Promise<void> {
    const lines = erasures.map((erasure) => `${JSON.stringify(recordOf(erasure))}\n`).join('');
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

  /** All erasures in their order; null for a line that cannot be read. A ledger that is absent has none. */
  async *erasures(): AsyncGenerator<Erasure | null> {
    const input = createReadStream(this.#path, 'utf8');
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) {
        if (line !== '') yield erasureOf(line);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    } finally {
      input.destroy();
    }
  }
}

const lineEnd = 0x0a;

function recordOf({ receiptId, svcUid, realm, tombstone, platforms, erasedAt }: Erasure) {
  return {
    receipt_id: receiptId,
    svc_uid: svcUid,
    realm,
    tombstone: Buffer.from(tombstone).toString('hex'),
    platforms,
    erased_at: erasedAt,
  };
}

function erasureOf(line: string): Erasure | null {
  const record = parseObject(line);
  if (record === null) return null;
  const { receipt_id: receiptId, svc_uid: svcUid, realm, tombstone, platforms } = record;
  const erasedAt = record['erased_at'];
  if (typeof receiptId !== 'string' || typeof svcUid !== 'string') return null;
  if (typeof realm !== 'string' || typeof tombstone !== 'string') return null;
  if (typeof platforms !== 'number' || typeof erasedAt !== 'number') return null;
  return {
    receiptId,
    svcUid,
    realm,
    tombstone: Buffer.from(tombstone, 'hex'),
    platforms,
    erasedAt,
  };
}
