import { memberLimits } from './limits.ts';
import type { Consent, NewConsent } from './store/consent-entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';

/** A consent or withdrawal, without the membership through which it was made. */
export type Statement = Omit<NewConsent, 'membershipId'>;

/**
 * Stores the statements that change the known state, in their order, and returns them. Beyond `consentRecordsMax`, only
 * withdrawals of consents in force are stored.
 */
export async function insertConsents(
  tx: MemberTransaction,
  membershipId: number,
  statements: readonly Statement[],
): Promise<readonly Statement[]> {
  const stored = [...(await consentsOf(tx, membershipId))];
  const inserted: Statement[] = [];
  for (const statement of statements) {
    const before = latestOf(stored, statement.purpose, statement.givenAt);
    if (before !== undefined && isRepeat(statement, before)) {
      await tx.consents.repeat(before.id, statement.givenAt);
      const repeatedAt = Math.max(before.repeatedAt, statement.givenAt);
      stored[stored.indexOf(before)] = { ...before, repeatedAt };
      continue;
    }
    const latest = latestOf(stored, statement.purpose, Number.MAX_SAFE_INTEGER);
    const isWithdrawal = !statement.granted && latest?.granted === true;
    if (stored.length >= memberLimits.consentRecordsMax && !isWithdrawal) continue;
    const consent = { ...statement, membershipId };
    const id = await tx.consents.insert(consent);
    stored.push({ ...consent, id, repeatedAt: statement.givenAt });
    inserted.push(statement);
  }
  return inserted;
}

/** All statements made through a link, in the order of their arrival. */
export async function consentsOf(
  reads: MemberReads,
  membershipId: number,
): Promise<readonly Consent[]> {
  // Beyond the maximum there is at most one withdrawal for each consent within it.
  return reads.consents.of(membershipId, 2 * memberLimits.consentRecordsMax);
}

/**
 * True if the statement repeats the one before it. A consent after a withdrawal is a change, and so is a reminder that
 * was not yet reported.
 */
function isRepeat(
  { granted, textVersion, givenAt, reminded }: Statement,
  before: Consent,
): boolean {
  if (before.granted !== granted || before.textVersion !== textVersion) return false;
  return !reminded || (before.reminded && before.givenAt === givenAt);
}

/** The last statement about a purpose up to a moment. */
function latestOf(stored: readonly Consent[], purpose: string, moment: number) {
  const timeOf = ({ givenAt, repeatedAt }: Consent) =>
    repeatedAt <= moment ? repeatedAt : givenAt;
  const earlier = stored.filter((each) => each.purpose === purpose && each.givenAt <= moment);
  return earlier.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1);
}
