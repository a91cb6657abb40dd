import { AccountDelivery } from './account-delivery.ts';
import { call, reasonOf, type Target } from './call.ts';
import type {
  CrossPlatformAnswer,
  EntitlementsAnswer,
  EventBody,
  GrantEntitlementAnswer,
  GrantEntitlementBody,
  IssueAnswer,
  IssueBody,
  LogoutAnswer,
  MemberAnswer,
  MeAnswer,
  NorthStarAnswer,
  RegisterAnswer,
  RegisterBody,
  RevokeEntitlementAnswer,
  RevokeEntitlementBody,
  VerifyAnswer,
} from './contract.ts';
import { EventDelivery } from './event-delivery.ts';
import { openJournal, type Outbox } from './journal.ts';
import type { DeliveryReport } from './queue.ts';
import { reconcileUsers, type DatedRegistration, type ReconcileReport } from './reconcile.ts';
import { SvcError } from './svc-error.ts';

/** Options of `createSvc`. */
export interface SvcOptions {
  /** Address of the members service, such as `https://id.example.com`. */
  readonly membersUrl: string;
  /** API key of this platform, `svck_…`. */
  readonly apiKey: string;
  /** Timeout of a server call; 5000 by default. */
  readonly timeoutMs?: number;
  /** Timeout of `signup` in a hook; 3000 by default. */
  readonly hookTimeoutMs?: number;
  /** Called for each late registration, again when it throws, and for each one that `reconcile` makes. */
  readonly onRegistered?: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
  /** Called for each registration that is refused for good, at once or late; called again when it throws. */
  readonly onRefused?: (registration: RegisterBody, code: string) => void | Promise<void>;
  /** Called with a line for the log, without an address or a key; `console.warn` by default. */
  readonly onWarning?: (text: string) => void;
  /** Stores undelivered data over a restart. */
  readonly outbox?: Outbox;
  /** Most undelivered registrations, and ends of memberships and of sessions; 10000 by default. */
  readonly registrationsMax?: number;
  /** Most undelivered events; 10000 by default. */
  readonly eventsMax?: number;
  readonly fetch?: typeof fetch;
}

/** An event of a member, sent by a server. */
export interface ServerEvent extends EventBody {
  readonly svc_uid: string;
}

/** Parts of the browser's request that `logout` needs. */
export interface LogoutOptions {
  /** Its `Cookie` header. */
  readonly cookie: string | null | undefined;
  /** Its `Origin` header, or an origin of the platform. */
  readonly origin: string;
  /** `all` for the shared sessions of every device; none without a live one in `cookie`. The platform ends its own. */
  readonly scope?: 'one' | 'all';
}

/** A member as its platform sees it. */
export type Member = MemberAnswer['member'];

