import { operatorRoles } from '../../contract/enumerations.ts';
import { instantText } from '../../members/instant.ts';
import { actingOperator } from '../api/call.ts';
import {
  addOperator,
  changeOperator,
  removeOperator,
  type Invitation,
} from '../operators/change-operators.ts';
import { optionsOf } from '../pages/form.ts';
import { secretPage } from '../pages/secret.ts';
import { facts, moment } from '../pages/table.ts';
import type { View } from '../pages/view.ts';
import { wordOf } from '../pages/view.ts';
import { words } from '../pages/words.ts';
import { html } from '../../web/html.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';

const operatorTarget: ActionTarget = {
  name: 'name',
  label: { ko: '운영자', en: 'Operator' },
  pattern: /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u,
  async facts(view, name) {
    const operator = await view.context.store.read.operators.byName(name);
    return [[view.text('역할', 'Role'), wordOf(view, words.role, operator?.role ?? '–')]];
  },
};
const returnToOperators = { returnPath: () => '/operators' };

export const operatorActions = {
  addOperator: {
    ...returnToOperators,
    async run(call) {
      const { name, role } = call.body;
      const added = { name: name.trim(), role };
      return invitationAnswer(await addOperator(call.context, added, actingOperator(call)));
    },
    fields: async (view) => [
      { name: 'name', label: view.text('이름', 'Name') },
      {
        name: 'role',
        label: view.text('역할', 'Role'),
        kind: 'choice',
        options: optionsOf(view, operatorRoles, words.role),
        hint: view.text(
          'view는 조회만, support는 회원과 플랫폼 관리까지, privacy는 이메일 보기·내보내기·삭제까지, owner는 전부 할 수 있습니다.',
          'view reads; support also manages members and platforms; privacy also reveals, exports and erases; owner does everything.',
        ),
      },
    ],
    effect: {
      ko: '일회용 토큰을 다음 화면에 한 번 보여 줍니다. 새 운영자는 24시간 안에 그 토큰으로 암호를 정합니다.',
      en: 'Shows a one-time token once, on the next page. With it the new operator chooses a passphrase within 24 hours.',
    },
    notice: { ko: '운영자를 추가했습니다.', en: 'The operator was added.' },
    resultPage: invitationPage,
    auditLabels: { operator_added: { ko: '운영자 추가', en: 'Operator added' } },
  },

  changeOperator: {
    ...returnToOperators,
    target: operatorTarget,
    async run(call) {
      const { role, passphrase, second_factor: secondFactor, passkeys } = call.body;
      const change = {
        role,
        isPassphraseReset: passphrase === 'reset',
        isSecondFactorRemoved: secondFactor === 'remove',
        arePasskeysRemoved: passkeys === 'remove',
      };
      const { name } = call.parameters;
      const invitation = await changeOperator(call.context, name, change, actingOperator(call));
      return {
        ok: true as const,
        invitation: invitation === null ? null : invitationAnswer(invitation),
      };
    },
    async fields(view, input) {
      const { text } = view;
      const name = input.get('name') ?? '';
      const operator = await view.context.store.read.operators.byName(name);
      return [
        {
          name: 'role',
          label: text('역할', 'Role'),
          kind: 'choice',
          values: [operator?.role ?? 'view'],
          options: optionsOf(view, operatorRoles, words.role),
        },
        {
          name: 'passphrase',
          label: text('암호', 'Passphrase'),
          kind: 'choice',
          options: [
            { value: 'keep', label: text('그대로', 'Keep') },
            { value: 'reset', label: text('초기화하고 토큰 발급', 'Reset, with a one-time token') },
          ],
        },
        {
          name: 'second_factor',
          label: text('인증 앱', 'Authenticator app'),
          kind: 'choice',
          options: [
            { value: 'keep', label: text('그대로', 'Keep') },
            { value: 'remove', label: text('해제', 'Remove') },
          ],
        },
        {
          name: 'passkeys',
          label: text('패스키', 'Passkeys'),
          kind: 'choice',
          options: [
            { value: 'keep', label: text('그대로', 'Keep') },
            { value: 'remove', label: text('모두 삭제', 'Remove all') },
          ],
        },
      ];
    },
    effect: {
      ko: '이 운영자의 세션이 바로 끝납니다. 다시 로그인하면 새 설정이 적용됩니다.',
      en: 'Ends this operator’s sessions at once. The new settings apply from the next sign-in.',
    },
    notice: { ko: '운영자를 변경했습니다.', en: 'The operator was changed.' },
    resultPage: (view, { invitation }) =>
      invitation === null
        ? html`<p class="notice" role="status">
            ${view.text('운영자를 변경했습니다.', 'The operator was changed.')}
          </p>`
        : invitationPage(view, invitation),
    auditLabels: { operator_changed: { ko: '운영자 변경', en: 'Operator changed' } },
  },

  removeOperator: {
    ...returnToOperators,
    target: operatorTarget,
    isDangerous: true,
    run: (call) =>
      okAfter(removeOperator(call.context, call.parameters.name, actingOperator(call))),
    effect: {
      ko: '이 운영자의 세션이 바로 끝나고 다시 로그인할 수 없습니다. 남긴 기록은 그대로 있습니다.',
      en: 'Ends this operator’s sessions at once, and they cannot sign in again. What they did stays in the logs.',
    },
    notice: { ko: '운영자를 삭제했습니다.', en: 'The operator was removed.' },
    auditLabels: { operator_removed: { ko: '운영자 삭제', en: 'Operator removed' } },
  },
} as const satisfies Partial<Actions>;

function invitationAnswer({ name, token, endsAt }: Invitation) {
  return { name, token, ends_at: instantText(endsAt), shown: 'once' as const };
}

function invitationPage(view: View, invitation: ReturnType<typeof invitationAnswer>) {
  const { text } = view;
  return html`${secretPage(view, text('일회용 토큰', 'One-time token'), invitation.token)}
  ${facts([
    [text('운영자', 'Operator'), invitation.name],
    [text('만료', 'Ends'), moment(invitation.ends_at)],
    [text('입력하는 곳', 'Where to use it'), '/join'],
  ])}`;
}
