import { call, type Target } from './call.ts';
import type { CrossPlatformAnswer, LogoutAnswer, MeAnswer, NorthStarAnswer } from './contract.ts';
import { sendEvents } from './event-batch.ts';
import { newIdentifier } from './identifier.ts';
import { createQueue, type QueuedItem, type DeliveryReport, type QueueStorage } from './queue.ts';
import { SvcError } from './svc-error.ts';

/** The used part of a window. */
export interface Page {
  readonly fetch: typeof fetch;
  readonly document: {
    readonly cookie: string;
    readonly visibilityState: string;
    addEventListener(type: string, listener: () => void): void;
  };
  readonly navigator: {
    readonly locks?: {
      request<Value>(
        name: string,
        options: { readonly signal: AbortSignal },
        task: () => Promise<Value>,
      ): Promise<Value>;
    };
  };
  /** Throws if the visitor blocks storage. */
  readonly localStorage: Record<string, string>;
  addEventListener(type: string, listener: () => void): void;
}

/** The element that loaded the script. */
export interface ScriptElement {
  readonly src: string;
  readonly outerHTML: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

interface PageEvent {
  readonly platform: string;
  readonly event: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The visitor's own member. */
type Self = NonNullable<MeAnswer['member']>;

interface LookupAnswer {
  readonly member: Self;
}

/** The global `svc` of a page. */
export interface PageSvc {
  /** Rejects with 401, without a request: registering is for the platform's server. */
  signup(): Promise<never>;
  /** Rejects with 401, without a request: signing in is for the platform's server. */
  ssoLogin(): Promise<never>;
  /** Queues an event of the visitor until it is delivered. Resolves its id, or null if it cannot be sent. Never rejects. */
  logEvent(event: PageEvent): Promise<string | null>;
  /** The session and member of the visitor, cached for 5 s for all tabs. Rejects with `SvcError`. */
  me(): Promise<MeAnswer>;
  /** Ends the session here, or with `all` on every device. Rejects with `SvcError`. */
  logout(options?: { readonly scope?: 'one' | 'all' }): Promise<LogoutAnswer>;
  /** The uid in the cookie, unchecked: for display only. */
  uid(): string | null;
  /** False also when the service is unreachable. */
  isAuthenticated(): Promise<boolean>;
  /** The visitor's own member, null for any other. Rejects with `SvcError`. */
  byEmail(email: string): Promise<Self | null>;
  /** The visitor's own member, null for any other. Rejects with `SvcError`. */
  byUid(svcUid: string): Promise<Self | null>;
  /** Members by platform and their overlap, as of the day; needs a session. Rejects with `SvcError`. */
  statsCrossPlatform(): Promise<CrossPlatformAnswer>;
  /** Weekly members on two or more platforms over twelve weeks; needs a session. Rejects with `SvcError`. */
  statsNorthStar(): Promise<NorthStarAnswer>;
  /** Sends all undelivered events now. */
  flush(): Promise<DeliveryReport>;
  /** Like `flush`, for the last time, within `timeoutMs` (5000 by default). */
  close(options?: { readonly timeoutMs?: number }): Promise<DeliveryReport>;
}

/** Creates `svc` for a page. Sends no request before a call. */
export function createPageSvc(page: Page, script: ScriptElement): PageSvc {
  const target: Target = {
    url: script.dataset['membersUrl'] ?? new URL(script.src).origin,
    fetch: (input, init) => page.fetch(input, init),
    init: { credentials: 'include' },
    // To a page of an unregistered origin, browsers show no more than a failed request.
    hint: ' Is the origin of this page registered?',
  };
  const outliving: Target = { ...target, init: { ...target.init, keepalive: true } };
  const storage = storageOf(page);
  const queue = createQueue({
    shelf: eventStorage(storage),
    // The most that the service accepts of a page, and less than browsers send after its end.
    batchMax: 20,
    batchBytesMax: 60_000,
    countMax: 100,
    failuresMax: 8,
    // Events of another member are not sent in the name of this one.
    isReady: ({ body }) => 'svc_uid' in body && body.svc_uid === uid(),
    send: (batch) => sendEvents(outliving, batch),
  });
  let pendingMe: Promise<MeAnswer> | undefined;

  function uid(): string | null {
    try {
      return /(?:^|; ?)svc_uid=([^;]+)/.exec(page.document.cookie)![1]!;
    } catch {
      // No cookie, or a frame without an origin, which has no cookies.
      return null;
    }
  }

  /** The answer of the last five seconds, from any tab. */
  function cachedMe(): MeAnswer | null {
    const { at = 0, me }: { at?: number; me?: MeAnswer } = read(storage, meKey) ?? {};
    const ageMs = Date.now() - at;
    return me && me.svc_uid === uid() && ageMs >= 0 && ageMs < 5_000 ? me : null;
  }

  async function get<Answer extends object>(path: string, expected: keyof Answer): Promise<Answer> {
    return (await call<Answer>(target, path, expected, {})).answer;
  }

  async function fetchMe(): Promise<MeAnswer> {
    const cached = cachedMe();
    if (cached) return cached;
    const answer = await get<MeAnswer>('/auth/me', 'authenticated');
    // Otherwise the visitor logged in or out in the meantime, here or in another tab.
    if (answer.svc_uid === uid()) {
      try {
        write(storage, meKey, { at: Date.now(), me: answer });
      } catch {
        // Then other tabs send their own request.
      }
    }
    return answer;
  }

  function me(): Promise<MeAnswer> {
    const cached = cachedMe();
    if (cached) return Promise.resolve(cached);
    pendingMe ??= withLock(fetchMe).finally(() => {
      pendingMe = undefined;
    });
    return pendingMe;
  }

  /** Runs the task in one tab at a time, so that the next tab finds the cached answer. */
  function withLock<Value>(task: () => Promise<Value>): Promise<Value> {
    const { locks } = page.navigator;
    if (!locks) return task();
    return new Promise((resolve, reject) => {
      const inTurn = async (): Promise<void> => {
        await task().then(resolve, reject);
        // Firefox shows stored values to other tabs a moment later.
        await new Promise((done) => setTimeout(done, 50));
      };
      locks
        .request(meKey, { signal: AbortSignal.timeout(5_000) }, inTurn)
        // The wait ended, because another tab waits for the service.
        .catch((error) => reject(new SvcError(0, 'unreachable', String(error))));
    });
  }

  async function find(body: object): Promise<Self | null> {
    try {
      const { answer } = await call<LookupAnswer>(target, '/members/lookup', 'member', { body });
      return answer.member;
    } catch (error) {
      if ((error as SvcError).status === 404) return null;
      throw error;
    }
  }

  async function logEvent({ platform, event, meta }: PageEvent): Promise<string | null> {
    const svcUid = uid();
    const body = { svc_uid: svcUid, platform, event, meta };
    const text = JSON.stringify(body);
    // No session, or an event that the service would refuse.
    if (svcUid === null || text.length > bodyLengthMax || secret.test(text)) return null;
    const id = newIdentifier();
    const at = Date.now();
    const occurredAt = new Date(at).toISOString();
    queue.add({ id, at, body: { ...body, event_id: id, occurred_at: occurredAt } });
    return id;
  }

  const svc: PageSvc = {
    signup: serverOnly,
    ssoLogin: serverOnly,
    logEvent: (event) => logEvent(event).catch(() => null),
    me,
    async logout({ scope = 'one' } = {}) {
      // After the logout no event can be sent in the name of this member.
      await queue.flush(1_000);
      const { answer } = await call<LogoutAnswer>(target, '/auth/logout', 'ok', {
        body: { scope },
      });
      delete storage[meKey];
      pendingMe = undefined;
      return answer;
    },
    uid,
    isAuthenticated: () =>
      me().then(
        ({ authenticated }) => authenticated,
        () => false,
      ),
    byEmail: (email) => find({ email }),
    byUid: (svcUid) => find({ svc_uid: svcUid }),
    statsCrossPlatform: () => get<CrossPlatformAnswer>('/stats/cross-platform', 'members'),
    statsNorthStar: () => get<NorthStarAnswer>('/stats/north-star', 'weeks'),
    flush: () => queue.flush(5_000),
    close: ({ timeoutMs = 5_000 } = {}) => queue.close(timeoutMs),
  };
  if (secret.test(script.outerHTML)) return refused(svc);
  const leave = (): void => void queue.flush(0);
  page.document.addEventListener('visibilitychange', () => {
    if (page.document.visibilityState === 'hidden') leave();
  });
  page.addEventListener('pagehide', leave);
  page.addEventListener('online', () => queue.resume());
  return svc;
}

const meKey = 'svc:me';
const eventPrefix = 'svc:event:';
/** The service accepts 8 KB of `meta`, and events of pages up to this age. */
const bodyLengthMax = 9_000;
const ageMsMax = 604_800_000;
const secret = /svck_|api-?key/i;

function serverOnly(): Promise<never> {
  return Promise.reject(
    new SvcError(401, 'browser_call_refused', 'Only the platform’s server can ask this.'),
  );
}

/** Replaces `svc` on a page with an API key, which every visitor can read: all calls fail until the key is removed. */
function refused(svc: PageSvc): PageSvc {
  const text = 'svc: this page shows an API key to everybody. Remove it here and revoke it.';
  // oxlint-disable-next-line no-console -- Developers of a page look into its console.
  console.error(text);
  const refuse = () => Promise.reject(new SvcError(401, 'browser_call_refused', text));
  const names = Object.keys(svc).map((name) => [name, refuse]);
  return { ...Object.fromEntries(names), uid: () => null } as PageSvc;
}

/** Storage with an entry for each event, so that tabs that write at the same time do not overwrite each other. */
function eventStorage(storage: Record<string, string>): QueueStorage {
  return {
    list: () =>
      Object.keys(storage)
        .filter((name) => name.startsWith(eventPrefix))
        .map((name) => read(storage, name) as QueuedItem | null)
        .filter((item) => item !== null)
        .filter(({ id, at }) => Date.now() - at < ageMsMax || !delete storage[eventPrefix + id])
        .sort((a, b) => a.at - b.at),
    put: (item) => write(storage, eventPrefix + item.id, item),
    drop: (id) => delete storage[eventPrefix + id],
  };
}

/** An object that `write` stored; null for a value of another script. */
function read(storage: Record<string, string>, name: string): object | null {
  try {
    return Object(JSON.parse(storage[name]!)) as object;
  } catch {
    delete storage[name];
    return null;
  }
}

/** Throws if the storage is full. */
function write(storage: Record<string, string>, name: string, value: object): void {
  storage[name] = JSON.stringify(value);
}

/** `localStorage` or, if the visitor blocks it, an object that lasts as long as the page. */
function storageOf(page: Page): Record<string, string> {
  try {
    page.localStorage['svc:'] = '';
    delete page.localStorage['svc:'];
    return page.localStorage;
  } catch {
    return {};
  }
}
