import type { AdminCall } from '../api/call.ts';
import { form, type FormField } from '../pages/form.ts';
import { passkeyTexts } from '../pages/passkey-button.ts';
import type { View } from '../pages/view.ts';
import { html } from '../../web/html.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';
import { confirm, confirmationFields } from './confirmation.ts';

const passkeyTarget: ActionTarget = {
  name: 'passkey_id',
  label: { ko: '패스키', en: 'Passkey' },
  title: nameOf,
};
const ownPasskeys = {
  returnPath: () => '/account',
  isWithoutReason: true,
  hasPasskeys: true,
} as const;

/** Actions of operators on their own passkeys. */
export const passkeyActions = {
  offerPasskey: {
    ...ownPasskeys,
    async run(call) {
      await confirm(call);
      return call.operators.passkeys.creationOptions(call.operator.name, siteOf(call));
    },
    fields: confirmationFields,
    effect: {
      ko: '이 기기나 보안 키에서 지문, 얼굴 또는 PIN으로 확인하면 암호와 인증 코드 없이 로그인할 수 있습니다.',
      en: 'This device or a security key, opened by fingerprint, face or PIN, signs you in by itself, without passphrase and code.',
    },
    button: { ko: '계속', en: 'Continue' },
    notice: { ko: '새 패스키를 등록하세요.', en: 'Register the new passkey.' },
    resultPage: (view, options) =>
      html`<p>
          ${view.text(
            '이름을 정하고 버튼을 누르면 브라우저가 패스키를 만듭니다.',
            'Choose a name; the button lets the browser make the passkey.',
          )}
        </p>
        ${form({
          action: '/actions/addPasskey',
          button: null,
          fields: [
            nameField(view),
            {
              name: 'credential',
              label: view.text('패스키 만들기', 'Make the passkey'),
              kind: 'passkey',
              passkey: { create: options, ...passkeyTexts(view.language) },
            },
          ],
        })}`,
    auditLabels: {},
  },

  addPasskey: {
    ...ownPasskeys,
    firstPath: '/actions/offerPasskey',
    run: (call) =>
      okAfter(call.operators.passkeys.add(call.operator.name, call.body, siteOf(call))),
    fields: async (view) => [nameField(view), { name: 'credential', label: '', kind: 'passkey' }],
    effect: {
      ko: '이 패스키만으로 로그인할 수 있습니다.',
      en: 'The passkey signs you in by itself.',
    },
    notice: { ko: '패스키를 등록했습니다.', en: 'The passkey was registered.' },
    auditLabels: { passkey_added: { ko: '패스키 등록', en: 'Passkey registered' } },
  },

  renamePasskey: {
    ...ownPasskeys,
    target: passkeyTarget,
    async run(call) {
      await confirm(call);
      const { operators, operator, parameters, body } = call;
      return okAfter(operators.passkeys.rename(operator.name, parameters.passkey_id, body.name));
    },
    async fields(view, input) {
      const name = await nameOf(view, input.get('passkey_id') ?? '');
      return [{ ...nameField(view), values: [name] }, ...(await confirmationFields(view))];
    },
    effect: {
      ko: '목록에 보이는 이름만 바뀝니다. 기기에 저장된 이름은 그대로입니다.',
      en: 'Changes the name in the list only, not the one on the device.',
    },
    notice: { ko: '패스키 이름을 바꿨습니다.', en: 'The passkey was renamed.' },
    auditLabels: { passkey_renamed: { ko: '패스키 이름 변경', en: 'Passkey renamed' } },
  },

  removePasskey: {
    ...ownPasskeys,
    target: passkeyTarget,
    isDangerous: true,
    async run(call) {
      await confirm(call);
      const { operators, operator, parameters } = call;
      return okAfter(operators.passkeys.remove(operator.name, parameters.passkey_id));
    },
    fields: confirmationFields,
    effect: {
      ko: '이 패스키로 더는 로그인할 수 없고, 지금 열린 세션은 모두 끝납니다. 기기에 남은 패스키는 기기의 설정에서 지웁니다.',
      en: 'The passkey no longer signs you in, and sessions that are open now end. Delete it from the device in its own settings.',
    },
    notice: { ko: '패스키를 삭제했습니다.', en: 'The passkey was removed.' },
    auditLabels: { passkey_removed: { ko: '패스키 삭제', en: 'Passkey removed' } },
  },
} as const satisfies Partial<Actions>;

function siteOf({ party, operator }: Pick<AdminCall, 'party' | 'operator'>) {
  return { party, browser: operator.session };
}

function nameField({ text }: View): FormField {
  return {
    name: 'name',
    label: text('이름', 'Name'),
    pattern: '.{1,40}',
    hint: text(
      '알아볼 수 있게 40자 이하로. 예: 회사 노트북',
      'Up to 40 characters, such as: work laptop',
    ),
  };
}

async function nameOf({ context, operator }: View, id: string): Promise<string> {
  const passkeys = await context.store.read.passkeys.of(operator.name);
  return passkeys.find((one) => one.id === id)?.name ?? '–';
}
