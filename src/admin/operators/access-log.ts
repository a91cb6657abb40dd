import { keyedHash, type MemberContext } from '../../members/context.ts';
import type { AccessRow } from '../../members/store/operator-entities.ts';
import type { MemberTransaction } from '../../members/store/store.ts';

/** The account, address and browser that a request comes from. */
export interface AccessOrigin {
  /** Name of the operator; empty for an unknown one. */
  readonly operator: string;
  readonly address: string;
  readonly device: string;
}

/** Logs an operator's access to data of members. The entry must be stored before the data is shown. */
export async function logAccess(
  context: MemberContext,
  origin: AccessOrigin,
  action: string,
  members: readonly string[] = [],
): Promise<void> {
  await context.store.write((tx) => logAccessIn(context, tx, origin, action, members));
}

/** Logs an access in the transaction of the act that it describes. */
export async function logAccessIn(
  context: MemberContext,
  tx: MemberTransaction,
  origin: AccessOrigin,
  action: string,
  members: readonly string[] = [],
): Promise<void> {
  const sorted = [...new Set(members)].sort();
  const access = { at: context.now(), ...origin, action, members: sorted };
  await tx.accessLog.insert(access, (seq) => sealOf(context, { seq, ...access }));
}

/** True for a row that was not changed since it was written. */
export function isSealed(context: Pick<MemberContext, 'secret'>, row: AccessRow): boolean {
  return sealOf(context, row) === row.seal;
}

function sealOf(context: Pick<MemberContext, 'secret'>, row: Omit<AccessRow, 'seal'>): string {
  const { seq, at, operator, address, device, action, members } = row;
  const text = JSON.stringify([seq, at, operator, address, device, action, members]);
  return keyedHash(context, 'access', text).toString('hex');
}
