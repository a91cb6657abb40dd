import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { SvcOptions } from '../sdk/src/svc.ts';
import type { Visitor } from '../sdk/src/visitor.ts';

/** What each of these platforms is started with. */
export interface PlatformOptions extends Pick<
  SvcOptions,
  'membersUrl' | 'apiKey' | 'onWarning' | 'outbox'
> {
  /** Its code at the members service. */
  readonly platform: string;
  /** Where browsers load the client script. */
  readonly scriptUrl: string;
}

/** A user of the platform, who exists whether or not the members service does. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** Null until the registration was made, at once or late. */
  svcUid: string | null;
}

interface Session {
  readonly account: Account;
  /** Whether it began with the session of all platforms, and so ends with it. */
  readonly shared: boolean;
}

/** The users of a platform, in memory. */
export class Accounts {
  readonly #byEmail = new Map<string, Account & { readonly password: Buffer }>();
  readonly #byId = new Map<string, Account>();
  readonly #sessions = new Map<string, Session>();

  /** Null where the address is taken. */
  signUp(email: string, password: string): Account | null {
    if (email === '' || password === '' || this.#byEmail.has(email)) return null;
    const id = `u-${randomBytes(8).toString('hex')}`;
    const account = { id, email, svcUid: null, password: hashed(password, email) };
    this.#byEmail.set(email, account);
    this.#byId.set(id, account);
    return account;
  }

  logIn(email: string, password: string): Account | null {
    const account = this.#byEmail.get(email);
    if (account === undefined) return null;
    return timingSafeEqual(account.password, hashed(password, email)) ? account : null;
  }

  setSvcUid(id: string | number, svcUid: string): void {
    const account = this.#byId.get(String(id));
    if (account !== undefined) account.svcUid = svcUid;
  }

  /** The value of the platform's own session cookie. */
  startSession(account: Account, shared: boolean): string {
    const id = randomBytes(16).toString('hex');
    this.#sessions.set(id, { account, shared });
    return id;
  }

  endSession(cookie: string | null | undefined): void {
    this.#sessions.delete(ownSession(cookie));
  }

  /** Who sends a request: whom the session of all platforms names, else whom the platform's own does. */
  async whoIs(cookie: string | null | undefined, visitor: Visitor): Promise<Account | null> {
    const own = this.#sessions.get(ownSession(cookie));
    // A members service that cannot be reached logs nobody out.
    const verdict = await visitor.verify().catch(() => null);
    if (verdict === null) return own?.account ?? null;
    if (verdict.sign_in_allowed) {
      return this.#byId.get(verdict.membership?.local_user_id ?? '') ?? null;
    }
    return own === undefined || own.shared ? null : own.account;
  }
}

/** `Set-Cookie` of the platform's own session. */
export function sessionCookie(id: string): string {
  return `session=${id}; Path=/; HttpOnly; SameSite=Lax`;
}

function ownSession(cookie: string | null | undefined): string {
  return /(?:^|; )session=(\w+)/.exec(cookie ?? '')?.[1] ?? '';
}

function hashed(password: string, email: string): Buffer {
  // The least that Node takes: this is an example, and a test that signs hundreds up.
  return scryptSync(password, email, 32, { N: 2 });
}
