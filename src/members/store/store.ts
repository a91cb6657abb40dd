import type { ActivityFacts, ActivityQuestion } from './activity.ts';
import type {
  ApiKey,
  AuditRow,
  Consent,
  EndedSession,
  Erasure,
  EventTarget,
  EventTotal,
  FoundMember,
  JobRun,
  JourneyEvent,
  LiveSession,
  Member,
  Membership,
  Merge,
  NewEvent,
  NewSession,
  Platform,
  ShownKey,
  WebhookEndpoint,
  WebhookMessage,
} from './records.ts';

/**
 * What the members service asks of its storage. The rules live above it and are written once;
 * an engine only keeps records, makes groups of writes durable and counts activity.
 */
export interface MemberStore extends AsyncDisposable {
  /** Committed state, the newest at the moment of each question. */
  readonly read: MemberReads;
  /**
   * Runs `work` alone in its own part of a durable transaction and resolves after the commit. What it throws
   * undoes its own writes only. `work` awaits nothing but `records`. Refuses with `overloaded` and
   * `storage_unavailable`.
   */
  write<Result>(work: (records: MemberRecords) => Promise<Result>): Promise<Result>;
  /** Counts over activity days; a question of a second, answered beside the requests. */
  activity(question: ActivityQuestion): Promise<ActivityFacts>;
  /** Removes from the files what erased rows left; false when a reader is in the way and it must be tried again. */
  scrub(): Promise<boolean>;
  /** A consistent copy at `path` while the service runs. */
  backup(path: string): Promise<void>;
}

/** An engine in this process answers at once, one over a wire later: callers await both. */
export type Eventually<Value> = Value | Promise<Value>;

export interface MemberReads {
  readonly platforms: PlatformReads;
  readonly keys: KeyReads;
  readonly members: PersonReads;
  readonly memberships: MembershipReads;
  readonly merges: MergeReads;
  readonly erasures: ErasureReads;
  readonly sessions: SessionReads;
  readonly events: EventReads;
  readonly audit: AuditReads;
  readonly webhooks: WebhookReads;
  readonly jobs: JobReads;
}

export interface MemberRecords extends MemberReads {
  readonly platforms: PlatformRecords;
  readonly keys: KeyRecords;
  readonly members: PersonRecords;
  readonly memberships: MembershipRecords;
  readonly merges: MergeRecords;
  readonly erasures: ErasureRecords;
  readonly sessions: SessionRecords;
  readonly events: EventRecords;
  readonly audit: AuditRecords;
  readonly webhooks: WebhookRecords;
  readonly jobs: JobRecords;
}

export interface PlatformReads {
  /** Changes with every change to a platform. */
  version(): Eventually<number>;
  /** All of them, by id; at most `platformsMax`. */
  all(): Eventually<readonly Platform[]>;
}

export interface PlatformRecords extends PlatformReads {
  put(platform: Platform): Eventually<void>;
}

export interface KeyReads {
  byId(kid: string): Eventually<ApiKey | null>;
  /** All that a request with this key asks, in one question. */
  shown(kid: string): Eventually<ShownKey | null>;
  /** Of a platform, or the operator's for null: neither revoked nor expired, newest first. */
  live(platformId: number | null, now: number, limit: number): Eventually<readonly ApiKey[]>;
  /** Of every platform, newest first, revoked ones included; `after` is the last one seen. */
  list(
    after: Pick<ApiKey, 'kid' | 'createdAt'> | null,
    limit: number,
  ): Eventually<readonly ApiKey[]>;
}

export interface KeyRecords extends KeyReads {
  insert(key: ApiKey): Eventually<void>;
  update(key: ApiKey): Eventually<void>;
  markUsed(kid: string, day: number): Eventually<void>;
  markSeenInBrowser(kid: string, day: number): Eventually<void>;
}

/** Every member found is the one that stands: a merged one leads to the one that took it in. */
export interface PersonReads {
  byId(id: number): Eventually<Member | null>;
  byUid(svcUid: string): Eventually<FoundMember | null>;
  byEmail(realm: string, emailHash: Uint8Array): Eventually<FoundMember | null>;
  /** The member whose membership of the platform carries this local id; the first linked of several. */
  byLocalUserId(platformId: number, localUserId: string): Eventually<FoundMember | null>;
  /** Canonical address of a member's own record, not of those it took in. */
  email(id: number): Eventually<string | null>;
  /** In the order they joined, after the member `after`. */
  list(after: number, limit: number): Eventually<readonly Member[]>;
  count(): Eventually<number>;
  /** Changes when what happened on a past day changes: late events, merges, erasures. */
  historyVersion(): Eventually<number>;
}

export interface PersonRecords extends PersonReads {
  insert(member: {
    readonly svcUid: string;
    readonly realm: string;
    readonly emailHash: Uint8Array;
    readonly email: string;
    readonly tier: string;
    readonly platforms: number;
    readonly createdAt: number;
  }): Eventually<number>;
  setTier(memberId: number, tier: string): Eventually<void>;
  setStatus(memberId: number, status: Member['status']): Eventually<void>;
  /** The member's platforms as its memberships say now. */
  refreshPlatforms(memberId: number): Eventually<void>;
  touchHistory(): Eventually<void>;
}

export interface MembershipReads {
  /** By time of linking; at most `platformsMax` for each record merged into the member. */
  of(memberId: number): Eventually<readonly Membership[]>;
  at(homeId: number, platformId: number): Eventually<Membership | null>;
  consents(membershipId: number, limit: number): Eventually<readonly Consent[]>;
  extra(membershipId: number): Eventually<string | null>;
}

