/** A service that registers its users. Its id is its bit in every platform mask. */
export interface Platform {
  /** 0 to `platformsMax - 1`, never reused. */
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Members are unique within a realm. */
  readonly realm: string;
  /** `trusted` if the platform verifies the addresses of its users. */
  readonly assurance: 'trusted' | 'asserted';
  /** Scheme, host and port, as browsers write `Origin`. */
  readonly origins: readonly string[];
  readonly capabilities: readonly string[];
  /** True for a platform under the cookie domain, which may issue and read the shared session. */
  readonly cookieDomain: boolean;
  /** True if signed-in members may read statistics in its pages. */
  readonly pageStats: boolean;
  /** Company that runs it; null if undeclared. */
  readonly company: string | null;
  readonly disabled: boolean;
}

export interface ApiKey {
  readonly kid: string;
  /** Null for the operator's key, which is valid for every platform. */
  readonly platformId: number | null;
  readonly environment: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly secretHash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Time of the report that others have seen it; such a key is revoked, too. */
  readonly leakedAt: number | null;
  /** Seoul days. */
  readonly lastUsedDay: number | null;
  readonly browserSeenDay: number | null;
  /** Id of the key that it was rotated to. */
  readonly replacedBy: string | null;
}

/** The part of a key that authenticates a request, with the current version of the platforms. */
export interface PresentedKey extends Pick<
  ApiKey,
  'platformId' | 'scopes' | 'secretHash' | 'expiresAt' | 'revokedAt' | 'lastUsedDay'
> {
  readonly platformsVersion: number;
}

export interface Member {
  readonly id: number;
  readonly svcUid: string;
  readonly realm: string;
  readonly tier: string;
  readonly status: 'active' | 'suspended';
  /** Mask of the platforms it has a membership on. */
  readonly platforms: number;
  readonly epoch: number;
  readonly createdAt: number;
  readonly mergedInto: number | null;
  /** 0 if the member has no grant in force or to come: then none is read. */
  readonly entitled: 0 | 1;
}

/** Address of a member. */
export interface NewAddress {
  readonly emailHash: Uint8Array;
  /** Canonical. */
  readonly email: string;
  /** True if the member has given it up from the start: only its own links are found by it. */
  readonly isGivenUp: boolean;
}

export interface NewMember extends NewAddress {
  readonly svcUid: string;
  readonly realm: string;
  readonly tier: string;
  readonly platforms: number;
  readonly createdAt: number;
}

/** Result of a search. `homeId` is the member that was searched for; it differs from `id` if it was merged into this one. */
export interface FoundMember extends Member {
  readonly homeId: number;
}

/** Result of a search by an address. */
export interface AddressedMember extends FoundMember {
  /** 1 if the member gave up the address, and only its own links are found by it. */
  readonly gaveUp: 0 | 1;
}

/** Member found by an address, with its link of the platform. */
export interface AddressedLink {
  readonly member: AddressedMember;
  readonly link: Membership | null;
}

/** Everything that decides about a registration. */
export interface Registrant {
  /** The member that the address leads the platform to. */
  readonly member: AddressedMember | null;
  /** Link of the platform with the member. */
  readonly link: Membership | null;
  /** Link of the platform with the local id, which is read only if the member has none. */
  readonly userLink: Membership | null;
}

/** Link of a platform's user to a member: the pair (email, platform). The email is the one of the member `homeId`. */
export interface Membership {
  readonly id: number;
  readonly memberId: number;
  readonly homeId: number;
  readonly platformId: number;
  readonly localUserId: string | null;
  /** The address as the platform wrote it; null if that is its canonical form. */
  readonly emailTyped: string | null;
  /** False too while the platform is asserted. */
  readonly verified: boolean;
  /** True if the address was verified once, also if the platform has withdrawn that or is asserted now. */
  readonly wasVerified: boolean;
  readonly linkedAt: number;
  /** Time from which the user has the address, by the platform; null for `linkedAt`. Late requests from before it move nothing. */
  readonly addressedAt: number | null;
  /** The platform that the member joined last before this one. */
  readonly cameFrom: number | null;
  /** Grows with each change of the local user id or the address. */
  readonly version: number;
}

/** Place of a link that moves: another address, of the same member or of another one. */
export type LinkTarget = Pick<
  Membership,
  'homeId' | 'memberId' | 'verified' | 'emailTyped' | 'linkedAt' | 'addressedAt'
>;

/** A grant of a code to a member for a time. */
export interface NewEntitlement {
  /** The member of the platform’s link, or the named one; it differs from `memberId` if that one was merged. */
  readonly homeId: number;
  readonly memberId: number;
  readonly code: string;
  /** Null for a grant of the operator. */
  readonly platformId: number | null;
  readonly startsAt: number;
  /** As granted, exclusive; null for no end. */
  readonly endsAt: number | null;
  /** The end that counts: `endsAt`, an earlier one if replaced or revoked, or `never`. */
  readonly overAt: number;
  readonly grantedAt: number;
  /** Next start or end that webhooks have not reported. */
  readonly reportAt: number | null;
}