/** The members service, for a platform's server. */
export interface Svc {
  /** Milliseconds that all calls for one request of a visitor may take together. */
  readonly hookTimeoutMs: number;
  /**
   * Registers a user after the platform's own sign-up. Never rejects: null when it will be retried later, and when it is
   * refused, such as for an address that another user of the platform has.
   */
  signup(
    registration: RegisterBody,
    options?: { readonly hook?: boolean; readonly timeoutMs?: number },
  ): Promise<RegisterAnswer | null>;
  /** Signs in on all platforms. Resolves the `Set-Cookie` values to relay unchanged, none on failure. Never rejects. */
  ssoLogin(user: IssueBody, options?: { readonly timeoutMs?: number }): Promise<readonly string[]>;
  /**
   * Decides whether the sender of a `Cookie` header may be signed in here. Nobody is signed in as a user whose `signup` or
   * `leave` waits: the previous address may be another person's. Rejects with `SvcError`.
   */
  verify(cookie: string | null | undefined): Promise<VerifyAnswer>;
  /** Queues an event until it is delivered. Resolves its id, or null if it cannot be sent. Never rejects. */
  logEvent(event: ServerEvent): Promise<string | null>;
  /** The session and member of a `Cookie` header. Rejects with `SvcError` when the service is unreachable. */
  me(cookie: string | null | undefined): Promise<MeAnswer>;
  /** True for a live session; false also when the service is unreachable. */
  isAuthenticated(cookie: string | null | undefined): Promise<boolean>;
  /** The uid in the cookie, unchecked: for display only. */
  uid(cookie: string | null | undefined): string | null;
  /** Ends the session of a `Cookie` header. Relay the `cookies`, which clear it. */
  logout(options: LogoutOptions): Promise<LogoutAnswer & { readonly cookies: readonly string[] }>;
  /**
   * Ends all shared sessions of a member, such as after a new password, and needs no cookie. Resolves true once that is
   * done, or for a user without a `svc_uid`. Never rejects: while it waits, no session of the member counts here.
   */
  logoutEverywhere(svcUid: string | null): Promise<boolean>;
  /**
   * Ends the membership of a user who closed the account. Resolves true once it has ended. Never rejects: otherwise it is
   * sent later, before any later `signup` of the id.
   */
  leave(localUserId: string | number): Promise<boolean>;
  /** The platform's member with an address; null for none. Rejects with `SvcError`. */
  byEmail(email: string): Promise<Member | null>;
  /** The platform's member with a uid; null for none. Rejects with `SvcError`. */
  byUid(svcUid: string): Promise<Member | null>;
  /** Entitlements of a member now, or at an ISO 8601 time, with their history; null for no member of the platform. */
  entitlements(
    svcUid: string,
    options?: { readonly at?: string },
  ): Promise<EntitlementsAnswer | null>;
  /**
   * Grants a code to a member, from now on without end by default; null for no member of the platform. With
   * `expected_local_user_id` it reaches no other user who has the uid by now.
   */
  grantEntitlement(
    svcUid: string,
    code: string,
    period?: GrantEntitlementBody,
  ): Promise<GrantEntitlementAnswer | null>;
  /** Ends the grants of a code by this platform; null for no member of the platform. */
  revokeEntitlement(
    svcUid: string,
    code: string,
    user?: RevokeEntitlementBody,
  ): Promise<RevokeEntitlementAnswer | null>;
  /** Members by platform and their overlap; needs the scope `stats:read`. Rejects with `SvcError`. */
  statsCrossPlatform(): Promise<CrossPlatformAnswer>;
  /** Weekly members on two or more platforms, for up to 52 `weeks`; needs `stats:read`. Rejects with `SvcError`. */
  statsNorthStar(options?: { readonly weeks?: number }): Promise<NorthStarAnswer>;
  /**
   * Registers the confirmed users that the service lacks or has under another address, such as after the loss of an
   * outbox: run it every night. `onRegistered` gets each. Ends with a warning at the first call that fails. Never rejects.
   */
  reconcile(
    users: Iterable<DatedRegistration> | AsyncIterable<DatedRegistration>,
  ): Promise<ReconcileReport>;
  /** Sends all undelivered data now. */
  flush(): Promise<DeliveryReport>;
  /** Like `flush`, for the last time, within `timeoutMs` (5000 by default). */
  close(options?: { readonly timeoutMs?: number }): Promise<DeliveryReport>;
}

/**
 * Creates the client of the members service for a platform's server. Throws for unusable options.
 *
 * @example
 * import { createSvc } from '@maru/sdk';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * const registered = await svc.signup({ email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' });
 * console.log(registered?.tier); // BRONZE
 * await svc.close();
 */
