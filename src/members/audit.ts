import { keyedHash, type MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { invalid } from './problem.ts';
import type { AuditRow } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { storedText } from './stored-text.ts';

/** The author of a change, with the reason; every operation of an operator takes one. */
export interface Operator {
  /** `operator:<name>`, `key:<kid>`, `member` or `system`. */
  readonly actor: string;
  readonly reason: string;
}

/**
 * An operator with a reason. 422 `validation_failed` for an empty or long reason, and for one with an address: the
 * audit log outlives an erased member.
 */
export function operatorOf(actor: string, reason: unknown): Operator {
  const text = typeof reason === 'string' ? reason.trim() : '';
  if (text === '' || Array.from(text).length > memberLimits.reasonLengthMax) {
    throw invalid(
      'validation_failed',
      '/reason',
      { ko: '이유가 없거나 너무 깁니다.', en: 'The reason is missing or too long.' },
      {
        ko: `왜 하는지 ${memberLimits.reasonLengthMax}자 안으로 적으세요.`,
        en: `Give the reason in up to ${memberLimits.reasonLengthMax} characters.`,
      },
    );
  }
  if (address.test(text)) {
    throw invalid(
      'validation_failed',
      '/reason',
      { ko: '이유에 이메일이 있습니다.', en: 'The reason contains an email address.' },
      {
        ko: '이메일 없이 적으세요. 감사 기록은 회원을 삭제해도 남습니다.',
        en: 'Leave the address out: the audit log is kept when a member is erased.',
      },
    );
  }
  return { actor, reason: text };
}

/** A platform's reason without addresses and cut to length: unlike an operator's, an unfit reason fails no request. */
export function reasonOfPlatform(text: string): string {
  const masked = text.replace(new RegExp(address, 'g'), '***').trim();
  return storedText(masked, memberLimits.reasonLengthMax);
}

const address = /[^\s@<>(),;]+@[^\s@<>(),;]+/;

interface AuditEntry {
  readonly action: string;
  readonly subject: string;
  /** Named facts; never an address or a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Appends an entry to the chain, in the transaction of the change that it describes. */
export async function audit(
  context: MemberContext,
  tx: MemberTransaction,
  { actor, reason }: Operator,
  { action, subject, detail = {} }: AuditEntry,
): Promise<void> {
  const last = await tx.audit.head();
  // The hash must cover what the store returns.
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at: context.now(),
    actor: storedText(actor),
    action,
    subject: storedText(subject),
    reason: storedText(reason),
    // JSON escapes whatever is not well-formed.
    detail: JSON.stringify(detail),
  };
  await tx.audit.append({ ...row, hash: linkHash(context, last?.hash ?? '', row) });
}

/** Hash of a row in the chain: covers the row and the hash before it, under a secret outside the store. */
export function linkHash(
  context: MemberContext,
  previousHash: string,
  row: Omit<AuditRow, 'hash'>,
): string {
  const { seq, at, actor, action, subject, reason, detail } = row;
  const text = JSON.stringify([previousHash, seq, at, actor, action, subject, reason, detail]);
  return keyedHash(context, 'audit', text).toString('hex');
}
