import { html } from '../../web/html.ts';
import { changePassphrase, disableTotp, enableTotp, offerTotp } from '../operators/account.ts';
import { hiddenField } from '../pages/form.ts';
import { qrCode } from '../pages/qr-code.ts';
import { okAfter, type Actions } from './action.ts';
import { confirm, confirmationFields } from './confirmation.ts';

/** Actions of operators on their own accounts. They need the current passphrase or a passkey instead of a reason. */
const ownAccount = { returnPath: () => '/account', isWithoutReason: true, hasPasskeys: true };

export const accountActions = {
  changePassphrase: {
    ...ownAccount,
    async run(call) {
      const { passphrase } = call.body;
      await confirm(call);
      const { context, operators, operator } = call;
      return okAfter(changePassphrase(context, operators.passphrases, operator.name, passphrase));
    },
    fields: async (view) => [
      ...(await confirmationFields(view)),
      {
        name: 'passphrase',
        label: view.text('새 암호', 'New passphrase'),
        kind: 'password',
        autocomplete: 'new-password',
        hint: view.text('12자 이상', '12 characters or more'),
      },
    ],
    effect: {
      ko: '모든 브라우저에서 로그아웃되고, 새 암호로 다시 로그인합니다.',
      en: 'Signs you out of every browser. Sign in again with the new passphrase.',
    },
    notice: { ko: '암호를 변경했습니다.', en: 'The passphrase was changed.' },
    auditLabels: { passphrase_changed: { ko: '암호 변경', en: 'Passphrase changed' } },
  },

  enableTotp: {
    ...ownAccount,
    async run(call) {
      const { seed, code } = call.body;
      await confirm(call);
      return okAfter(enableTotp(call.context, call.operator.name, { seed, code }));
    },
    async fields(view, input) {
      const { text } = view;
      const offer = offerTotp(view.context, view.operator.name, input.get('seed'));
      return [
        hiddenField('seed', offer.seed),
        {
          name: 'code',
          figure: html`<span class="scan"
            >${qrCode(offer.uri, text('인증 앱으로 스캔할 QR 코드', 'QR code for the app'))}
            <span class="note"
              >${text(
                '인증 앱으로 QR 코드를 스캔하거나 이 키를 입력하세요:',
                'Scan the code with the app, or type this key into it:',
              )} <code>${grouped(offer.secret)}</code></span
            ></span
          >`,
          label: text('앱에 보이는 여섯 자리 코드', 'The six digits that the app shows'),
          pattern: '\\s*\\d{3}\\s*\\d{3}\\s*',
          autocomplete: 'one-time-code',
        },
        ...(await confirmationFields(view)),
      ];
    },
    effect: {
      ko: '로그인할 때마다 인증 앱의 코드도 입력합니다. 지금 열린 세션은 모두 끝납니다.',
      en: 'Each sign-in also needs a code of the app. Sessions that are open now end.',
    },
    notice: { ko: '인증 앱을 등록했습니다.', en: 'The authenticator app was set up.' },
    auditLabels: { totp_enabled: { ko: '인증 앱 등록', en: 'Authenticator app set up' } },
  },

  disableTotp: {
    ...ownAccount,
    isDangerous: true,
    async run(call) {
      await confirm(call);
      return okAfter(disableTotp(call.context, call.operator.name));
    },
    fields: confirmationFields,
    effect: {
      ko: '암호만으로 로그인하게 됩니다. 지금 열린 세션은 모두 끝납니다.',
      en: 'The passphrase alone signs you in. Sessions that are open now end.',
    },
    notice: { ko: '인증 앱을 해제했습니다.', en: 'The authenticator app was removed.' },
    auditLabels: { totp_disabled: { ko: '인증 앱 해제', en: 'Authenticator app removed' } },
  },
} as const satisfies Partial<Actions>;

/** `ABCD EFGH …`, as authenticator apps show a key. */
function grouped(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}