export function createSvc(options: SvcOptions): Svc {
  const { membersUrl, apiKey, timeoutMs = 5_000, hookTimeoutMs = 3_000 } = options;
  if (!URL.canParse(membersUrl)) {
    throw new TypeError('membersUrl is not a URL: give one such as https://id.example.com.');
  }
  if ('document' in globalThis)
    throw new TypeError('A page would show its key to everyone: use sdk.js there.');
  // In JavaScript a missing environment variable is undefined here.
  const key: string | undefined = apiKey;
  if (!key?.startsWith('svck_')) {
    const state = key ? 'is not a key' : 'is not set';
    throw new TypeError(
      `apiKey ${state}: give the key from the operator, which starts with svck_.`,
    );
  }
  // oxlint-disable-next-line no-console -- The default log of a platform.
  const { onWarning: warn = (text) => console.warn(text) } = options;
  const visitorsTarget: Target = {
    url: membersUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    init: {},
  };
  const target = { ...visitorsTarget, init: { headers: { 'x-api-key': apiKey } } };
  const journal = openJournal(options.outbox, warn);
  const onRegistered = options.onRegistered ?? (() => {});
  const accounts = new AccountDelivery({
    target,
    journal,
    warn,
    countMax: options.registrationsMax ?? 10_000,
    onRegistered,
    onRefused: options.onRefused ?? (() => {}),
  });
  const events = new EventDelivery({
    target,
    journal,
    warn,
    countMax: options.eventsMax ?? 10_000,
  });

  async function request<Answer extends object>(
    path: string,
    expected: keyof Answer,
    body?: object,
    method?: 'PUT' | 'DELETE',
  ): Promise<Answer> {
    const options = { timeoutMs, ...(body && { body }) };
    const used = method === undefined ? target : { ...target, fetch: sending(target, method) };
    return (await call<Answer>(used, path, expected, options)).answer;
  }

  async function find(body: object): Promise<Member | null> {
    const found = await orNull(request<MemberAnswer>('/members/lookup', 'member', body));
    return found?.member ?? null;
  }

  async function me(cookie: string | null | undefined): Promise<MeAnswer> {
    if (tokensOf(cookie).length === 0) return anonymous;
    const headers = { cookie: sessionCookies(cookie) };
    const { members } = accounts.waiting();
    const { answer } = await call<MeAnswer>(visitorsTarget, '/auth/me', 'authenticated', {
      timeoutMs,
      headers,
    });
    return members.has(answer.svc_uid) ? anonymous : answer;
  }

  return {
    hookTimeoutMs,
    signup: (
      registration,
      { hook = false, timeoutMs: ms = hook ? hookTimeoutMs : timeoutMs } = {},
    ) => accounts.register(registration, ms),
    async ssoLogin(user, { timeoutMs: ms = timeoutMs } = {}) {
      try {
        const options = { timeoutMs: ms, body: user };
        const reply = await call<IssueAnswer>(target, '/auth/sso/issue', 'svc_uid', options);
        return reply.headers.getSetCookie();
      } catch (error) {
        warn(`svc: no single sign-on for a login (${reasonOf(error)}).`);
        return [];
      }
    },
    async verify(cookie) {
      // Read first: a call that is delivered meanwhile can be newer than the verdict.
      const waiting = accounts.waiting();
      const verdicts = await Promise.all(
        tokensOf(cookie).map((token) =>
          request<VerifyAnswer>('/auth/sso/verify', 'active', { token }),
        ),
      );
      const active = verdicts.filter(
        (verdict) => verdict.active && !waiting.members.has(verdict.svc_uid),
      );
      // Sessions of two members are ambiguous.
      const isAmbiguous = new Set(active.map((verdict) => verdict.svc_uid)).size > 1;
      const verdict = (isAmbiguous ? undefined : active[0]) ?? inactive;
      if (!waiting.users.has(verdict.membership?.local_user_id ?? '')) return verdict;
      return { ...verdict, sign_in_allowed: false, reason: 'no_membership', membership: null };
    },
    logEvent: (event) => events.log(event),
    me,
    isAuthenticated: (cookie) =>
      me(cookie).then(
        ({ authenticated }) => authenticated,
        () => false,
      ),
    uid: (cookie) => cookiesOf(cookie, 'svc_uid')[0] ?? null,
    async logout({ cookie, origin, scope = 'one' }) {
      const headers = { cookie: sessionCookies(cookie), origin };
      const reply = await call<LogoutAnswer>(visitorsTarget, '/auth/logout', 'ok', {
        timeoutMs,
        headers,
        body: { scope },
      });
      return { ...reply.answer, cookies: reply.headers.getSetCookie() };
    },
    logoutEverywhere: async (svcUid) => !svcUid || accounts.endSessions(svcUid, timeoutMs),
    leave: (localUserId) => accounts.leave(String(localUserId), timeoutMs),
    byEmail: (email) => find({ email }),
    byUid: (svcUid) => find({ svc_uid: svcUid }),
    entitlements: (svcUid, { at } = {}) =>
      orNull(
        request(entitlementPath(svcUid) + (at ? `?at=${encodeURIComponent(at)}` : ''), 'history'),
      ),
    grantEntitlement: (svcUid, code, period = {}) =>
      orNull(request(entitlementPath(svcUid, code), 'entitlement', period, 'PUT')),
    revokeEntitlement: (svcUid, code, user = {}) =>
      orNull(request(entitlementPath(svcUid, code), 'ended', user, 'DELETE')),
    statsCrossPlatform: () => request('/stats/cross-platform', 'members'),
    statsNorthStar: ({ weeks } = {}) =>
      request(
        weeks === undefined ? '/stats/north-star' : `/stats/north-star?weeks=${weeks}`,
        'weeks',
      ),
    reconcile: (users) => reconcileUsers({ target, timeoutMs, warn, onRegistered }, users),
    flush: () => report([accounts.flush(timeoutMs), events.flush(timeoutMs)]),
    async close({ timeoutMs: closeMs = 5_000 } = {}) {
      const finalReport = await report([accounts.close(closeMs), events.close(closeMs)]);
      journal.close();
      return finalReport;
    },
  };
}