export interface MembershipRecords extends MembershipReads {
  insert(membership: Omit<Membership, 'id' | 'version'>): Eventually<number>;
  setVerified(membershipId: number, verified: boolean): Eventually<void>;
  /** False when the version is not `version` any more. */
  rebind(membership: Membership, localUserId: string): Eventually<boolean>;
  insertConsent(consent: Consent): Eventually<void>;
  insertExtra(membershipId: number, extra: string): Eventually<void>;
}

export interface MergeReads {
  byId(id: number): Eventually<Merge | null>;
  /** Merges into a member that were not split again, newest first. */
  into(memberId: number, limit: number): Eventually<readonly Merge[]>;
  /** Records that were merged into this member. */
  homesIn(memberId: number, limit: number): Eventually<readonly number[]>;
}

export interface MergeRecords extends MergeReads {
  /** Gives the memberships of these records to a member, and leads their uids to it; null: back to themselves. */
  moveHome(home: number, to: number | null): Eventually<void>;
  insert(merge: Omit<Merge, 'id' | 'splitAt'>): Eventually<number>;
  end(id: number, at: number): Eventually<void>;
}

export interface ErasureReads {
  /** The latest erasure of an address. */
  byTombstone(realm: string, tombstone: Uint8Array): Eventually<Erasure | null>;
  ofUid(svcUid: string): Eventually<Erasure | null>;
}

export interface ErasureRecords extends ErasureReads {
  /**
   * Removes a record with its address, memberships, consents, sessions and activity; its events lose their meta
   * and lead to nobody.
   */
  eraseHome(home: number): Eventually<{ readonly memberships: number; readonly events: number }>;
  insert(erasure: Erasure): Eventually<void>;
}

export interface SessionReads {
  /** The session with its member, when it is live: not expired, of the member's epoch, the member active. */
  live(tokenHash: Uint8Array, now: number): Eventually<LiveSession | null>;
  liveCount(memberId: number, now: number): Eventually<number>;
  /** Of all members. */
  unexpiredCount(now: number): Eventually<number>;
}

export interface SessionRecords extends SessionReads {
  /** Ends the member's dead and oldest sessions until `room` more fit, then inserts. */
  insert(session: NewSession, liveMax: number): Eventually<void>;
  end(tokenHash: Uint8Array): Eventually<EndedSession | null>;
  /** One write: every session of the member is of a past epoch from now on. */
  endAll(memberId: number): Eventually<void>;
  endIssuedBy(memberId: number, platformId: number): Eventually<void>;
  endAsserted(memberId: number): Eventually<number>;
  endThrough(memberId: number, membershipId: number): Eventually<number>;
  deleteExpired(now: number, limit: number): Eventually<number>;
}

export interface EventReads {
  /** The membership an event of this uid belongs to; null also where a merged member's own record is not linked. */
  target(svcUid: string, platformId: number): Eventually<EventTarget | null>;
  /** Newest first, of all memberships of a member; keyset paging by `before`, an event's id. */
  ofMembership(
    membershipId: number,
    before: number,
    limit: number,
  ): Eventually<readonly JourneyEvent[]>;
  /** How many events, ever: erased members' included. */
  totals(): Eventually<readonly EventTotal[]>;
  totalsSince(day: number): Eventually<readonly EventTotal[]>;
}

export interface EventRecords extends EventReads {
  /** False when the platform has an event of this id already. */
  insert(event: NewEvent): Eventually<boolean>;
  /** Adds to the totals; every event inserted is counted in the same transaction. */
  count(total: EventTotal): Eventually<void>;
  /** The member was active that day on the platform. */
  markActive(homeId: number, day: number, platformId: number): Eventually<void>;
  deleteBefore(receivedAt: number, limit: number): Eventually<number>;
}

export interface AuditReads {
  last(): Eventually<AuditRow | null>;
  /** What the chain says its end is, kept beside it. */
  head(): Eventually<{ readonly seq: number; readonly hash: string } | null>;
  after(seq: number, limit: number): Eventually<readonly AuditRow[]>;
}

export interface AuditRecords extends AuditReads {
  append(row: AuditRow): Eventually<void>;
}

export interface WebhookReads {
  endpoints(): Eventually<readonly WebhookEndpoint[]>;
  /** What is planned for later than `after`, the latest first. */
  planned(endpointId: string, after: number, limit: number): Eventually<readonly WebhookMessage[]>;
  /** Of one receiver, the longest due first. */
  due(endpointId: string, now: number, limit: number): Eventually<readonly WebhookMessage[]>;
  message(id: number): Eventually<WebhookMessage | null>;
  list(before: number, limit: number): Eventually<readonly WebhookMessage[]>;
}

export interface WebhookRecords extends WebhookReads {
  putEndpoint(endpoint: WebhookEndpoint): Eventually<void>;
  insert(message: Omit<WebhookMessage, 'id'>): Eventually<void>;
  /** Takes a due message for this process until `until`; false when another has it. */
  lease(id: number, nextAt: number, until: number): Eventually<boolean>;
  update(message: WebhookMessage): Eventually<void>;
  deleteSettled(before: number, limit: number): Eventually<number>;
}

export interface JobReads {
  all(): Eventually<readonly JobRun[]>;
}

export interface JobRecords extends JobReads {
  put(run: JobRun): Eventually<void>;
}
