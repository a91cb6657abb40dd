import type { ConsentPurpose } from './store/consent-entities.ts';

/** True for a well-formed code of a purpose: its characters need no encoding in URLs. */
export function isPurposeCode(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}

/** Consent or withdrawal that refers to a purpose and a version of its text. */
interface Statement {
  readonly purpose: string;
  readonly granted: boolean;
  /** Version of the text as sent; null for none. */
  readonly textVersion: string | null;
  readonly givenAt: number;
}

/**
 * The statement with the version that applies: the one it names, else the one in effect at its time. Or the fault:
 * `unknown_purpose`, also for a consent to a retired purpose, or `unknown_version`. If the operator has defined no
 * purposes, every statement is accepted.
 */
export function resolveVersion<Given extends Statement>(
  purposes: readonly ConsentPurpose[],
  given: Given,
): Given | 'unknown_purpose' | 'unknown_version' {
  if (purposes.length === 0) return given;
  const purpose = purposes.find(({ code }) => code === given.purpose);
  if (purpose === undefined || (given.granted && purpose.retired)) return 'unknown_purpose';
  const { versions } = purpose;
  const requested = versions.find(({ version }) => version === given.textVersion);
  // A withdrawal is accepted with any version.
  const isUnknown = given.textVersion !== null && requested === undefined && given.granted;
  if (isUnknown) return 'unknown_version';
  const inEffect = versions.findLast(({ effectiveAt }) => effectiveAt <= given.givenAt);
  return { ...given, textVersion: (requested ?? inEffect)?.version ?? given.textVersion };
}