/** `fetch` with another method than the one of the body. */
function sending({ fetch: send }: Target, method: string): typeof fetch {
  return (input, init) => send(input, { ...init, method });
}

function entitlementPath(svcUid: string, ...code: readonly string[]): string {
  return ['', 'members', svcUid, 'entitlements', ...code].map(encodeURIComponent).join('/');
}

/** Null in place of a member that the platform has not. */
async function orNull<Answer>(task: Promise<Answer>): Promise<Answer | null> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof SvcError && absenceCodes.has(error.code)) return null;
    throw error;
  }
}

const absenceCodes: ReadonlySet<string> = new Set(['member_not_found', 'member_erased']);

async function report(reports: readonly Promise<DeliveryReport>[]): Promise<DeliveryReport> {
  const all = await Promise.all(reports);
  return {
    delivered: all.reduce((sum, { delivered }) => sum + delivered, 0),
    pending: all.reduce((sum, { pending }) => sum + pending, 0),
  };
}

const anonymous = { authenticated: false, svc_uid: null, member: null } as const;
const inactive = {
  active: false,
  svc_uid: null,
  session_id: null,
  tier: null,
  sign_in_allowed: false,
  reason: 'session_ended',
  membership: null,
  entitlements: [],
} as const;

/** The service reads at most eight. */
const sessionCookiesMax = 8;
const sessionToken = /^svcs_[a-z2-7]{59}$/;

function cookiesOf(header: string | null | undefined, name: string): readonly string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => value !== '');
}

/** The values of session cookies. A sibling domain can set junk of the same name. */
function tokensOf(header: string | null | undefined): readonly string[] {
  return cookiesOf(header, 'svc_sso')
    .filter((value) => sessionToken.test(value))
    .slice(0, sessionCookiesMax);
}

/** A `Cookie` header with the session cookies only: the platform's own are not for the service. */
function sessionCookies(header: string | null | undefined): string {
  return tokensOf(header)
    .map((token) => `svc_sso=${token}`)
    .join('; ');
}
