import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import {
  grantEntitlement,
  revokeEntitlement,
  type EntitlementView,
  type GrantPeriod,
} from './entitlements.ts';

/** Grants a code to any member, as the operator. The refusals are those of `grantEntitlement`. */
export async function grantAsOperator(
  context: MemberContext,
  svcUid: string,
  code: string,
  period: GrantPeriod,
  operator: Operator,
): Promise<EntitlementView> {
  return context.store.write(async (tx) => {
    const { member, entitlement } = await grantEntitlement(context, tx, null, svcUid, code, period);
    const { from, until } = entitlement;
    const entry = { action: 'entitlement_granted', subject: member.svcUid };
    await audit(context, tx, operator, { ...entry, detail: { code, from, until } });
    return entitlement;
  });
}

/** Ends a code of a member for all granters, now. Returns the number of ended grants. */
export async function revokeAsOperator(
  context: MemberContext,
  svcUid: string,
  code: string,
  operator: Operator,
): Promise<number> {
  return context.store.write(async (tx) => {
    const { member, ended } = await revokeEntitlement(context, tx, null, svcUid, code);
    const entry = { action: 'entitlement_revoked', subject: member.svcUid };
    await audit(context, tx, operator, { ...entry, detail: { code, ended } });
    return ended;
  });
}
