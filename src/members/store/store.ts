import type { ActivityFacts, ActivityQuery, FunnelCount, FunnelQuery } from './activity.ts';
import type { Consent, ConsentPurpose, GivenConsent, NewConsent } from './consent-entities.ts';
import type {
  AddressedLink,
  AddressedMember,
  ApiKey,
  AssuranceDay,
  Departure,
  EarlyDeparture,
  EndedSession,
  Entitlement,
  EntitlementPolicy,
  Erasure,
  EventTarget,
  EventTotal,
  FeedEvent,
  FeedRange,
  FoundMember,
  JobRun,
  MemberEvent,
  MemberSession,
  LinkTarget,
  LiveSession,
  Member,
  Membership,
  Merge,
  NewAddress,
  NewEntitlement,
  NewEvent,
  NewMember,
  NewSession,
  Platform,
  PresentedKey,
  Registrant,
  Release,
  TimelineCursor,
  WebhookEndpoint,
  WebhookMessage,
} from './entities.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import type { Awaitable, OperatorReads, OperatorWrites } from './operator-tables.ts';

/**
 * Storage of the members service. The rules of the service are independent of it. An engine stores rows, makes
 * groups of writes durable and counts activity.
 */
export interface MemberStore extends AsyncDisposable {
  /** Committed state, the newest at the time of each statement. */
  readonly read: MemberReads;
  /**
   * Runs `work` in its own part of a durable transaction and resolves after the commit; parts have the effect of
   * running one after another. An error in `work` undoes its own writes only. `work` awaits nothing but `tx`, and an
   * engine may run it again from its beginning: it changes nothing outside of `tx`. Refuses with `overloaded` and
   * `storage_unavailable`.
   */
  write<Result>(work: (tx: MemberTransaction) => Promise<Result>): Promise<Result>;
  /** Sessions of operators, of an engine that several machines can use. */
  readonly operatorSessions?: OperatorSessions;
  /** Counts over activity days: takes up to seconds, beside the requests. */
  activity(query: ActivityQuery): Promise<ActivityFacts>;
  /** Counts users by platform, from registration to purchase; beside the requests, too. */
  funnel(query: FunnelQuery): Promise<readonly FunnelCount[]>;
  /** Overwrites erased data in the files, where the engine can. */
  scrub(): Promise<ScrubResult>;
  /** A consistent copy at `path` while the service runs. */
  backup(path: string): Promise<void>;
}

/**
 * Result of overwriting erased data: `blocked` by a reader, so that the caller must retry, or `impossible` because the
 * engine gives its files no command to overwrite.
 */
export type ScrubResult = 'overwritten' | 'blocked' | 'impossible';

/** Statements that read and write, all in one transaction. */
export type MemberTransaction = {
  readonly [Table in keyof MemberReads]: MemberReads[Table] & MemberWrites[Table];
};

