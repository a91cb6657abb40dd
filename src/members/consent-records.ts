import { memberLimits } from './limits.ts';
import type { Consent, NewConsent } from './store/consent-entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';

export type Statement = Omit<NewConsent, 'membershipId'>;

/**
 * Stores each statement that changes what is known, in its order, and returns those. A withdrawal of a consent in force
 * always has room; others are left out beyond `consentRecordsMax`.
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
  // A withdrawal beyond the maximum follows one of the consents within it.
  return reads.consents.of(membershipId, 2 * memberLimits.consentRecordsMax);
}

/**
 * True if the statement repeats the one before it. Granting again after a withdrawal is a change, and a reminder is one
 * unless it was reported already.
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
