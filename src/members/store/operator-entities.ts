import type { OperatorRole } from '../../contract/enumerations.ts';

/** An operator with their role and credentials. */
export interface StoredOperator {
  readonly name: string;
  readonly role: OperatorRole;
  /** `<salt>:<scrypt key>` in hexadecimal; null until the operator chose a passphrase. */
  readonly passphrase: string | null;
  /** SHA-256 of the one-time token that sets the passphrase; null without one. */
  readonly invitation: Uint8Array | null;
  readonly invitationEndsAt: number | null;
  /** Null without a second factor. */
  readonly totpSeed: string | null;
  /** Time step of the last accepted code. */
  readonly totpStep: number;
  /** Changes with the role, the passphrase and the second factor: earlier sessions have ended. */
  readonly epoch: string;
  readonly createdAt: number;
}

/** A passkey of an operator: the public key of an authenticator (WebAuthn credential). */
export interface StoredPasskey {
  readonly id: string;
  readonly operator: string;
  /** A name that the operator gave it. */
  readonly name: string;
  /** Id that the authenticator gave it, in base64url. */
  readonly credentialId: string;
  /** As COSE_Key (RFC 9052). */
  readonly publicKey: Uint8Array;
  /** Uses that the authenticator has counted; 0 for one that does not count. */
  readonly signCount: number;
  /** Ways to reach the authenticator, such as `internal`. */
  readonly transports: readonly string[];
  /** True if the key may be copied to other devices of its owner. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

export interface NewAccess {
  readonly at: number;
  /** Name of the operator; empty for an unknown one. */
  readonly operator: string;
  readonly address: string;
  /** Id of a browser that has signed in before; empty for another. */
  readonly device: string;
  /** `sign_in`, `sign_in_failed`, `sign_out`, or the name of a route. */
  readonly action: string;
  /** `svc_uid`s of the members concerned, sorted and different. */
  readonly members: readonly string[];
}

/** A row of the access log. */
export interface AccessRow extends NewAccess {
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  readonly seal: string;
}
