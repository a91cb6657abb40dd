import type { passkeyRoutes } from '../../contract/passkeys.ts';
import type { Answer } from '../../contract/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { audit } from '../../members/audit.ts';
import { randomLetters } from '../../members/base32.ts';
import { keyedHash, type MemberContext } from '../../members/context.ts';
import { invalid } from '../../members/problem.ts';
import type { StoredOperator, StoredPasskey } from '../../members/store/operator-entities.ts';
import type { MemberTransaction } from '../../members/store/store.ts';
import { newEpoch } from './change-operators.ts';
import { Challenges, lifeMs, type ChallengePurpose } from './challenges.ts';
import {
  algorithms,
  challengeIn,
  verifyAssertion,
  verifyRegistration,
  type Assertion,
  type Registration,
  type RelyingParty,
} from './webauthn.ts';

/** A browser at the site of the passkeys. */
export interface PasskeySite {
  readonly party: RelyingParty;
  /** Text that only this browser can send: the id of its session, or a cookie while it has no session. */
  readonly browser: string;
}

/** A verified use of a passkey, before `record` stores it. */
interface PasskeyUse {
  readonly passkey: StoredPasskey;
  readonly signCount: number;
  readonly isBackedUp: boolean;
}

/** Passkeys of operators: registering them, verifying their use, changing them. */
export class Passkeys {
  readonly #context: MemberContext;
  readonly #challenges: Challenges;

  constructor(context: MemberContext, now: () => number) {
    this.#context = context;
    this.#challenges = new Challenges(now);
  }

  /** Options to use a passkey: one of `passkeys`, or if the list is empty any that the authenticator has. */
  requestOptions(
    purpose: ChallengePurpose,
    { party, browser }: PasskeySite,
    passkeys: readonly StoredPasskey[] = [],
  ): Answer<typeof passkeyRoutes.passkeyChallenge> {
    return {
      challenge: this.#challenges.issue(purpose, browser),
      rpId: party.id,
      timeout: lifeMs,
      userVerification: 'required',
      allowCredentials: passkeys.map(descriptorOf),
    };
  }

