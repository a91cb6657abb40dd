import { instantText } from '../../members/instant.ts';
import { memberLimits } from '../../members/limits.ts';
import type { AccessRow, StoredOperator } from '../../members/store/entities.ts';
import type { MemberContext } from '../../members/context.ts';
import { offerTotp } from '../operators/account.ts';
import { isSealed } from '../operators/access-log.ts';
import { rowNumber, type AdminHandlers } from './call.ts';

/** Handlers that read operators, the account of the signed-in one, and the access log. */
export const operatorReads = {
  async session({ context, operator: { name, role } }) {
    const stored = await context.store.read.operators.byName(name);
    const hasApp = stored !== null && stored.totpSeed !== null;
    return { operator: name, role, second_factor: hasApp };
  },

  async operators({ context }) {
    const operators = await context.store.read.operators.all();
    return { items: operators.map((operator) => operatorSummary(operator, context.now())) };
  },

  async offerTotp({ context, operator }) {
    return offerTotp(context, operator.name);
  },

  async accessLog({ context, parameters }) {
    const before = rowNumber(parameters.before, Number.MAX_SAFE_INTEGER);
    const rows = await accessRows(context, parameters, before);
    const isFull = rows.length === memberLimits.pageMax;
    return {
      items: rows.map((row) => accessEntry(context, row)),
      next_cursor: isFull ? String(rows.at(-1)!.seq) : null,
    };
  },
} as const satisfies Partial<AdminHandlers>;

/** Entries of one operator or about one member; with both, the member's are filtered. */
async function accessRows(
  { store }: MemberContext,
  {
    operator,
    svc_uid: svcUid,
  }: { readonly operator: string | undefined; readonly svc_uid: string | undefined },
  before: number,
): Promise<readonly AccessRow[]> {
  const { accessLog } = store.read;
  if (svcUid) return accessLog.ofMember(svcUid, before, memberLimits.pageMax);
  if (operator) return accessLog.ofOperator(operator, before, memberLimits.pageMax);
  return accessLog.list(before, memberLimits.pageMax);
}

function accessEntry(context: MemberContext, row: AccessRow) {
  const { seq, at, operator, address, device, action, members } = row;
  const intact = isSealed(context, row);
  return { seq, at: instantText(at), operator, address, device, action, members, intact };
}

function operatorSummary(operator: StoredOperator, now: number) {
  const { name, role, passphrase, invitationEndsAt, totpSeed, createdAt } = operator;
  const isInvited = (invitationEndsAt ?? 0) > now;
  return {
    name,
    role,
    second_factor: totpSeed !== null,
    status:
      passphrase !== null
        ? ('active' as const)
        : isInvited
          ? ('invited' as const)
          : ('invitation_ended' as const),
    invitation_ends_at: invitationEndsAt === null ? null : instantText(invitationEndsAt),
    created_at: instantText(createdAt),
  };
}
