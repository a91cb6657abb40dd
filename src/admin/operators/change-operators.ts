import { randomBytes } from 'node:crypto';
import type { OperatorRole } from '../../contract/enumerations.ts';
import { Problem } from '../../kernel/problem.ts';
import { audit, type Operator } from '../../members/audit.ts';
import { newCheckedSecret, secretHash } from '../../members/checked-secret.ts';
import type { MemberContext } from '../../members/context.ts';
import { invalid } from '../../members/problem.ts';
import type { StoredOperator } from '../../members/store/operator-entities.ts';
import type { MemberTransaction } from '../../members/store/store.ts';

/** A one-time token with which an operator chooses a passphrase. */
export interface Invitation {
  readonly name: string;
  readonly token: string;
  readonly endsAt: number;
}

/** Adds an operator, who chooses a passphrase with the returned token. 409 `operator_exists` for a name in use. */
export async function addOperator(
  context: MemberContext,
  { name, role }: { readonly name: string; readonly role: OperatorRole },
  author: Operator,
): Promise<Invitation> {
  requireName(name);
  const invitation = newInvitation(context, name);
  await context.store.write(async (tx) => {
    const operators = await tx.operators.all();
    if (operators.length >= operatorsMax) throw tooManyOperators();
    if (operators.some((one) => one.name === name)) throw operatorExists();
    if (operators.length === 0 && role !== 'owner') throw ownerFirst();
    await tx.operators.put({
      ...newOperator(context, name, role),
      invitation: secretHash(invitation.token),
      invitationEndsAt: invitation.endsAt,
    });
    await auditOperator(context, tx, author, { action: 'operator_added', name, detail: { role } });
  });
  return invitation;
}

interface OperatorChange {
  readonly role?: OperatorRole | undefined;
  /** Deletes the passphrase; the operator chooses another one with a one-time token. */
  readonly isPassphraseReset?: boolean | undefined;
  readonly isSecondFactorRemoved?: boolean | undefined;
  readonly arePasskeysRemoved?: boolean | undefined;
}

/**
 * Changes an operator and ends their sessions; returns the token of a reset. 409 `last_owner` when no owner would be
 * left who can sign in.
 */
export async function changeOperator(
  context: MemberContext,
  name: string,
  {
    role,
    isPassphraseReset = false,
    isSecondFactorRemoved = false,
    arePasskeysRemoved = false,
  }: OperatorChange,
  author: Operator,
): Promise<Invitation | null> {
  const invitation = isPassphraseReset ? newInvitation(context, name) : null;
  await context.store.write(async (tx) => {
    const operator = await requireStored(tx, name);
    const changed: StoredOperator = {
      ...operator,
      role: role ?? operator.role,
      ...(invitation === null
        ? {}
        : {
            passphrase: null,
            invitation: secretHash(invitation.token),
            invitationEndsAt: invitation.endsAt,
          }),
      ...(isSecondFactorRemoved ? { totpSeed: null } : {}),
      epoch: newEpoch(),
    };
    await requireOtherOwner(tx, operator, changed);
    await tx.operators.put(changed);
    if (arePasskeysRemoved) await tx.passkeys.deleteAll(name);
    const detail = {
      ...(role === undefined ? {} : { role }),
      ...(isPassphraseReset ? { passphrase: 'reset' } : {}),
      ...(isSecondFactorRemoved ? { second_factor: 'removed' } : {}),
      ...(arePasskeysRemoved ? { passkeys: 'removed' } : {}),
    };
    await auditOperator(context, tx, author, { action: 'operator_changed', name, detail });
  });
  return invitation;
}

/** Removes an operator and ends their sessions. 409 `last_owner` for the last owner who can sign in. */
export async function removeOperator(
  context: MemberContext,
  name: string,
  author: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    await requireOtherOwner(tx, await requireStored(tx, name), null);
    await tx.operators.delete(name);
    await auditOperator(context, tx, author, { action: 'operator_removed', name });
  });
}

/** An operator without a passphrase. */
export function newOperator(
  context: MemberContext,
  name: string,
  role: OperatorRole,
): StoredOperator {
  return {
    name,
    role,
    passphrase: null,
    invitation: null,
    invitationEndsAt: null,
    totpSeed: null,
    totpStep: 0,
    epoch: newEpoch(),
    createdAt: context.now(),
  };
}

/** A new epoch, which ends the sessions of an operator. */
export function newEpoch(): string {
  return randomBytes(12).toString('hex');
}

/** 422 for a name that a log or a page could confuse with something else. */
export function requireName(name: string): void {
  // The audit log uses this name for changes at the command line.
  const isReserved = name === 'command-line';
  if (!isReserved && /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name)) return;
  throw invalid(
    'validation_failed',
    '/name',
    { ko: '사용할 수 없는 이름입니다.', en: 'This name cannot be used.' },
    { ko: '글자와 숫자로 40자 이하여야 합니다.', en: 'Use up to 40 letters and digits.' },
  );
}

/** Life of a one-time token. */
export const invitationMs = 24 * 3_600_000;

const operatorsMax = 200;

function newInvitation(context: MemberContext, name: string): Invitation {
  const endsAt = context.now() + invitationMs;
  return { name, token: newCheckedSecret('svci_'), endsAt };
}

async function requireStored(tx: MemberTransaction, name: string): Promise<StoredOperator> {
  const operator = await tx.operators.byName(name);
  if (operator !== null) return operator;
  throw new Problem('operator_not_found', {
    ko: '없는 운영자입니다. 운영자 목록에서 이름을 확인하세요.',
    en: 'There is no such operator. Check the name in the list of operators.',
  });
}

/** Refuses a change after which no owner could sign in. */
async function requireOtherOwner(
  tx: MemberTransaction,
  operator: StoredOperator,
  changed: StoredOperator | null,
): Promise<void> {
  if (!isActiveOwner(operator) || (changed !== null && isActiveOwner(changed))) return;
  const operators = await tx.operators.all();
  if (operators.some((one) => one.name !== operator.name && isActiveOwner(one))) return;
  throw new Problem('last_owner', {
    ko: '로그인할 수 있는 마지막 소유자입니다. 다른 운영자를 먼저 소유자로 지정하세요.',
    en: 'This is the last owner who can sign in. Make another operator an owner first.',
  });
}

function isActiveOwner({ role, passphrase }: StoredOperator): boolean {
  return role === 'owner' && passphrase !== null;
}

async function auditOperator(
  context: MemberContext,
  tx: MemberTransaction,
  author: Operator,
  { name, ...entry }: { action: string; name: string; detail?: Record<string, unknown> },
): Promise<void> {
  await audit(context, tx, author, { ...entry, subject: `operator:${name}` });
}

function operatorExists(): Problem {
  return new Problem('operator_exists', {
    ko: '이미 있는 운영자 이름입니다. 다른 이름을 쓰세요.',
    en: 'An operator has this name. Choose another.',
  });
}

function ownerFirst(): Problem {
  return invalid(
    'validation_failed',
    '/role',
    { ko: '첫 운영자는 소유자여야 합니다.', en: 'The first operator must be an owner.' },
    { ko: 'owner로 추가하세요.', en: 'Add them as owner.' },
  );
}

function tooManyOperators(): Problem {
  return invalid(
    'validation_failed',
    '/name',
    { ko: '운영자가 너무 많습니다.', en: 'There are too many operators.' },
    {
      ko: `${operatorsMax}명까지 둘 수 있습니다. 쓰지 않는 운영자를 삭제하세요.`,
      en: `There may be ${operatorsMax}. Remove one that is not used.`,
    },
  );
}