/** Statements that read, by table. */
export interface MemberReads extends OperatorReads {
  readonly platforms: {
    /** Grows with every change to a platform. */
    version(): Awaitable<number>;
    /** Ordered by id; at most `platformsMax`. */
    all(): Awaitable<readonly Platform[]>;
  };
  readonly keys: {
    byId(kid: string): Awaitable<ApiKey | null>;
    /** Everything that a request with this key needs, in one statement. */
    presented(kid: string): Awaitable<PresentedKey | null>;
    /** Keys of a platform, or the operator's for null, neither revoked nor expired; newest first. */
    live(platformId: number | null, now: number, limit: number): Awaitable<readonly ApiKey[]>;
    /** Keys of every platform, revoked ones included, newest first; `after` is the last one of the previous page. */
    list(
      after: Pick<ApiKey, 'kid' | 'createdAt'> | null,
      limit: number,
    ): Awaitable<readonly ApiKey[]>;
  };
  /** A merged member is never found: its address, uid and local ids lead to the one that absorbed it. */
  readonly members: {
    byId(id: number): Awaitable<Member | null>;
    byUid(svcUid: string): Awaitable<FoundMember | null>;
    byEmail(realm: string, emailHash: Uint8Array): Awaitable<FoundMember | null>;
    /** The member to which an address leads a platform: that of the platform’s link with it, else the one that has it. */
    byAddress(platform: Platform, emailHash: Uint8Array): Awaitable<AddressedMember | null>;
    formerlyAt(realm: string, hash: Uint8Array, limit: number): Awaitable<readonly FoundMember[]>;
    /** A member that gave up this address when the link left it. */
    formerOf(link: Membership, emailHash: Uint8Array): Awaitable<FoundMember | null>;
    /** The member whose membership of the platform has this local id. */
    byLocalUserId(platformId: number, localUserId: string): Awaitable<FoundMember | null>;
    /** Canonical address of the member itself, not of those merged into it; null once it was released. It may be given up. */
    email(id: number): Awaitable<string | null>;
    /** Ordered by id, after the member `after`. */
    list(after: number, limit: number): Awaitable<readonly Member[]>;
    count(): Awaitable<number>;
    /** Grows when the events of a past day change: late events, merges, erasures. */
    historyVersion(): Awaitable<number>;
  };
  readonly memberships: {
    /** Ordered by time of linking; at most `platformsMax` for each member merged into this one. */
    of(memberId: number): Awaitable<readonly Membership[]>;
    at(homeId: number, platformId: number): Awaitable<Membership | null>;
    /** The member that `members.byAddress` finds, and its link of the platform. */
    byAddress(platform: Platform, emailHash: Uint8Array): Awaitable<AddressedLink | null>;
    /** The membership that had this uid before it went to another member, by `noteMove`. */
    movedFrom(svcUid: string, platformId: number): Awaitable<Membership | null>;
    /** At most one: the store refuses a second link of a platform with the same local id. */
    byLocalUserId(platformId: number, localUserId: string): Awaitable<Membership | null>;
    /** Some local ids of a platform, in no order. */
    someLocalUserIds(platformId: number, limit: number): Awaitable<readonly string[]>;
    extra(membershipId: number): Awaitable<string | null>;
  };
  readonly merges: {
    byId(id: number): Awaitable<Merge | null>;
    /** Merges into a member that were not split again, newest first. */
    into(memberId: number, limit: number): Awaitable<readonly Merge[]>;
    /** Ids of the members that were merged into this one. */
    homesIn(memberId: number, limit: number): Awaitable<readonly number[]>;
  };
  readonly erasures: {
    /** Time of the latest erasure, departure or release: requests from after it meet none. */
    latest(): Awaitable<number>;
    /** The latest erasure of an address. */
    byTombstone(realm: string, tombstone: Uint8Array): Awaitable<Erasure | null>;
    ofUid(svcUid: string): Awaitable<Erasure | null>;
    /** Time at which the latest link of the platform with this address or local id ended. */
    departure(platformId: number, tombstone: Uint8Array): Awaitable<number | null>;
    /** Time of the latest leaving of a local id that had no link then. */
    earlyDeparture(platformId: number, tombstone: Uint8Array): Awaitable<number | null>;
    /** The oldest of the latest `most`; of one time, the one with the smallest tombstone. Null if there are fewer. */
    oldestEarlyDeparture(platformId: number, most: number): Awaitable<EarlyDeparture | null>;
    /** True if an address was released at `since` or later: by another member, on another platform. */
    isReleased(
      realm: string,
      tombstone: Uint8Array,
      since: number,
      other: { readonly homeId: number | null; readonly platformId: number },
    ): Awaitable<boolean>;
    /** Time of the latest release like this one: by this home, or by any for null. */
    releasedAt(release: Release, homeId: number | null): Awaitable<number | null>;
    /** Ordered by receipt. */
    list(afterReceiptId: string, limit: number): Awaitable<readonly Erasure[]>;
  };
  readonly sessions: {
    /** The session with its member, when it is live: not expired or ended, the member active. */
    live(tokenHash: Uint8Array, now: number): Awaitable<LiveSession | null>;
    liveCount(memberId: number, now: number): Awaitable<number>;
    /** Live ones, newest first. */
    ofMember(memberId: number, now: number, limit: number): Awaitable<readonly MemberSession[]>;
    /** Count over all members. */
    unexpiredCount(now: number): Awaitable<number>;
  };
  readonly events: {
    /** Membership that an event of this uid belongs to; null also if only a merged member is linked. */
    target(svcUid: string, platformId: number): Awaitable<EventTarget | null>;
    byEventId(platformId: number, eventId: string): Awaitable<MemberEvent | null>;
    /** Newest first; keyset paging by `before`, an event's id. */
    ofMembership(
      membershipId: number,
      before: number,
      limit: number,
    ): Awaitable<readonly MemberEvent[]>;
    /**
     * Latest happened first, among the 10,000 that were received last; keyset paging by `before`, the last of the
     * previous page.
     */
    timelineOf(
      membershipId: number,
      before: TimelineCursor,
      limit: number,
    ): Awaitable<readonly MemberEvent[]>;
    /** Events of all members, among the 10,000 of the range that were received last; the latest first. */
    feed(range: FeedRange, limit: number): Awaitable<readonly FeedEvent[]>;
    /** Counts of all events ever stored, events of erased members included; `day` is the day of the latest event. */
    totals(): Awaitable<readonly EventTotal[]>;
    totalsSince(day: number): Awaitable<readonly EventTotal[]>;
  };
  readonly assurance: {
    /** From this day on, the latest first. */
    since(day: number, limit: number): Awaitable<readonly AssuranceDay[]>;
  };
  readonly webhooks: {
    endpoints(): Awaitable<readonly WebhookEndpoint[]>;
    /** Messages of an endpoint planned for later than `after`, the latest first. */
    planned(endpointId: string, after: number, limit: number): Awaitable<readonly WebhookMessage[]>;
    /** Messages of an endpoint that are due, the oldest first. */
    due(endpointId: string, now: number, limit: number): Awaitable<readonly WebhookMessage[]>;
    /** Number of messages of an endpoint that were attempted and not delivered, those given up included. */
    failing(endpointId: string): Awaitable<number>;
    message(id: number): Awaitable<WebhookMessage | null>;
    list(before: number, limit: number): Awaitable<readonly WebhookMessage[]>;
  };
  readonly jobs: {
    all(): Awaitable<readonly JobRun[]>;
  };
  readonly entitlements: {
    /** Grants in force at a moment, by code. */
    at(memberId: number, at: number, limit: number): Awaitable<readonly Entitlement[]>;
    /** Grants in force and to come, the oldest first. */
    pending(memberId: number, now: number, limit: number): Awaitable<readonly Entitlement[]>;
    /** All grants, the newest first. */
    history(memberId: number, limit: number): Awaitable<readonly Entitlement[]>;
    /** All grants of a platform, the newest first. */
    by(platformId: number, memberId: number, limit: number): Awaitable<readonly Entitlement[]>;
    /** Grants that started or ended without a report. */
    due(now: number, limit: number): Awaitable<readonly Entitlement[]>;
    policy(): Awaitable<EntitlementPolicy>;
  };
  readonly consents: {
    /** All statements made through a link, in the order of their arrival. */
    of(membershipId: number, limit: number): Awaitable<readonly Consent[]>;
    /** The latest statement about each purpose. */
    latest(membershipId: number, limit: number): Awaitable<readonly Consent[]>;
    /** Consents in force that were given up to a moment, the oldest first. */
    givenBefore(
      purpose: string,
      moment: number,
      after: { readonly givenAt: number; readonly id: number },
      limit: number,
    ): Awaitable<readonly GivenConsent[]>;
    /** Consents in force that were given up to a moment, without a report that a reminder is due. */
    unreported(purpose: string, moment: number, limit: number): Awaitable<readonly GivenConsent[]>;
    purposes(): Awaitable<readonly ConsentPurpose[]>;
  };
}

