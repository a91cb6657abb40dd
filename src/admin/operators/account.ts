import { audit } from '../../members/audit.ts';
import type { MemberContext } from '../../members/context.ts';
import { invalid } from '../../members/problem.ts';
import type { StoredOperator } from '../../members/store/operator-entities.ts';
import { newEpoch } from './change-operators.ts';
import type { Passphrases } from './passphrases.ts';
import { acceptedStep, isTotpSeed, newTotpSeed, totpEnrolment, totpSecret } from './totp.ts';

/** Changes the operator's own passphrase and ends their sessions. The caller has confirmed the current one. */
export async function changePassphrase(
  context: MemberContext,
  passphrases: Passphrases,
  name: string,
  passphrase: string,
): Promise<void> {
  const stored = await passphrases.storedForm(passphrase);
  await changeOwnAccount(context, name, 'passphrase_changed', { passphrase: stored });
}

/**
 * Offers a secret for an authenticator app: a new one, or the secret of an earlier seed. Nothing is stored, since
 * `enableTotp` derives the secret from the seed again.
 */
export function offerTotp(
  context: MemberContext,
  name: string,
  previousSeed: string | null = null,
) {
  const seed = previousSeed !== null && isTotpSeed(previousSeed) ? previousSeed : newTotpSeed();
  return { seed, ...totpEnrolment(name, totpSecret(context, name, seed)) };
}

/** Makes the offered secret the second factor, after a code has proven that the app has it. Ends the sessions. */
export async function enableTotp(
  context: MemberContext,
  name: string,
  { seed, code }: { readonly seed: string; readonly code: string },
): Promise<void> {
  const secret = isTotpSeed(seed) ? totpSecret(context, name, seed) : null;
  const time = { now: context.now(), lastStep: 0 };
  const step = secret === null ? null : acceptedStep(secret, code, time);
  if (step === null) throw wrongCode();
  await changeOwnAccount(context, name, 'totp_enabled', { totpSeed: seed, totpStep: step });
}

export async function disableTotp(context: MemberContext, name: string): Promise<void> {
  await changeOwnAccount(context, name, 'totp_disabled', { totpSeed: null });
}

async function changeOwnAccount(
  context: MemberContext,
  name: string,
  action: string,
  change: Partial<StoredOperator>,
): Promise<void> {
  await context.store.write(async (tx) => {
    const operator = await tx.operators.byName(name);
    // The operator was removed a moment ago; the session ends with the next request.
    if (operator === null) return;
    await tx.operators.put({ ...operator, ...change, epoch: newEpoch() });
    const author = { actor: `operator:${name}`, reason: 'own account' };
    await audit(context, tx, author, { action, subject: `operator:${name}` });
  });
}

function wrongCode() {
  return invalid(
    'validation_failed',
    '/code',
    { ko: '인증 코드가 맞지 않습니다.', en: 'The code is wrong.' },
    {
      ko: '앱에 지금 보이는 여섯 자리를 입력하세요. 계속 틀리면 기기의 시계를 확인하세요.',
      en: 'Type the six digits that the app shows now. If they stay wrong, check the device’s clock.',
    },
  );
}