  /** Options to create a passkey; the caller has confirmed that the operator is present. 422 `too_many_passkeys`. */
  async creationOptions(
    operator: string,
    { party, browser }: PasskeySite,
  ): Promise<Answer<typeof passkeyRoutes.offerPasskey>> {
    const { read } = this.#context.store;
    const stored = await read.operators.byName(operator);
    const passkeys = await read.passkeys.of(operator);
    if (passkeys.length >= passkeysMax) throw tooManyPasskeys();
    return {
      challenge: this.#challenges.issue('add', browser),
      rp: { id: party.id, name: 'Maru' },
      user: { id: userHandleOf(this.#context, stored!), name: operator, displayName: operator },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: lifeMs,
      attestation: 'none',
      excludeCredentials: passkeys.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    };
  }

  /** Registers the passkey that an authenticator created with `creationOptions`. */
  async add(
    operator: string,
    { name, credential }: { readonly name: string; readonly credential: Registration },
    { party, browser }: PasskeySite,
  ): Promise<void> {
    const context = this.#context;
    const label = passkeyName(name);
    const challenge = this.#openChallenge(credential, 'add', browser);
    const verified = await verifyRegistration(credential, { party, challenge });
    if (verified === null) throw passkeyRefused('/credential', party);
    if (!this.#challenges.take(challenge, 'add', browser)) throw challengeEnded();
    await context.store.write(async (tx) => {
      const passkeys = await tx.passkeys.of(operator);
      if (passkeys.length >= passkeysMax) throw tooManyPasskeys();
      if ((await tx.passkeys.byCredential(verified.credentialId)) !== null) throw passkeyExists();
      // The operator was removed a moment ago; the session ends with the next request.
      if ((await tx.operators.byName(operator)) === null) return;
      const id = randomLetters(16);
      const createdAt = context.now();
      await tx.passkeys.put({ id, operator, name: label, ...verified, createdAt, usedAt: null });
      await this.#audit(tx, 'passkey_added', operator, id);
    });
  }

  async rename(operator: string, id: string, name: string): Promise<void> {
    const label = passkeyName(name);
    await this.#context.store.write(async (tx) => {
      const passkey = await requirePasskey(tx, operator, id);
      await tx.passkeys.put({ ...passkey, name: label });
      await this.#audit(tx, 'passkey_renamed', operator, id);
    });
  }

  /** Removes a passkey and ends the sessions of its operator, which it may have opened. */
  async remove(operator: string, id: string): Promise<void> {
    await this.#context.store.write(async (tx) => {
      await requirePasskey(tx, operator, id);
      await tx.passkeys.delete(id);
      const stored = await tx.operators.byName(operator);
      if (stored !== null) await tx.operators.put({ ...stored, epoch: newEpoch() });
      await this.#audit(tx, 'passkey_removed', operator, id);
    });
  }

  /** Confirms by a passkey that the operator of a session is present; null if the passkey does not prove it. */
  async confirm(operator: string, assertion: Assertion, site: PasskeySite): Promise<true | null> {
    const use = await this.verify('confirm', assertion, site);
    if (use === null || use.passkey.operator !== operator) return null;
    const isRecorded = await this.#context.store.write((tx) => this.record(tx, use));
    return isRecorded ? true : null;
  }

  /** Verifies a use of a passkey; null for a wrong one. 422 `challenge_ended` if the browser must start again. */
  async verify(
    purpose: ChallengePurpose,
    assertion: Assertion,
    { party, browser }: PasskeySite,
  ): Promise<PasskeyUse | null> {
    const challenge = this.#openChallenge(assertion, purpose, browser);
    const { read } = this.#context.store;
    const passkey = await read.passkeys.byCredential(assertion.id);
    const operator = passkey === null ? null : await read.operators.byName(passkey.operator);
    if (passkey === null || operator === null) return null;
    const { userHandle = null } = assertion.response;
    // Authenticators may omit the handle if the options listed the passkeys.
    const isOwner = userHandle === null || userHandle === userHandleOf(this.#context, operator);
    if (!isOwner || (purpose === 'sign-in' && userHandle === null)) return null;
    const verified = await verifyAssertion(assertion, passkey, { party, challenge });
    if (verified === null) return null;
    if (!this.#challenges.take(challenge, purpose, browser)) throw challengeEnded();
    return { passkey, ...verified };
  }

  /**
   * Stores a use. False if the passkey was removed meanwhile, or if its count did not grow: two authenticators may then
   * have the same key (WebAuthn Level 3, 6.1.1).
   */
  async record(tx: MemberTransaction, use: PasskeyUse): Promise<boolean> {
    const { signCount, isBackedUp } = use;
    const passkey = await tx.passkeys.byCredential(use.passkey.credentialId);
    if (passkey === null) return false;
    const { id, operator } = passkey;
    if (Math.max(signCount, passkey.signCount) > 0 && signCount <= passkey.signCount) {
      await this.#audit(tx, 'passkey_copy_suspected', operator, id);
      return false;
    }
    await tx.passkeys.put({ ...passkey, signCount, isBackedUp, usedAt: this.#context.now() });
    return true;
  }

  /** The challenge of a response; 422 `challenge_ended` unless it is open for the purpose in the browser. */
  #openChallenge(
    { response }: Registration | Assertion,
    purpose: ChallengePurpose,
    browser: string,
  ): string {
    const challenge = challengeIn(response.clientDataJSON);
    if (this.#challenges.isOpen(challenge, purpose, browser)) return challenge;
    throw challengeEnded();
  }

  async #audit(
    tx: MemberTransaction,
    action: string,
    operator: string,
    passkey: string,
  ): Promise<void> {
    const author =
      action === 'passkey_copy_suspected'
        ? { actor: 'system', reason: 'The authenticator has not counted on since its last use.' }
        : { actor: `operator:${operator}`, reason: 'own account' };
    const detail = { passkey };
    await audit(this.#context, tx, author, { action, subject: `operator:${operator}`, detail });
  }
}

/** Problem for a passkey that could not be verified. */
export function passkeyRefused(pointer: string, { origin }: RelyingParty): Problem {
  return invalid(
    'passkey_refused',
    pointer,
    { ko: '패스키를 확인하지 못했습니다.', en: 'The passkey could not be verified.' },
    {
      ko: `${origin} 화면에서, 등록한 패스키로 다시 시도하세요.`,
      en: `Retry on the page at ${origin}, with a registered passkey.`,
    },
  );
}

const passkeysMax = 10;

/**
 * Id of an operator for authenticators, in base64url. It reveals no name; a later operator of the same name has
 * another.
 */
function userHandleOf(
  context: Pick<MemberContext, 'secret'>,
  { name, createdAt }: StoredOperator,
): string {
  return keyedHash(context, 'passkey', `${createdAt}\n${name}`).toString('base64url');
}

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, type: 'public-key' as const, transports };
}

async function requirePasskey(
  tx: MemberTransaction,
  operator: string,
  id: string,
): Promise<StoredPasskey> {
  const passkey = (await tx.passkeys.of(operator)).find((one) => one.id === id);
  if (passkey !== undefined) return passkey;
  throw new Problem('passkey_not_found', {
    ko: '없는 패스키입니다. 내 계정의 패스키 목록을 확인하세요.',
    en: 'There is no such passkey. Check the list in your account.',
  });
}

/** The name that an operator gives a passkey, trimmed; 422 for one that a page could not show. */
function passkeyName(name: string): string {
  const trimmed = name.trim().normalize('NFC');
  if (/^[^\p{C}]{1,40}$/u.test(trimmed)) return trimmed;
  throw invalid(
    'validation_failed',
    '/name',
    { ko: '사용할 수 없는 이름입니다.', en: 'This name cannot be used.' },
    { ko: '40자 이하로 입력하세요.', en: 'Use up to 40 characters.' },
  );
}

function challengeEnded(): Problem {
  return new Problem('challenge_ended', {
    ko: '시간이 지났거나 이미 사용한 요청입니다. 처음부터 다시 시도하세요.',
    en: 'The request is too old or was used before. Start again.',
  });
}

function passkeyExists(): Problem {
  return new Problem('passkey_exists', {
    ko: '이미 등록된 패스키입니다. 다른 기기나 보안 키로 등록하세요.',
    en: 'This passkey is registered already. Use another device or security key.',
  });
}

function tooManyPasskeys(): Problem {
  return new Problem('too_many_passkeys', {
    ko: `패스키는 ${passkeysMax}개까지 등록할 수 있습니다. 쓰지 않는 패스키를 삭제하세요.`,
    en: `There may be ${passkeysMax} passkeys. Remove one that is not used.`,
  });
}
