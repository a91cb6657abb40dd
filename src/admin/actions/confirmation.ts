import type { AdminCall } from '../api/call.ts';
import type { FormField } from '../pages/form.ts';
import { passkeyTexts } from '../pages/passkey-button.ts';
import type { View } from '../pages/view.ts';

/** Requires the passphrase or a passkey of the operator again, from the fields of `confirmationFields`. */
export async function confirm({
  operators,
  operator,
  party,
  body,
}: Pick<AdminCall, 'operators' | 'operator' | 'party'> & {
  readonly body: Parameters<AdminCall['operators']['confirm']>[1];
}): Promise<void> {
  await operators.confirm(operator, body, party);
}

/** Fields for the passphrase and, if the operator has one, a passkey instead. */
export async function confirmationFields(view: View): Promise<readonly FormField[]> {
  const { text } = view;
  const passphrase: FormField = {
    name: 'current_passphrase',
    label: text('현재 암호', 'Current passphrase'),
    kind: 'password',
    autocomplete: 'current-password',
  };
  const passkeys = await view.context.store.read.passkeys.of(view.operator.name);
  if (passkeys.length === 0 || !view.isAtParty) return [passphrase];
  return [
    passphrase,
    {
      name: 'passkey',
      label: text('암호 대신 패스키로 확인', 'Use a passkey instead'),
      kind: 'passkey',
      passkey: { get: '/api/account/passkeys/challenge', ...passkeyTexts(view.language) },
    },
  ];
}