export interface Entitlement extends NewEntitlement {
  readonly id: number;
}

export interface EntitlementPolicy {
  /** Codes that may be granted; null for any. */
  readonly codes: readonly string[] | null;
  /** Codes that the members of a tier have by default. */
  readonly tiers: Readonly<Record<string, readonly string[]>>;
}

/** Tombstone of an erased member; it cannot be turned back into an address. */
export interface Erasure {
  readonly receiptId: string;
  readonly svcUid: string;
  readonly realm: string;
  /** HMAC of the address with a secret outside the store. */
  readonly tombstone: Uint8Array;
  /** Mask of the platforms it was linked to; only they learn that it was erased. */
  readonly platforms: number;
  readonly erasedAt: number;
}

/** Tombstone of a link that ended, for an address or a local id of its platform. */
export interface Departure {
  /** The uid under which the platform registered the member. */
  readonly svcUid: string;
  readonly platformId: number;
  /** HMAC of the address or of the local id. */
  readonly tombstone: Uint8Array;
  readonly leftAt: number;
}

/** Tombstone of a local id that left its platform without a link. */
export type EarlyDeparture = Omit<Departure, 'svcUid'>;

/** An address that a member no longer has, because a link of a platform moved or ended. */
export interface Release {
  /** The uid under which the platform registered the member. */
  readonly svcUid: string;
  readonly realm: string;
  /** HMAC of the address. */
  readonly tombstone: Uint8Array;
  readonly platformId: number;
  readonly releasedAt: number;
}

export interface Merge {
  readonly id: number;
  readonly fromId: number;
  readonly intoId: number;
  /** Ids of the members that moved: the merged one and those merged into it before. */
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
  /** True if the link it was issued through was verified. */
  readonly verified: boolean;
  readonly epoch: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A session without its token. */
export type MemberSession = Pick<
  NewSession,
  'id' | 'platformId' | 'verified' | 'issuedAt' | 'expiresAt'
>;

export interface LiveSession {
  readonly id: string;
  readonly platformId: number;
  readonly membershipId: number;
  readonly verified: boolean;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly member: Member;
  /** Empty for a member whose own address was released, so that only those merged into it have one. */
  readonly email: string;
  /** Version of the platforms, read with the session to save a statement. */
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

/** A server has a key; a page can forge its events. */
export const eventSources = ['server', 'browser'] as const;
export type EventSource = (typeof eventSources)[number];

export interface NewEvent {
  readonly platformId: number;
  /** Unique on its platform, for as long as the data exists. */
  readonly eventId: string;
  readonly membershipId: number;
  readonly event: EventName;
  readonly source: EventSource;
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** JSON text; null for none. */
  readonly meta: string | null;
}

/** Membership that an event belongs to. */
export interface EventTarget {
  readonly membershipId: number;
  readonly homeId: number;
}

export interface MemberEvent extends NewEvent {
  readonly id: number;
}

/** An event with its member, as of all members together. */
export interface FeedEvent extends MemberEvent {
  readonly svcUid: string;
}

/** Events between two others, of one platform and of one kind where they are not null. */
export interface FeedRange {
  /** Ids of events; neither is in the range. */
  readonly after: number;
  readonly before: number;
  readonly platformId: number | null;
  readonly event: EventName | null;
}

/** Place of an event in a timeline. */
export type TimelineCursor = Pick<MemberEvent, 'id' | 'occurredAt'>;

export interface EventTotal {
  /** Seoul day of the events. */
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
  /** Target of the action: a `svc_uid`, the id of a key, the code of a platform. */
  readonly subject: string;
  readonly reason: string;
  /** JSON text. */
  readonly detail: string;
  readonly hash: string;
}

/** End of a checked segment of the audit log. Its seal covers the seal before it, under a secret outside the store. */
export interface AuditSeal {
  /** The last row of the segment. */
  readonly seq: number;
  /** Hash of that row in the chain. */
  readonly hash: string;
  readonly endedAt: number;
  readonly sealedAt: number;
  readonly seal: string;
  /** Proof that the rows up to this one were removed by retention; null while they are kept. */
  readonly removal: string | null;
}

/** Changes of assurance that the links of a platform made on a Seoul day. */
export interface AssuranceDay {
  readonly day: number;
  readonly platformId: number;
  /** Members that got their first verified link. */
  readonly upgrades: number;
  /** Sessions of asserted links that ended. */
  readonly sessionsEnded: number;
}

export interface WebhookEndpoint {
  readonly id: string;
  /** Receives messages about members of this platform; null for the operator's, which receives all. */
  readonly platformId: number | null;
  readonly url: string;
  /** `whsec_` and base64, as in Standard Webhooks. */
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
  /** Time of the next attempt; null once delivered or given up. */
  readonly nextAt: number | null;
  readonly deliveredAt: number | null;
  /** Status of the last response; null before the first. */
  readonly status: number | null;
}

export interface JobRun {
  readonly name: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly removed: number;
  /** Reason of the failure; null for a run that completed. */
  readonly failure: string | null;
}
