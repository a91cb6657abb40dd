import type { BilingualText } from '../../contract/language.ts';

/** A statement of a member about a purpose: a consent, or its withdrawal. */
export interface NewConsent {
  readonly membershipId: number;
  readonly purpose: string;
  readonly granted: boolean;
  readonly textVersion: string | null;
  readonly givenAt: number;
  /** True for a consent that still counts after the member was reminded of it. */
  readonly reminded: boolean;
}

export interface Consent extends NewConsent {
  readonly id: number;
  /** Time of its last repetition, `givenAt` without any. */
  readonly repeatedAt: number;
}

/** A consent in force, with the user who gave it. */
export interface GivenConsent extends Consent {
  readonly svcUid: string;
  readonly platformId: number;
  readonly localUserId: string | null;
}

/** A purpose as the operator defined it. */
export interface ConsentPurpose {
  readonly code: string;
  readonly name: BilingualText;
  readonly required: boolean;
  /** True if members are reminded of their consent every two years. */
  readonly marketing: boolean;
  /** True if it cannot be given any more. */
  readonly retired: boolean;
  /** Third parties that the consent provides data to; null for none. */
  readonly recipients: {
    readonly platforms: readonly string[];
    readonly realms: readonly string[];
  } | null;
  /** In the order of their effective times. A version never changes. */
  readonly versions: readonly ConsentText[];
}

/** A text that members consent to. */
interface ConsentText {
  readonly version: string;
  /** Null if only its hash was declared. */
  readonly text: string | null;
  /** SHA-256 of the text in UTF-8, as hexadecimal digits. */
  readonly sha256: string;
  readonly effectiveAt: number;
}
