import { timingSafeEqual } from 'node:crypto';
import type { Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';
import { isCheckedSecret, newCheckedSecret, secretHash } from '../../members/checked-secret.ts';
import type { MemberContext } from '../../members/context.ts';
import type { StoredOperator } from '../../members/store/operator-entities.ts';
import type { OperatorSessions } from '../../members/store/operator-sessions.ts';
import type { MemberTransaction } from '../../members/store/store.ts';
import type { OperatorRole } from '../../contract/enumerations.ts';
import { logAccess, logAccessIn } from './access-log.ts';
import { Attempts, type Source } from './attempts.ts';
import { newEpoch, newOperator, requireName } from './change-operators.ts';
import { knownDevice, newDevice, type Device } from './device.ts';
import { FirstToken } from './first-token.ts';
import { importOperators } from './import-operators.ts';
import { MemorySessions } from './memory-sessions.ts';
import { Passphrases } from './passphrases.ts';
import { passkeyRefused, Passkeys, type PasskeySite } from './passkeys.ts';
import { acceptedStep, totpSecret } from './totp.ts';
import type { Assertion, RelyingParty } from './webauthn.ts';

/** The place that a sign-in comes from. */
export interface SignInPlace {
  readonly address: string;
  /** Device cookie of a browser that has signed in before. */
  readonly deviceToken?: string | undefined;
}

interface Credentials {
  readonly name: string;
  readonly passphrase: string;
  /** Code of the second factor. */
  readonly code?: string | undefined;
}

export interface SignedInOperator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly device: string;
  /** Hash of the session's token. */
  readonly session: string;
}

/** Proof that the operator of a session is present: the passphrase, or the response of a passkey. */
interface Confirmation {
  readonly current_passphrase?: string | undefined;
  readonly passkey?: Assertion | undefined;
}

interface OperatorsOptions {
  /** A monotonic clock, because setting the system clock back must not extend a session. */
  readonly now?: () => number;
  readonly passphrases?: Passphrases;
}

/** The cookies of a new session and of the browser that it was opened in. */
export interface OpenedSession {
  readonly token: string;
  readonly deviceToken: string;
}

/**
 * Sign-in of operators, and their sessions. Operators are in the store; sessions are there if several machines use it,
 * and else in memory. A session ends when its operator is changed or removed, in whichever process.
 */
export class Operators {
  readonly #context: MemberContext;
  readonly #firstToken: FirstToken;
  readonly #attempts: Attempts;
  readonly #sessions: OperatorSessions;
  readonly passkeys: Passkeys;
  readonly passphrases: Passphrases;

  private constructor(
    context: MemberContext,
    folder: string,
    { now = () => performance.now(), passphrases = new Passphrases() }: OperatorsOptions,
  ) {
    this.#context = context;
    this.#firstToken = new FirstToken(folder, context.now);
    this.#attempts = new Attempts(now);
    this.passkeys = new Passkeys(context, now);
    this.#sessions = context.store.operatorSessions ?? new MemorySessions(now);
    this.passphrases = passphrases;
  }

  /** Opens the operators of the store, after importing those of an earlier release from `folder`. */
  static async open(
    context: MemberContext,
    folder: string,
    options: OperatorsOptions = {},
  ): Promise<Operators> {
    await importOperators(context, folder);
    const operators = new Operators(context, folder, options);
    // A killed process or the command line may have added the first operator without removing the token's file.
    if ((await operators.firstTokenPath()) === null) operators.#firstToken.remove();
    return operators;
  }

