import { call, reasonOf, type Target } from './call.ts';
import type {
  CrossPlatformAnswer,
  EventBody,
  IssueAnswer,
  IssueBody,
  LogoutAnswer,
  MemberAnswer,
  MeAnswer,
  NorthStarAnswer,
  RegisterAnswer,
  RegisterBody,
  VerifyAnswer,
} from './contract.ts';
import { EventDelivery } from './event-delivery.ts';
import { openJournal, type Outbox } from './journal.ts';
import type { Report } from './queue.ts';
import { RegistrationDelivery } from './registration-delivery.ts';
import { SvcError } from './svc-error.ts';

/** What a server must and may say about itself. */
export interface SvcOptions {
  /** Address of the members service, such as `https://id.example.com`. */
  readonly membersUrl: string;
  /** `svck_…`, of this platform. */
  readonly apiKey: string;
  /** Of a server call, 5000 unless given. */
  readonly timeoutMs?: number;
  /** Of `signup` in a hook, 3000 unless given. */
  readonly hookTimeoutMs?: number;
  /** Told of each registration that was made late; when it throws it is told again. */
  readonly onRegistered?: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
  /** A line for the log, without an address or a key; `console.warn` unless given. */
  readonly onWarning?: (text: string) => void;
  /** Keeps over a restart what is not delivered. */
  readonly outbox?: Outbox;
  /** Late registrations at one time, 10000 unless given. */
  readonly registrationsMax?: number;
  /** Events at one time, 10000 unless given. */
  readonly eventsMax?: number;
  readonly fetch?: typeof fetch;
}

/** An event of a member, told by a server. */
export interface ServerEvent extends EventBody {
  readonly svc_uid: string;
}

/** What a request says about who sent it. */
export interface LogoutOptions {
  /** Its `Cookie` header. */
  readonly cookie: string | null | undefined;
  /** Its `Origin` header, or an origin of the platform. */
  readonly origin: string;
  /** `all` for every device. */
  readonly scope?: 'one' | 'all';
}

/** A member as its platform sees it. */
export type Member = MemberAnswer['member'];

/** The members service, for a platform's server. */
export interface Svc {
  /** What all calls for one request of a visitor may take together. */
  readonly hookTimeoutMs: number;
  /** Registers a user after the platform's own sign-up. Never rejects: null when it is made later. */
  signup(
    registration: RegisterBody,
    options?: { readonly hook?: boolean; readonly timeoutMs?: number },
  ): Promise<RegisterAnswer | null>;
  /** Logs in everywhere: each `Set-Cookie` to relay, unchanged. Never rejects: none when it failed. */
  ssoLogin(user: IssueBody, options?: { readonly timeoutMs?: number }): Promise<readonly string[]>;
  /** Whether the bearer of a `Cookie` header may be logged in here. */
  verify(cookie: string | null | undefined): Promise<VerifyAnswer>;
  /** Keeps an event until it is delivered. Never rejects: the event's id, or null for what cannot be sent. */
  logEvent(event: ServerEvent): Promise<string | null>;
  /** Who bears a `Cookie` header. Rejects with `SvcError` where the service cannot be reached. */
  me(cookie: string | null | undefined): Promise<MeAnswer>;
  /** Whether anybody does; false also where the service cannot be reached. */
  isAuthenticated(cookie: string | null | undefined): Promise<boolean>;
  /** What the cookie says, unchecked: for display only. */
  uid(cookie: string | null | undefined): string | null;
  /** Ends the session behind a `Cookie` header; `cookies` are to be relayed. */
  logout(options: LogoutOptions): Promise<LogoutAnswer & { readonly cookies: readonly string[] }>;
  /** The member of an address, null where the platform has none. Rejects with `SvcError`. */
  byEmail(email: string): Promise<Member | null>;
  /** The member of a uid, likewise. */
  byUid(svcUid: string): Promise<Member | null>;
  /** Members, platforms and what they share; needs the scope `stats:read`. Rejects with `SvcError`. */
  statsCrossPlatform(): Promise<CrossPlatformAnswer>;
  /** Weekly members on two or more platforms, up to 52 `weeks` of them, likewise. */
  statsNorthStar(options?: { readonly weeks?: number }): Promise<NorthStarAnswer>;
  /** Sends now what waits. */
  flush(): Promise<Report>;
  /** The same for a last time, within `timeoutMs` (5000 unless given). */
  close(options?: { readonly timeoutMs?: number }): Promise<Report>;
}

