import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { SvcOptions } from '../sdk/src/svc.ts';
import type { Visitor } from '../sdk/src/visitor.ts';

/** Options of each example platform. */
export interface PlatformOptions extends Pick<
  SvcOptions,
  'membersUrl' | 'apiKey' | 'onWarning' | 'outbox'
> {
  /** Code of the platform at the members service. */
  readonly platform: string;
  /** URL of the client script. */
  readonly scriptUrl: string;
}

/** A user of the platform, independent of the members service. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** Null until the user is registered, at once or later. */
  svcUid: string | null;
}

interface Session {
  readonly account: Account;
  /** True if it began with a single sign-on session, with which it also ends. */
  readonly isShared: boolean;
}

/** The users of a platform, in memory. */
export class Accounts {
  readonly #byEmail = new Map<string, Account & { readonly password: Buffer }>();
  readonly #byId = new Map<string, Account>();
  readonly #sessions = new Map<string, Session>();

  /** Creates an account; null if the address has one. */
  signUp(email: string, password: string): Account | null {
    if (email === '' || password === '' || this.#byEmail.has(email)) return null;
    const id = `u-${randomBytes(8).toString('hex')}`;
    const account = { id, email, svcUid: null, password: passwordHash(password, email) };
    this.#byEmail.set(email, account);
    this.#byId.set(id, account);
    return account;
  }

  logIn(email: string, password: string): Account | null {
    const account = this.#byEmail.get(email);
    if (account === undefined) return null;
    return timingSafeEqual(account.password, passwordHash(password, email)) ? account : null;
  }

  setSvcUid(id: string | number, svcUid: string): void {
    const account = this.#byId.get(String(id));
    if (account !== undefined) account.svcUid = svcUid;
  }

  /** Returns the value of the platform's own session cookie. */
  startSession(account: Account, isShared: boolean): string {
    const id = randomBytes(16).toString('hex');
    this.#sessions.set(id, { account, isShared });
    return id;
  }

  endSession(cookie: string | null | undefined): void {
    this.#sessions.delete(sessionIdOf(cookie));
  }

  /**
   * The account of a request, by its single sign-on session or else by the platform's own session. One that is not shared
   * counts alone: the cookie may be an earlier person's.
   */
  async accountOf(cookie: string | null | undefined, visitor: Visitor): Promise<Account | null> {
    const ownSession = this.#sessions.get(sessionIdOf(cookie));
    if (ownSession?.isShared === false) return ownSession.account;
    // An unreachable members service ends no session.
    const verdict = await visitor.verify().catch(() => null);
    if (verdict === null) return ownSession?.account ?? null;
    if (verdict.sign_in_allowed) {
      return this.#byId.get(verdict.membership?.local_user_id ?? '') ?? null;
    }
    // It must not count again while the service is unreachable.
    this.endSession(cookie);
    return null;
  }
}

/** `Set-Cookie` of the platform's own session. */
export function sessionCookie(id: string): string {
  return `session=${id}; Path=/; HttpOnly; SameSite=Lax`;
}

function sessionIdOf(cookie: string | null | undefined): string {
  return /(?:^|; )session=(\w+)/.exec(cookie ?? '')?.[1] ?? '';
}

function passwordHash(password: string, email: string): Buffer {
  // The lowest cost of Node, because a test signs up hundreds of users. A platform needs a higher one.
  return scryptSync(password, email, 32, { N: 2 });
}