/** Statements that write, by table. */
interface MemberWrites extends OperatorWrites {
  readonly platforms: {
    put(platform: Platform): Awaitable<void>;
  };
  readonly keys: {
    insert(key: ApiKey): Awaitable<void>;
    update(key: ApiKey): Awaitable<void>;
    markUsed(kid: string, day: number): Awaitable<void>;
    markSeenInBrowser(kid: string, day: number): Awaitable<void>;
  };
  readonly members: {
    /** Returns the id. */
    insert(member: NewMember): Awaitable<number>;
    /** Gives the member `homeId` another address; no member of its realm may have it, unless it is given up already. */
    changeAddress(homeId: number, address: NewAddress): Awaitable<void>;
    /** Gives up the address that a link left, after `noteMove`: it leads only the platforms of the other links there. */
    giveUpAddress(link: Membership): Awaitable<void>;
    /** Undoes `giveUpAddress`; no member of the realm may have the address. */
    regainAddress(homeId: number): Awaitable<void>;
    /** Overwrites the address of the member `homeId`, which is not found by it any more. */
    releaseAddress(homeId: number): Awaitable<void>;
    setTier(memberId: number, tier: string): Awaitable<void>;
    setStatus(memberId: number, status: Member['status']): Awaitable<void>;
    /** Recomputes the member's platforms from its memberships. */
    refreshPlatforms(memberId: number): Awaitable<void>;
    touchHistory(): Awaitable<void>;
  };
  readonly memberships: {
    /** Finds the member of an address and the link of a local id. A store may prepare the rows to insert. */
    registrant(at: Platform, hash: Uint8Array, userId: string | null): Awaitable<Registrant>;
    /** Returns the id. */
    insert(membership: Omit<Membership, 'id' | 'version' | 'wasVerified'>): Awaitable<number>;
    setVerified(membershipId: number, verified: boolean): Awaitable<void>;
    /** Sets another local id. False when the membership has another version by now. */
    rebind(membership: Membership, localUserId: string): Awaitable<boolean>;
    /** Gives the membership another address, with its local id, `extra`, consents and events. */
    move(membership: Membership, target: LinkTarget): Awaitable<void>;
    /** Gives the membership to another member that has its address now. */
    giveTo(membershipId: number, owner: FoundMember): Awaitable<void>;
    /** Notes the uid under which the platform may still call about the user; the latest `movesMax` stay. */
    noteMove(link: Membership, svcUid: string, movedAt: number, movesMax: number): Awaitable<void>;
    /** Moves the time from which the user has the address. */
    confirmAddress(membershipId: number, addressedAt: number): Awaitable<void>;
    /** Does nothing when there is an `extra` already. */
    insertExtra(membershipId: number, extra: string): Awaitable<void>;
  };
  readonly merges: {
    /** Gives the memberships of the member `home` to `to` and redirects its uid there; null undoes both. */
    moveHome(home: number, to: number | null): Awaitable<void>;
    /** Returns the id. */
    insert(merge: Omit<Merge, 'id' | 'splitAt'>): Awaitable<number>;
    end(id: number, at: number): Awaitable<void>;
  };
  readonly erasures: {
    /** Removes a member with all of its data; its events stay without their `meta` and their membership. */
    eraseHome(home: number): Awaitable<{ readonly memberships: number; readonly events: number }>;
    /** Removes a membership with its consents and the messages that name its user, and returns how many events lost it and their `meta`. */
    eraseMembership(membershipId: number): Awaitable<number>;
    /** The ledger has it before the transaction is acknowledged. */
    noteDeparture(departure: Departure): Awaitable<void>;
    /** Notes a departure that the ledger has. */
    noteDepartureAgain(departure: Departure): Awaitable<void>;
    /**
     * Notes the leaving of a local id without a link, and drops those before `keptSince` and those beyond the latest
     * `most`. While there are fewer, the ledger has a new id before the transaction is acknowledged.
     */
    noteEarlyDeparture(departure: EarlyDeparture, keptSince: number, most: number): Awaitable<void>;
    /** Notes one that the ledger has, and drops none. */
    noteEarlyDepartureAgain(departure: EarlyDeparture): Awaitable<void>;
    dropEarlyDepartures(platformId: number, most: number): Awaitable<void>;
    /** The ledger has it before the transaction is acknowledged. */
    noteRelease(release: Release, homeId: number): Awaitable<void>;
    /** Notes a release that the ledger has. */
    noteReleaseAgain(release: Release, homeId: number): Awaitable<void>;
    /** Inserts a tombstone. The ledger has it before the transaction is acknowledged. */
    insert(erasure: Erasure): Awaitable<void>;
    /** Inserts a tombstone that the ledger has. */
    insertAgain(erasure: Erasure): Awaitable<void>;
  };
  readonly sessions: {
    /** Removes the member's dead sessions and its oldest ones beyond `liveMax - 1`, then inserts. */
    insert(session: NewSession, liveMax: number): Awaitable<void>;
    end(tokenHash: Uint8Array): Awaitable<EndedSession | null>;
    /** One write: every session of the member belongs to a past epoch from now on. */
    endAll(memberId: number): Awaitable<void>;
    endIssuedBy(memberId: number, platformId: number): Awaitable<void>;
    /** Ends sessions that started through unverified links; returns how many. */
    endAsserted(memberId: number): Awaitable<number>;
    /** Ends sessions that started through this membership; returns how many. */
    endThrough(memberId: number, membershipId: number): Awaitable<number>;
    /**
     * One write: ends the sessions that a platform issued, every platform for null. With `before` only those issued
     * earlier.
     */
    endOfPlatform(platformId: number | null, before: number | null): Awaitable<void>;
    deleteExpired(now: number, limit: number): Awaitable<number>;
  };
  readonly events: {
    /** False when the platform has an event of this id already. */
    insert(event: NewEvent): Awaitable<boolean>;
    /** Adds to the totals, at the end of the transaction. Every inserted event is counted in its transaction. */
    count(total: EventTotal): Awaitable<void>;
    /** Notes that the member was active on the platform that day. */
    markActive(homeId: number, day: number, platformId: number): Awaitable<void>;
    takeActivity(homeId: number, platformId: number): Awaitable<readonly number[]>;
    deleteBefore(receivedAt: number, limit: number): Awaitable<number>;
  };
  readonly assurance: {
    /** Adds to the counts of the day. */
    count(day: AssuranceDay): Awaitable<void>;
  };
  readonly webhooks: {
    putEndpoint(endpoint: WebhookEndpoint): Awaitable<void>;
    /** A message that names a user goes with its membership. */
    insert(message: Omit<WebhookMessage, 'id'>, membershipId?: number): Awaitable<void>;
    /** Takes a due message for this process until `until`; false when another process has it. */
    lease(id: number, nextAt: number, until: number): Awaitable<boolean>;
    update(message: WebhookMessage): Awaitable<void>;
    /** Removes messages that were settled, or due, before a moment. A message stays due while its endpoint is disabled. */
    deleteBefore(before: number, limit: number): Awaitable<number>;
    deleteOf(endpointId: string, limit: number): Awaitable<number>;
    removeEndpoint(id: string): Awaitable<void>;
  };
  readonly jobs: {
    put(run: JobRun): Awaitable<void>;
  };
  readonly entitlements: {
    /** Returns the id. */
    insert(entitlement: NewEntitlement): Awaitable<number>;
    end(id: number, overAt: number, reportAt: number | null): Awaitable<void>;
    /** Gives a grant to another member, with its period and history. */
    giveTo(id: number, owner: Pick<Entitlement, 'homeId' | 'memberId'>): Awaitable<void>;
    planReport(id: number, reportAt: number | null): Awaitable<void>;
    /** Removes grants that are over, beyond the newest `rowsMax` of the member. */
    deleteOldest(memberId: number, now: number, rowsMax: number): Awaitable<void>;
    /** Stores with the member if it has a grant in force or to come. */
    mark(memberId: number, now: number): Awaitable<void>;
    /** A change of the version of the platforms, too. */
    putPolicy(policy: EntitlementPolicy): Awaitable<void>;
  };
  readonly consents: {
    /** Returns the id. The latest statement is that of the latest time; of two, the one that arrived last. */
    insert(consent: NewConsent): Awaitable<number>;
    /** Notes that a webhook reported the reminder. */
    markReported(id: number): Awaitable<void>;
    /** Moves the time of the last repetition forward. */
    repeat(id: number, repeatedAt: number): Awaitable<void>;
    /** A change of the version of the platforms, too. */
    putPurpose(purpose: ConsentPurpose): Awaitable<void>;
  };
}
