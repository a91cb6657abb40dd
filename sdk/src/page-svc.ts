import { call, type Target } from './call.ts';
import type { LogoutAnswer, MeAnswer } from './contract.ts';
import { sendEvents } from './event-batch.ts';
import { newIdentifier } from './identifier.ts';
import { createQueue, type Kept, type Report, type Shelf } from './queue.ts';
import { SvcError } from './svc-error.ts';

/** What of a window the script works with. */
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
  /** Throws where the visitor allows no storage. */
  readonly localStorage: Record<string, string>;
  addEventListener(type: string, listener: () => void): void;
}

/** The element that loaded the script. */
export interface ScriptElement {
  readonly src: string;
  readonly outerHTML: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

export interface PageEvent {
  readonly platform: string;
  readonly event: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The visitor's own member. */
export type Self = NonNullable<MeAnswer['member']>;

interface Found {
  readonly member: Self;
}

/** The global `svc` of a page. */
export interface PageSvc {
  /** Rejects with 401, without a request: the platform's server registers. */
  signup(): Promise<never>;
  /** Likewise: the platform's server logs in. */
  ssoLogin(): Promise<never>;
  /** Keeps an event of the visitor until it is delivered. Never rejects: its id, or null where it cannot be sent. */
  logEvent(event: PageEvent): Promise<string | null>;
  /** Who the visitor is; an answer holds for 5 s, for all tabs. Rejects with `SvcError`. */
  me(): Promise<MeAnswer>;
  /** Ends the session here, or with `all` on every device. Rejects with `SvcError`. */
  logout(options?: { readonly scope?: 'one' | 'all' }): Promise<LogoutAnswer>;
  /** What the cookie says, unchecked: for display only. */
  uid(): string | null;
  /** False also where the service cannot be reached. */
  isAuthenticated(): Promise<boolean>;
  /** The visitor's own member, null for any other. Rejects with `SvcError`. */
  byEmail(email: string): Promise<Self | null>;
  /** Likewise. */
  byUid(svcUid: string): Promise<Self | null>;
  /** Rejects with 401, without a request: statistics are for servers. */
  statsCrossPlatform(): Promise<never>;
  /** Likewise. */
  statsNorthStar(): Promise<never>;
  /** Sends now what waits. */
  flush(): Promise<Report>;
  /** The same for a last time, within `timeoutMs` (5000 unless given). */
  close(options?: { readonly timeoutMs?: number }): Promise<Report>;
}

/** Makes `svc` for a page. Asks nobody before it is called. */
export function createPageSvc(page: Page, script: ScriptElement): PageSvc {
  const target: Target = {
    url: script.dataset['membersUrl'] ?? new URL(script.src).origin,
    fetch: (input, init) => page.fetch(input, init),
    init: { credentials: 'include' },
    // To a page that is not let in, a browser says no more than that nothing came.
    hint: ' Is the origin of this page registered?',
  };
  const outliving: Target = { ...target, init: { ...target.init, keepalive: true } };
  const storage = storageOf(page);
  const queue = createQueue({
    shelf: shelfIn(storage),
    // As many as the service takes of a page, and less than browsers let outlive one.
    batchMax: 20,
    batchBytesMax: 60_000,
    countMax: 100,
    failuresMax: 8,
    // What another member did is not sent in this one's name.
    isReady: ({ body }) => 'svc_uid' in body && body.svc_uid === uid(),
    send: (batch) => sendEvents(outliving, batch),
  });
  let asking: Promise<MeAnswer> | undefined;

  function uid(): string | null {
    try {
      return /(?:^|; ?)svc_uid=([^;]+)/.exec(page.document.cookie)![1]!;
    } catch {
      // There is none, or the page is a frame without an origin, which has no cookies.
      return null;
    }
  }

  /** An answer of the last five seconds, of any tab. */
  function known(): MeAnswer | null {
    const { at = 0, me }: { at?: number; me?: MeAnswer } = read(storage, meKey) ?? {};
    const ageMs = Date.now() - at;
    return me && me.svc_uid === uid() && ageMs >= 0 && ageMs < 5_000 ? me : null;
  }

  async function ask(): Promise<MeAnswer> {
    const found = known();
    if (found) return found;
    const { answer } = await call<MeAnswer>(target, '/auth/me', 'authenticated', {});
    // Otherwise somebody logged in or out in the meantime, here or in another tab.
    if (answer.svc_uid === uid()) {
      try {
        keep(storage, meKey, { at: Date.now(), me: answer });
      } catch {
        // It is shared with nobody then.
      }
    }
    return answer;
  }

  function me(): Promise<MeAnswer> {
    const found = known();
    if (found) return Promise.resolve(found);
    asking ??= alone(ask).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  /** Asked of one tab at a time: the next finds the answer of the one before. */
  function alone<Value>(task: () => Promise<Value>): Promise<Value> {
    const { locks } = page.navigator;
    if (!locks) return task();
    return new Promise((resolve, reject) => {
      const inTurn = async (): Promise<void> => {
        await task().then(resolve, reject);
        // Firefox shows another tab what this one stored a moment later.
        await new Promise((done) => setTimeout(done, 50));
      };
      locks
        .request(meKey, { signal: AbortSignal.timeout(5_000) }, inTurn)
        // The wait ended: another tab hangs on the service.
        .catch((error) => reject(new SvcError(0, 'unreachable', String(error))));
    });
  }

  async function find(body: object): Promise<Self | null> {
    try {
      const { answer } = await call<Found>(target, '/members/lookup', 'member', { body });
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
    // Nobody is signed in, or the service would refuse it.
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
      // Afterwards nothing can be sent in this member's name.
      await queue.flush(1_000);
      const { answer } = await call<LogoutAnswer>(target, '/auth/logout', 'ok', {
        body: { scope },
      });
      delete storage[meKey];
      asking = undefined;
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
    statsCrossPlatform: serverOnly,
    statsNorthStar: serverOnly,
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
/** The service takes 8 KB of `meta`, and no page's event older than this. */
const bodyLengthMax = 9_000;
const ageMsMax = 604_800_000;
const secret = /svck_|api-?key/i;

function serverOnly(): Promise<never> {
  return Promise.reject(
    new SvcError(401, 'browser_call_refused', 'Only the platform’s server can ask this.'),
  );
}

/** Every visitor can read what a page holds: the key is to be revoked, and nothing works until it is gone. */
function refused(svc: PageSvc): PageSvc {
  const text = 'svc: this page shows an API key to everybody. Remove it here and revoke it.';
  // oxlint-disable-next-line no-console -- The console is where a page's developer looks.
  console.error(text);
  const refuse = () => Promise.reject(new SvcError(401, 'browser_call_refused', text));
  const names = Object.keys(svc).map((name) => [name, refuse]);
  return { ...Object.fromEntries(names), uid: () => null } as PageSvc;
}

/** Each event under its own name: tabs that write at one time cannot undo each other's. */
function shelfIn(storage: Record<string, string>): Shelf {
  return {
    list: () =>
      Object.keys(storage)
        .filter((name) => name.startsWith(eventPrefix))
        .map((name) => read(storage, name) as Kept | null)
        .filter((kept) => kept !== null)
        .filter(({ id, at }) => Date.now() - at < ageMsMax || !delete storage[eventPrefix + id])
        .sort((a, b) => a.at - b.at),
    put: (kept) => keep(storage, eventPrefix + kept.id, kept),
    drop: (id) => delete storage[eventPrefix + id],
  };
}

/** An object that `keep` wrote; null for what another script left. */
function read(storage: Record<string, string>, name: string): object | null {
  try {
    return Object(JSON.parse(storage[name]!)) as object;
  } catch {
    delete storage[name];
    return null;
  }
}

/** Throws where the storage is full. */
function keep(storage: Record<string, string>, name: string, value: object): void {
  storage[name] = JSON.stringify(value);
}

/** Where the visitor allows no storage, things last as long as the page. */
function storageOf(page: Page): Record<string, string> {
  try {
    page.localStorage['svc:'] = '';
    delete page.localStorage['svc:'];
    return page.localStorage;
  } catch {
    return {};
  }
}
