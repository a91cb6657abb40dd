import { scopes } from '../../contract/enumerations.ts';
import { issueKey, revokeKey, rotateKey, type IssuedKey } from '../../members/keys.ts';
import { memberLimits } from '../../members/limits.ts';
import { invalid } from '../../members/problem.ts';
import { actingOperator } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import { optionsOf } from '../pages/form.ts';
import { secretPage } from '../pages/secret.ts';
import type { View } from '../pages/view.ts';
import { words } from '../pages/words.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';

const keyTarget: ActionTarget = {
  name: 'kid',
  label: { ko: '키 번호', en: 'Key id' },
  async facts(view, kid) {
    const { text } = view;
    const { items } = await serviceReads.keys({ ...view, parameters: { after: undefined } });
    const key = items.find((one) => one.kid === kid);
    const platform =
      key?.operator_key === true ? text('모든 플랫폼', 'Every platform') : key?.platform;
    return [
      [text('플랫폼', 'Platform'), platform ?? '–'],
      [text('메모', 'Note'), key?.label || '–'],
    ];
  },
};
const returnToKeys = { returnPath: () => '/keys' };

export const keyActions = {
  issueKey: {
    ...returnToKeys,
    async run(call) {
      const { platform, scopes: grantedScopes, label = '' } = call.body;
      if (grantedScopes.length === 0) throw noScopes();
      const request = {
        platform: platform === 'operator' ? null : (platform?.trim() ?? null),
        scopes: grantedScopes,
        label,
      };
      return issuedKeyAnswer(await issueKey(call.context, request, actingOperator(call)));
    },
    async fields(view, input) {
      const { text } = view;
      const { items } = await serviceReads.platforms(view);
      const everyPlatform = {
        value: 'operator',
        label: text('모든 플랫폼 (운영자 키)', 'Every platform (operator key)'),
      };
      return [
        {
          name: 'platform',
          label: text('플랫폼', 'Platform'),
          kind: 'choice',
          values: [input.get('platform') ?? ''],
          options: [
            ...items.map(({ code, name }) => ({ value: code, label: `${code} (${name})` })),
            everyPlatform,
          ],
        },
        {
          name: 'scopes',
          label: text('권한', 'Scopes'),
          kind: 'checks',
          values: ['members:register', 'events:write'],
          options: optionsOf(view, scopes, words.scope),
        },
        {
          name: 'label',
          label: text('메모', 'Note'),
          isOptional: true,
          hint: text('예: 키를 쓸 서버', 'For example the server that will use it'),
        },
      ];
    },
    effect: {
      ko: '키는 다음 화면에 한 번만 나옵니다. 필요한 권한만 주세요.',
      en: 'The key is shown once, on the next page. Grant only the scopes it needs.',
    },
    notice: { ko: '키를 발급했습니다.', en: 'The key was issued.' },
    resultPage: newKeyPage,
    auditLabels: { key_issued: { ko: 'API 키 발급', en: 'API key issued' } },
  },

  rotateKey: {
    ...returnToKeys,
    target: keyTarget,
    async run(call) {
      const hours = overlapHoursOf(call.body.overlap_hours);
      const operator = actingOperator(call);
      const kid = call.parameters.kid;
      return issuedKeyAnswer(await rotateKey(call.context, kid, hours * 3_600_000, operator));
    },
    fields: async ({ text }) => [
      {
        name: 'overlap_hours',
        label: text('기존 키를 더 쓸 수 있는 시간', 'Hours until the old key expires'),
        values: ['24'],
      },
    ],
    effect: {
      ko: '권한이 같은 새 키를 다음 화면에 한 번 보여 줍니다. 기존 키는 정한 시간이 지나면 만료됩니다.',
      en: 'Shows a new key with the same scopes once, on the next page. The old key expires after the given hours.',
    },
    notice: { ko: '키를 교체했습니다.', en: 'The key was rotated.' },
    resultPage: newKeyPage,
    auditLabels: { key_rotated: { ko: 'API 키 교체', en: 'API key rotated' } },
  },

  revokeKey: {
    ...returnToKeys,
    target: keyTarget,
    isDangerous: true,
    run: (call) => okAfter(revokeKey(call.context, call.parameters.kid, actingOperator(call))),
    effect: {
      ko: '다음 요청부터 이 키를 거절합니다. 되돌릴 수 없습니다.',
      en: 'The key is refused from the next request. This cannot be undone.',
    },
    notice: { ko: '키를 폐기했습니다.', en: 'The key was revoked.' },
    auditLabels: { key_revoked: { ko: 'API 키 폐기', en: 'API key revoked' } },
  },

  leakedKey: {
    ...returnToKeys,
    target: keyTarget,
    isDangerous: true,
    run: (call) =>
      okAfter(revokeKey(call.context, call.parameters.kid, actingOperator(call), { leaked: true })),
    effect: {
      ko: '다음 요청부터 이 키를 거절하고, 유출된 키로 기록합니다. 되돌릴 수 없습니다.',
      en: 'The key is refused from the next request and recorded as leaked. This cannot be undone.',
    },
    notice: { ko: '유출된 키를 폐기했습니다.', en: 'The leaked key was revoked.' },
    auditLabels: { key_leaked: { ko: '유출된 API 키 폐기', en: 'Leaked API key revoked' } },
  },
} as const satisfies Partial<Actions>;

function newKeyPage(view: View, { key: secret }: ReturnType<typeof issuedKeyAnswer>) {
  return secretPage(view, view.text('API 키', 'API key'), secret);
}

function issuedKeyAnswer({ secret, key: { kid, scopes: grantedScopes } }: IssuedKey) {
  return { kid, key: secret, scopes: grantedScopes, shown: 'once' as const };
}

function noScopes() {
  return invalid(
    'validation_failed',
    '/scopes',
    { ko: '권한이 없습니다.', en: 'There is no scope.' },
    { ko: `${scopes.join(', ')} 중에서 고르세요.`, en: `Choose from ${scopes.join(', ')}.` },
  );
}

/** Reads the hours until the old key expires: 24 by default. A form sends numbers as text. */
function overlapHoursOf(input: number | string | null | undefined): number {
  if (input === undefined || input === null || input === '') return 24;
  const hours = String(input).trim() === '' ? NaN : Number(input);
  if (hours >= 0 && hours <= overlapHoursMax) return hours;
  throw invalid(
    'validation_failed',
    '/overlap_hours',
    { ko: '시간이 올바르지 않습니다.', en: 'The number of hours is invalid.' },
    {
      ko: `0 이상 ${overlapHoursMax} 이하의 수를 입력하세요.`,
      en: `Give a number from 0 to ${overlapHoursMax}.`,
    },
  );
}

const overlapHoursMax = memberLimits.keyOverlapMsMax / 3_600_000;