  /** Path of the file with the token for the first operator; null once there is an operator. */
  async firstTokenPath(): Promise<string | null> {
    if ((await this.#context.store.read.operators.all()).length > 0) return null;
    this.#firstToken.open();
    return this.#firstToken.path;
  }

  async signIn(credentials: Credentials, place: SignInPlace): Promise<OpenedSession> {
    return this.#attempt(credentials.name, place, () => this.#signIn(credentials, place));
  }

  /** Signs in with a passkey alone. A passkey verifies its user, so it counts as two factors. */
  async signInWithPasskey(
    assertion: Assertion,
    site: PasskeySite,
    place: SignInPlace,
  ): Promise<OpenedSession> {
    const passkey = await this.#context.store.read.passkeys.byCredential(assertion.id);
    const attempt = () => this.#signInWithPasskey(assertion, site, place);
    const refusal = () => passkeyRefused('/passkey', site.party);
    return this.#attempt(passkey?.operator ?? '', place, attempt, refusal);
  }

  /** Sets the passphrase of an invited operator, or creates the first one. The token works once. */
  async join(token: string, credentials: Credentials, place: SignInPlace): Promise<OpenedSession> {
    return this.#attempt(credentials.name, place, () => this.#join(token, credentials, place));
  }

  /** Requires the passphrase or a passkey of a signed-in operator again: 422 for a wrong one. */
  async confirm(
    { name, device, session }: SignedInOperator,
    { current_passphrase: passphrase = '', passkey }: Confirmation,
    party: RelyingParty,
  ): Promise<void> {
    const source = { key: `device ${device}`, isKnown: true };
    if (passkey !== undefined) {
      const attempt = () => this.passkeys.confirm(name, passkey, { party, browser: session });
      await this.#attempts.run(source, attempt, () => passkeyRefused('/passkey', party));
      return;
    }
    const attempt = async () => {
      const operator = await this.#context.store.read.operators.byName(name);
      const stored = operator?.passphrase ?? null;
      return (await this.passphrases.isRight(passphrase, stored)) ? true : null;
    };
    await this.#attempts.run(source, attempt, wrongPassphrase);
  }

  /**
   * The operator of a session; null without one. A session ends after eight hours, or after thirty minutes
   * without a request; requests with `isWatching`, which a page sends to update itself, do not count.
   */
  async signedIn(
    token: string | undefined,
    { isWatching = false }: { readonly isWatching?: boolean } = {},
  ): Promise<SignedInOperator | null> {
    if (token === undefined || !isCheckedSecret(token, 'svco_')) return null;
    const id = secretHash(token).toString('hex');
    const session = await this.#sessions.live(id, { isWatching });
    if (session === null) return null;
    const { name, epoch, device } = session;
    const operator = await this.#context.store.read.operators.byName(name);
    if (operator?.epoch !== epoch) {
      await this.#sessions.delete(id);
      return null;
    }
    return { name, role: operator.role, device, session: id };
  }

  async signOut(token: string, { address }: SignInPlace): Promise<void> {
    const operator = await this.signedIn(token);
    if (operator === null) return;
    await this.#sessions.delete(operator.session);
    const { name, device } = operator;
    await logAccess(this.#context, { operator: name, address, device }, 'sign_out');
  }

  /** Runs an attempt to sign in and logs a failed one. */
  async #attempt(
    name: string,
    place: SignInPlace,
    attempt: () => Promise<OpenedSession | null>,
    refusal?: () => Problem,
  ): Promise<OpenedSession> {
    const loggedAttempt = async () => {
      const opened = await attempt();
      if (opened !== null) return opened;
      const isKnown = (await this.#context.store.read.operators.byName(name)) !== null;
      const device = knownDevice(this.#context, name, place.deviceToken)?.id ?? '';
      // An unknown name is left out: it may be a passphrase typed into the wrong field.
      const origin = { operator: isKnown ? name : '', address: place.address, device };
      await logAccess(this.#context, origin, 'sign_in_failed');
      return null;
    };
    return this.#attempts.run(this.#sourceOf(name, place), loggedAttempt, refusal);
  }

  #sourceOf(name: string, { address, deviceToken }: SignInPlace): Source {
    const device = knownDevice(this.#context, name, deviceToken);
    return device === null
      ? { key: `address ${address}`, isKnown: false }
      : { key: `device ${device.id}`, isKnown: true };
  }

  async #signIn(
    { name, passphrase, code }: Credentials,
    place: SignInPlace,
  ): Promise<OpenedSession | null> {
    const operator = await this.#context.store.read.operators.byName(name);
    const stored = operator?.passphrase ?? null;
    const isRight = await this.passphrases.isRight(passphrase, stored);
    if (!isRight || operator === null) return null;
    return this.#open(place, async (tx) => {
      const current = await tx.operators.byName(name);
      // The attempt fails if the operator was changed meanwhile.
      if (current?.epoch !== operator.epoch) return null;
      const proven = this.#withCode(current, code);
      if (proven !== null && proven !== current) await tx.operators.put(proven);
      return proven;
    });
  }

  async #signInWithPasskey(
    assertion: Assertion,
    site: PasskeySite,
    place: SignInPlace,
  ): Promise<OpenedSession | null> {
    const use = await this.passkeys.verify('sign-in', assertion, site);
    if (use === null) return null;
    return this.#open(place, async (tx) => {
      const operator = await tx.operators.byName(use.passkey.operator);
      // After a reset, the operator must first choose a passphrase.
      if (operator === null || operator.passphrase === null) return null;
      return (await this.passkeys.record(tx, use)) ? operator : null;
    });
  }

  async #join(
    token: string,
    { name, passphrase, code }: Credentials,
    place: SignInPlace,
  ): Promise<OpenedSession | null> {
    const isFirst = (await this.firstTokenPath()) !== null;
    const invited = isFirst ? null : await this.#context.store.read.operators.byName(name);
    if (isFirst ? !isEqualSecret(token, this.#firstToken.open()) : !this.#isInvited(invited, token))
      return null;
    requireName(name);
    const stored = await this.passphrases.storedForm(passphrase);
    const opened = await this.#open(place, async (tx) => {
      const operators = await tx.operators.all();
      const current = isFirst
        ? newOperator(this.#context, name, 'owner')
        : (operators.find((one) => one.name === name) ?? null);
      // Another attempt may have used the token meanwhile.
      if (isFirst ? operators.length > 0 : !this.#isInvited(current, token)) return null;
      const proven = this.#withCode(current!, code);
      if (proven === null) return null;
      const epoch = newEpoch();
      const joined = {
        ...proven,
        passphrase: stored,
        invitation: null,
        invitationEndsAt: null,
        epoch,
      };
      await tx.operators.put(joined);
      return joined;
    });
    if (opened !== null && isFirst) this.#firstToken.remove();
    return opened;
  }

  #isInvited(operator: StoredOperator | null, token: string): boolean {
    if (operator === null || operator.invitation === null) return false;
    if ((operator.invitationEndsAt ?? 0) <= this.#context.now()) return false;
    return timingSafeEqual(secretHash(token), operator.invitation);
  }

  /** The operator with the code of the second factor recorded as used; null for a wrong code. */
  #withCode(operator: StoredOperator, code: string | undefined): StoredOperator | null {
    const { name, totpSeed, totpStep: lastStep } = operator;
    if (totpSeed === null) return operator;
    const secret = totpSecret(this.#context, name, totpSeed);
    const step = acceptedStep(secret, code ?? '', { now: this.#context.now(), lastStep });
    return step === null ? null : { ...operator, totpStep: step };
  }

  /** Opens a session for the operator that `prove` returns, and logs it, in one transaction. */
  async #open(
    { address, deviceToken }: SignInPlace,
    prove: (tx: MemberTransaction) => Promise<StoredOperator | null>,
  ): Promise<OpenedSession | null> {
    const context = this.#context;
    const proven = await context.store.write(async (tx) => {
      const operator = await prove(tx);
      if (operator === null) return null;
      const { name } = operator;
      const device = knownDevice(context, name, deviceToken) ?? newDevice(context, name);
      await logAccessIn(context, tx, { operator: name, address, device: device.id }, 'sign_in');
      return { operator, device };
    });
    return proven === null ? null : this.#startSession(proven.operator, proven.device);
  }

  async #startSession({ name, epoch }: StoredOperator, device: Device): Promise<OpenedSession> {
    const token = newCheckedSecret('svco_');
    const session = { name, epoch, device: device.id };
    await this.#sessions.insert(secretHash(token).toString('hex'), session);
    return { token, deviceToken: device.token };
  }
}

function wrongPassphrase(): Problem {
  return invalid(
    'validation_failed',
    '/current_passphrase',
    { ko: '현재 암호가 맞지 않습니다.', en: 'The current passphrase is wrong.' },
    { ko: '로그인할 때 쓰는 암호를 입력하세요.', en: 'Type the passphrase that you sign in with.' },
  );
}

function isEqualSecret(secret: string, expected: string): boolean {
  return timingSafeEqual(secretHash(secret), secretHash(expected));
}
