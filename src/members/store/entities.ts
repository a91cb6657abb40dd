/** A platform: one of the places members come from. Its id is its bit in every platform mask. */
export interface Platform {
  /** 0 to `platformsMax - 1`, given once and never reused. */
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Members are unique within a realm. */
  readonly realm: string;
  /** Whether the platform itself has verified its users' addresses. */
  readonly assurance: 'trusted' | 'asserted';
  /** Scheme, host and port, as a browser writes `Origin`. */
  readonly origins: readonly string[];
  readonly capabilities: readonly string[];
  /** Whether it lies under the cookie domain and may issue and read the shared session. */
  readonly cookieDomain: boolean;
  readonly disabled: boolean;
}

export interface ApiKey {
  readonly kid: string;
  /** Null for the operator's key, which speaks for every platform. */
  readonly platformId: number | null;
  readonly environment: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly secretHash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Said to have been seen by others; such a key is revoked too. */
  readonly leakedAt: number | null;
  /** Seoul days. */
  readonly lastUsedDay: number | null;
  readonly browserSeenDay: number | null;
}

/** A key with the version that the platforms have when it is shown. */
export interface PresentedKey extends ApiKey {
  readonly platformsVersion: number;
}

export interface Member {
  readonly id: number;
  readonly svcUid: string;
  readonly realm: string;
  readonly tier: string;
  readonly status: 'active' | 'suspended';
  /** Bits of the platforms it has a membership on. */
  readonly platforms: number;
  readonly epoch: number;
  readonly createdAt: number;
  readonly mergedInto: number | null;
}

export interface NewMember {
  readonly svcUid: string;
  readonly realm: string;
  readonly emailHash: Uint8Array;
  /** Canonical. */
  readonly email: string;
  readonly tier: string;
  readonly platforms: number;
  readonly createdAt: number;
}

/** `homeId` is the record that was named: another than `id` when it was merged into this member. */
export interface FoundMember extends Member {
  readonly homeId: number;
}

/** A platform's user linked to a member: the pair (email, platform), where the email is its home's. */
export interface Membership {
  readonly id: number;
  readonly memberId: number;
  readonly homeId: number;
  readonly platformId: number;
  readonly localUserId: string | null;
  /** The address as the platform wrote it; null where that is its canonical form. */
  readonly emailTyped: string | null;
  readonly verified: boolean;
  readonly linkedAt: number;
  /** The platform the member had joined last before this one. */
  readonly cameFrom: number | null;
  /** Counts rebindings. */
  readonly version: number;
}

export interface Consent {
  readonly membershipId: number;
  readonly purpose: string;
  readonly granted: boolean;
  readonly textVersion: string | null;
  readonly givenAt: number;
}

/** What is left of an erased member: it cannot be turned back into an address. */
export interface Erasure {
  readonly receiptId: string;
  readonly svcUid: string;
  readonly realm: string;
  /** HMAC of the address under a secret outside the store. */
  readonly tombstone: Uint8Array;
  /** Platforms it was linked to: they alone are told that it was erased. */
  readonly platforms: number;
  readonly erasedAt: number;
}

export interface Merge {
  readonly id: number;
  readonly fromId: number;
  readonly intoId: number;
  /** Every record that moved: the merged one and those it had taken in itself. */
  readonly homes: readonly number[];
  readonly mergedAt: number;
  readonly splitAt: number | null;
}

export interface NewSession {
  readonly tokenHash: Uint8Array;
  readonly id: string;
  readonly memberId: number;
  readonly membershipId: number;
  readonly platformId: number;
  /** Whether the link it was issued through was verified. */
  readonly verified: boolean;
  readonly epoch: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface LiveSession {
  readonly id: string;
  readonly platformId: number;
  readonly membershipId: number;
  readonly verified: boolean;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly member: Member;
  readonly email: string;
  /** Of the platforms at the moment of the session, so that they need no question of their own. */
  readonly platformsVersion: number;
}

export interface EndedSession {
  readonly id: string;
  readonly memberId: number;
}

export const eventNames = [
  'register',
  'visit',
  'login',
  'purchase',
  'referral',
  'card_issued',
] as const;
export type EventName = (typeof eventNames)[number];

/** A page can forge what it sends; a server holds a key. */
export const eventSources = ['server', 'browser'] as const;
export type EventSource = (typeof eventSources)[number];

export interface NewEvent {
  readonly platformId: number;
  /** Unique on its platform for the life of the data. */
  readonly eventId: string;
  readonly membershipId: number;
  readonly event: EventName;
  readonly source: EventSource;
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** JSON text; null for none. */
  readonly meta: string | null;
}

/** Where an event is kept. */
export interface EventTarget {
  readonly membershipId: number;
  readonly homeId: number;
}

export interface MemberEvent extends NewEvent {
  readonly id: number;
}

export interface EventTotal {
  /** Seoul day it happened on. */
  readonly day: number;
  readonly platformId: number;
  readonly event: EventName;
  readonly source: EventSource;
  readonly count: number;
}

export interface AuditRow {
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  readonly at: number;
  /** `operator:<name>`, `key:<kid>`, `member` or `system`. */
  readonly actor: string;
  readonly action: string;
  /** What it was done to: a svc_uid, a key's id, a platform's code. */
  readonly subject: string;
  readonly reason: string;
  /** JSON text. */
  readonly detail: string;
  readonly hash: string;
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** `whsec_` and base64, as Standard Webhooks has it. */
  readonly secret: string;
  readonly types: readonly string[];
  readonly disabled: boolean;
  readonly createdAt: number;
}

export interface WebhookMessage {
  readonly id: number;
  readonly messageId: string;
  readonly endpointId: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: number;
  readonly attempts: number;
  /** When it is tried next; null once delivered or given up. */
  readonly nextAt: number | null;
  readonly deliveredAt: number | null;
  /** Of the last answer; null before one. */
  readonly status: number | null;
}

export interface JobRun {
  readonly name: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly removed: number;
  /** What stopped it; null when it went through. */
  readonly failure: string | null;
}
