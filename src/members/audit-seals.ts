import { keyedHash, type MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import type { AuditSeal } from './store/entities.ts';

export interface CheckedSeals {
  readonly seals: readonly AuditSeal[];
  /** First row of the segment whose seal is forged; null if all are genuine. */
  readonly faultAt: number | null;
}

/** All seals in order, checked as a chain of their own. There is one for each 10,000 rows, or for each month. */
export async function readSeals(context: MemberContext): Promise<CheckedSeals> {
  const seals: AuditSeal[] = [];
  for (;;) {
    const page = await context.store.read.audit.sealsAfter(
      seals.at(-1)?.seq ?? 0,
      memberLimits.pageMax,
    );
    for (const seal of page) {
      const before = seals.at(-1) ?? null;
      if (seal.seal !== sealOf(context, before, seal)) {
        return { seals, faultAt: (before?.seq ?? 0) + 1 };
      }
      seals.push(seal);
    }
    if (page.length < memberLimits.pageMax) return { seals, faultAt: null };
  }
}

/** The last seal up to which rows were removed by retention; null if all rows must exist. */
export function provenRemoval(
  context: MemberContext,
  seals: readonly AuditSeal[],
): AuditSeal | null {
  return seals.findLast((seal) => seal.removal === removalOf(context, seal)) ?? null;
}

/** Seal of a segment: covers its end and the seal before it. */
export function sealOf(
  context: MemberContext,
  before: AuditSeal | null,
  { seq, hash, endedAt, sealedAt }: Omit<AuditSeal, 'seal' | 'removal'>,
): string {
  const text = JSON.stringify([before?.seal ?? '', seq, hash, endedAt, sealedAt]);
  return keyedHash(context, 'audit seal', text).toString('hex');
}

/** Proof of a removal, which only the holder of the secret can make. */
export function removalOf(context: MemberContext, { seal }: AuditSeal): string {
  return keyedHash(context, 'audit removal', seal).toString('hex');
}
