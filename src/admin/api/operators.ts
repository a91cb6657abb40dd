import { instantText } from '../../members/instant.ts';
import { memberLimits } from '../../members/limits.ts';
import type { AccessRow, StoredOperator } from '../../members/store/operator-entities.ts';
import type { MemberContext } from '../../members/context.ts';
import { offerTotp } from '../operators/account.ts';
import { isSealed } from '../operators/access-log.ts';
import { rowNumber, type AdminHandlers } from './call.ts';

/** Handlers that read operators, the account of the signed-in one, and the access log. */
export const operatorReads = {
  async session({ context, operator: { name, role } }) {
    const stored = await context.store.read.operators.byName(name);
    const hasApp = stored !== null && stored.totpSeed !== null;
    const passkeys = await context.store.read.passkeys.of(name);
    return { operator: name, role, second_factor: hasApp, passkeys: passkeys.length };
  },

  async operators({ context }) {
    const operators = await context.store.read.operators.all();
    const items = operators.map(async (operator) => {
      const passkeys = await context.store.read.passkeys.of(operator.name);
      return operatorSummary(operator, passkeys.length, context.now());
    });
    return { items: await Promise.all(items) };
  },

  async offerTotp({ context, operator }) {
    return offerTotp(context, operator.name);
  },

  async accessLog({ context, parameters }) {
    const before = rowNumber(parameters.before, Number.MAX_SAFE_INTEGER);
    const rows = await accessRows(context, parameters, before);
    const isFiltered = Boolean(parameters.svc_uid || parameters.operator);
    const page = rows.slice(0, memberLimits.pageMax);
    return {
      items: page.map((row, at) => ({
        ...accessEntry(row),
        intact: isSealed(context, row) && (isFiltered || followsOn(row, rows[at + 1])),
      })),
      next_cursor: page.length < rows.length ? String(page.at(-1)!.seq) : null,
    };
  },
} as const satisfies Partial<AdminHandlers>;

/** The entries of a page and one more entry. A filter selects entries of an operator, about a member, or both. */
async function accessRows(
  { store }: MemberContext,
  {
    operator,
    svc_uid: svcUid,
  }: { readonly operator: string | undefined; readonly svc_uid: string | undefined },
  before: number,
): Promise<readonly AccessRow[]> {
  const { accessLog } = store.read;
  const limit = memberLimits.pageMax + 1;
  if (svcUid) return accessLog.ofMember(svcUid, operator || null, before, limit);
  if (operator) return accessLog.ofOperator(operator, before, limit);
  return accessLog.list(before, limit);
}

/**
 * True if no row is missing between a row and the next older one. Without an older one, retention may have removed it.
 */
function followsOn({ seq }: AccessRow, older: AccessRow | undefined): boolean {
  return older === undefined || older.seq === seq - 1;
}

function accessEntry({ seal: _seal, at, ...row }: AccessRow) {
  return { ...row, at: instantText(at) };
}

function operatorSummary(operator: StoredOperator, passkeys: number, now: number) {
  const { name, role, passphrase, invitationEndsAt, totpSeed, createdAt } = operator;
  const isInvited = (invitationEndsAt ?? 0) > now;
  return {
    name,
    role,
    second_factor: totpSeed !== null,
    passkeys,
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
