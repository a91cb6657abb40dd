import { setImmediate as nextTurn } from 'node:timers/promises';
import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { linkHash } from './audit.ts';
import { provenRemoval, readSeals, type CheckedSeals } from './audit-seals.ts';
import type { MemberContext } from './context.ts';

export type AuditVerdict = Answer<typeof adminContract.verifyAudit>;

interface Verification {
  /** An earlier end of the chain, as `row:hash`: that row must still exist. */
  readonly anchor?: string | null;
  /** `seal` begins after the last seal, because sealed rows were checked when they were sealed. */
  readonly from?: 'start' | 'seal';
  /** Lets requests run between two slices. */
  readonly pause?: () => Promise<unknown>;
}

/**
 * Checks the chain, slice by slice, and its seals. Names the first row that was changed, removed, moved or cut off.
 * Rows that retention removed must be covered by a seal that proves it. An intruder who can write to the store can cut
 * rows off and set back the stored end; only an anchor that is stored elsewhere reveals that.
 */
export async function verifyAudit(
  context: MemberContext,
  { anchor = null, from = 'start', pause = nextTurn }: Verification = {},
): Promise<AuditVerdict> {
  const anchored = anchor === null ? null : readAnchor(anchor);
  const checked = await readSeals(context);
  if (checked.faultAt !== null) return broken(checked, checked.faultAt, 0);
  const removed = provenRemoval(context, checked.seals);
  if (anchored !== null && anchored.seq < (removed?.seq ?? 0)) throw removedAnchor(anchored.seq);
  const start = (from === 'seal' ? checked.seals.at(-1) : removed) ?? chainStart;
  const head = (await context.store.read.audit.head()) ?? chainStart;
  const known = new Map<number, string>();
  for (const end of [...checked.seals, head, anchored ?? head]) {
    if ((known.get(end.seq) ?? end.hash) !== end.hash) return broken(checked, end.seq, end.seq - 1);
    known.set(end.seq, end.hash);
  }
  // Up to the current end: rows that are appended meanwhile would keep it running.
  const through = Math.max(head.seq, anchored?.seq ?? 0);
  const { end, faultAt } = await walkChain(context, start, { through, known, pause });
  if (faultAt !== null) {
    // The row may have been removed by retention since the start.
    const later = provenRemoval(context, (await readSeals(context)).seals);
    if ((later?.seq ?? 0) >= faultAt) return verifyAudit(context, { anchor, from, pause });
    return broken(checked, faultAt, end.seq);
  }
  if (await hasRowBeyondEnd(context, end.seq)) return broken(checked, end.seq + 1, end.seq);
  return {
    intact: true,
    rows: end.seq,
    faultAt: null,
    anchor: anchorOf(end),
    checked_from: start.seq + 1,
    removed: removed?.seq ?? 0,
    seals: checked.seals.length,
  };
}

/** True if there is a row beyond the stored end of the chain. */
async function hasRowBeyondEnd({ store }: MemberContext, seq: number): Promise<boolean> {
  const [next] = await store.read.audit.after(seq, 1);
  const head = await store.read.audit.head();
  return next !== undefined && next.seq > (head?.seq ?? 0);
}

/** A row of the chain, by its number and hash. */
interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

interface Walk {
  /** The last row that is intact, with its time. */
  readonly end: ChainEnd & { readonly at: number };
  readonly faultAt: number | null;
}

/** Checks the rows after `start` up to `through`, which must exist. `known` has hashes, by row, that must match. */
export async function walkChain(
  context: MemberContext,
  start: ChainEnd,
  {
    through,
    known = new Map(),
    pause = nextTurn,
  }: {
    readonly through: number;
    readonly known?: ReadonlyMap<number, string>;
    readonly pause?: () => Promise<unknown>;
  },
): Promise<Walk> {
  let end = { seq: start.seq, hash: start.hash, at: 0 };
  while (end.seq < through) {
    const limit = Math.min(sliceRows, through - end.seq);
    const rows = await context.store.read.audit.after(end.seq, limit);
    for (const row of rows) {
      const isNext = row.seq === end.seq + 1 && row.hash === linkHash(context, end.hash, row);
      const isKnown = (known.get(row.seq) ?? row.hash) === row.hash;
      if (!isNext || !isKnown) return { end, faultAt: end.seq + 1 };
      end = { seq: row.seq, hash: row.hash, at: row.at };
    }
    if (rows.length === 0) return { end, faultAt: end.seq + 1 };
    await pause();
  }
  return { end, faultAt: null };
}

/** Rows between two pauses: checking them takes some milliseconds. */
const sliceRows = 100;

const chainStart: ChainEnd = { seq: 0, hash: '' };

/** End of the chain as `row:hash`, to be noted outside the store; null for an empty chain. */
export function anchorOf(end: ChainEnd | null): string | null {
  return end === null || end.seq === 0 ? null : `${end.seq}:${end.hash}`;
}

function broken({ seals }: CheckedSeals, faultAt: number, rows: number): AuditVerdict {
  const counts = { checked_from: 1, removed: 0, seals: seals.length };
  return { intact: false, rows, faultAt, anchor: null, ...counts };
}

function readAnchor(anchor: string): ChainEnd {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(anchor) ?? [];
  if (hash !== undefined) return { seq: Number(seq), hash };
  throw new Error(
    'An anchor is a row number, a colon and a hash. Copy it as ./maru audit verify printed it.',
  );
}

function removedAnchor(seq: number): Error {
  return new Error(
    `Row ${seq} of the anchor was removed after its retention. Verify with a later anchor.`,
  );
}