/**
 * The members service, for a platform's server. Throws for options with which nothing can work.
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
    throw new TypeError('membersUrl is no address: give one such as https://id.example.com.');
  }
  if ('document' in globalThis) throw new TypeError('A page shows its key to all: use sdk.js.');
  // In JavaScript an environment variable that is not set arrives here as undefined.
  const key: string | undefined = apiKey;
  if (!key?.startsWith('svck_')) {
    const state = key ? 'is no key' : 'is not set';
    throw new TypeError(`apiKey ${state}: give the one that starts with svck_, from the operator.`);
  }
  // oxlint-disable-next-line no-console -- Where a platform names no log of its own.
  const { onWarning: warn = (text) => console.warn(text) } = options;
  const visitorsTarget: Target = {
    url: membersUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    init: {},
  };
  const target = { ...visitorsTarget, init: { headers: { 'x-api-key': apiKey } } };
  const journal = openJournal(options.outbox, warn);
  const registrations = new RegistrationDelivery({
    target,
    journal,
    warn,
    countMax: options.registrationsMax ?? 10_000,
    onRegistered: options.onRegistered ?? (() => {}),
  });
  const events = new EventDelivery({
    target,
    journal,
    warn,
    countMax: options.eventsMax ?? 10_000,
  });

  async function ask<Answer extends object>(
    path: string,
    expected: keyof Answer,
    body?: object,
  ): Promise<Answer> {
    const options = { timeoutMs, ...(body && { body }) };
    return (await call<Answer>(target, path, expected, options)).answer;
  }

  async function find(question: object): Promise<Member | null> {
    try {
      return (await ask<MemberAnswer>('/members/lookup', 'member', question)).member;
    } catch (error) {
      if (error instanceof SvcError && error.status === 404) return null;
      throw error;
    }
  }

  async function me(cookie: string | null | undefined): Promise<MeAnswer> {
    if (cookiesOf(cookie, 'svc_sso').length === 0) return nobody;
    const headers = { cookie: sessionCookies(cookie) };
    return (
      await call<MeAnswer>(visitorsTarget, '/auth/me', 'authenticated', { timeoutMs, headers })
    ).answer;
  }

  return {
    hookTimeoutMs,
    signup: (
      registration,
      { hook = false, timeoutMs: ms = hook ? hookTimeoutMs : timeoutMs } = {},
    ) => registrations.register(registration, ms),
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
      const verdicts = await Promise.all(
        cookiesOf(cookie, 'svc_sso').map((token) =>
          ask<VerifyAnswer>('/auth/sso/verify', 'active', { token }),
        ),
      );
      const active = verdicts.filter((verdict) => verdict.active);
      // Sessions of two members at once: never a guess.
      const isAmbiguous = new Set(active.map((verdict) => verdict.svc_uid)).size > 1;
      return (isAmbiguous ? undefined : active[0]) ?? inactive;
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
    byEmail: (email) => find({ email }),
    byUid: (svcUid) => find({ svc_uid: svcUid }),
    statsCrossPlatform: () => ask('/stats/cross-platform', 'members'),
    statsNorthStar: ({ weeks } = {}) =>
      ask(weeks === undefined ? '/stats/north-star' : `/stats/north-star?weeks=${weeks}`, 'weeks'),
    flush: () => report([registrations.flush(timeoutMs), events.flush(timeoutMs)]),
    async close({ timeoutMs: closeMs = 5_000 } = {}) {
      const last = await report([registrations.close(closeMs), events.close(closeMs)]);
      journal.close();
      return last;
    },
  };
}

async function report(reports: readonly Promise<Report>[]): Promise<Report> {
  const all = await Promise.all(reports);
  return {
    delivered: all.reduce((sum, { delivered }) => sum + delivered, 0),
    pending: all.reduce((sum, { pending }) => sum + pending, 0),
  };
}

const nobody = { authenticated: false, svc_uid: null, member: null } as const;
const inactive = {
  active: false,
  svc_uid: null,
  tier: null,
  sign_in_allowed: false,
  reason: 'session_ended',
  membership: null,
} as const;

/** The service reads no more than four. */
const sessionCookiesMax = 4;

function cookiesOf(header: string | null | undefined, name: string): readonly string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => value !== '')
    .slice(0, sessionCookiesMax);
}

/** The platform's own cookies are none of the service's business. */
function sessionCookies(header: string | null | undefined): string {
  return cookiesOf(header, 'svc_sso')
    .map((token) => `svc_sso=${token}`)
    .join('; ');
}
