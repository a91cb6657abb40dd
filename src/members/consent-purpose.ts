import type { ConsentPurpose } from './store/consent-entities.ts';

/** True for letters of a code: it is part of URLs. */
export function isPurposeCode(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}

/** Consent or withdrawal that is checked against the purposes. */
interface Statement {
  readonly purpose: string;
  readonly granted: boolean;
  /** Version of the text as sent; null for none. */
  readonly textVersion: string | null;
  readonly givenAt: number;
}

/**
 * The statement with the version that applies: the one it names, else the one in effect at its time. A fault is
 * `unknown_purpose`, also for a consent to a retired one, or `unknown_version`. Without any purpose all are accepted.
 */
export function againstPurposes<Given extends Statement>(
  purposes: readonly ConsentPurpose[],
  given: Given,
): Given | 'unknown_purpose' | 'unknown_version' {
  if (purposes.length === 0) return given;
  const purpose = purposes.find(({ code }) => code === given.purpose);
  if (purpose === undefined || (given.granted && purpose.retired)) return 'unknown_purpose';
  const { versions } = purpose;
  const named = versions.find(({ version }) => version === given.textVersion);
  // A withdrawal is stored, however it names the text.
  if (given.textVersion !== null && named === undefined && given.granted) return 'unknown_version';
  const inEffect = versions.findLast(({ effectiveAt }) => effectiveAt <= given.givenAt);
  return { ...given, textVersion: (named ?? inEffect)?.version ?? given.textVersion };
}
