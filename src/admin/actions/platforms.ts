import type { adminContract } from '../../contract/admin.ts';
import { capabilities } from '../../contract/enumerations.ts';
import { readPlatformDeclaration } from '../../members/platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from '../../members/platforms.ts';
import { actingOperator, type AdminCall } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import { hiddenField, optionsOf, type FormField } from '../pages/form.ts';
import type { View } from '../pages/view.ts';
import { words } from '../pages/words.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';

const platformTarget: ActionTarget = { name: 'code', label: { ko: '플랫폼', en: 'Platform' } };
const returnToPlatforms = { returnPath: () => '/platforms' };

export const platformActions = {
  declarePlatform: {
    ...returnToPlatforms,
    async run(call) {
      const operator = actingOperator(call);
      const { reason: _reason, ...fields } = call.body;
      const declaration = readPlatformDeclaration(fields);
      await declarePlatforms(call.context, [declaration], operator);
      const { code } = declaration;
      return { ok: true, platform: await call.context.platforms.byCode(code) };
    },
    fields: declarationFields,
    button: { ko: '저장', en: 'Save' },
    effect: {
      ko: '저장하면 다음 요청부터 적용됩니다. 이미 있는 코드를 입력하면 그 플랫폼이 변경됩니다.',
      en: 'Applies from the next request. An existing code changes that platform.',
    },
    notice: { ko: '플랫폼을 저장했습니다.', en: 'The platform was saved.' },
    auditLabels: {
      platform_added: { ko: '플랫폼 추가', en: 'Platform added' },
      platform_changed: { ko: '플랫폼 변경', en: 'Platform changed' },
    },
  },

  disablePlatform: {
    ...returnToPlatforms,
    target: platformTarget,
    isDangerous: true,
    run: (call) => switchPlatform(call, true),
    effect: {
      ko: '다음 요청부터 이 플랫폼의 키와 페이지를 거절합니다. 가입과 이벤트를 받지 않고, 이 플랫폼이 발급한 세션이 끝납니다.',
      en: 'Refuses the platform’s keys and pages from the next request: no registrations and no events. The sessions that it issued end.',
    },
    notice: { ko: '플랫폼을 중지했습니다.', en: 'The platform was disabled.' },
    auditLabels: { platform_disabled: { ko: '플랫폼 중지', en: 'Platform disabled' } },
  },

  enablePlatform: {
    ...returnToPlatforms,
    target: platformTarget,
    run: (call) => switchPlatform(call, false),
    effect: {
      ko: '다음 요청부터 이 플랫폼의 요청을 다시 받습니다.',
      en: 'Accepts the platform’s requests again, from the next one.',
    },
    notice: { ko: '플랫폼 중지를 해제했습니다.', en: 'The platform was enabled.' },
    auditLabels: { platform_enabled: { ko: '플랫폼 중지 해제', en: 'Platform enabled' } },
  },
} as const satisfies Partial<Actions>;

function switchPlatform(call: AdminCall<typeof adminContract.disablePlatform>, disabled: boolean) {
  const code = call.parameters.code;
  return okAfter(setPlatformDisabled(call.context, code, disabled, actingOperator(call)));
}

/** A declaration replaces the whole platform, so the form starts with its current values. */
async function declarationFields(
  view: View,
  input: URLSearchParams,
): Promise<readonly FormField[]> {
  const { text } = view;
  const code = input.get('code') ?? '';
  const { items } = await serviceReads.platforms(view);
  const current = items.find((one) => one.code === code);
  return [
    {
      name: 'code',
      label: text('코드', 'Code'),
      // A literal hyphen is escaped: browsers compile patterns with the `v` flag.
      pattern: '[a-z][a-z0-9_\\-]{1,31}',
      values: [code],
      hint: text(
        '영어 소문자로 시작해 소문자, 숫자, -, _로 2~32자',
        '2 to 32 lower-case letters, digits, - and _, starting with a letter',
      ),
    },
    { name: 'name', label: text('이름', 'Name'), values: [current?.name ?? ''], isOptional: true },
    {
      name: 'origins',
      label: text('허용 출처 (Origin)', 'Allowed origins'),
      kind: 'lines',
      values: current?.origins ?? [],
      isOptional: true,
      hint: text(
        '한 줄에 하나씩 (예: https://books.example.com)',
        'One per line, such as https://books.example.com',
      ),
    },
    {
      name: 'assurance',
      label: text('이메일 확인', 'Email verification'),
      kind: 'choice',
      values: [current?.assurance ?? 'trusted'],
      options: [
        {
          value: 'trusted',
          label: text('플랫폼이 확인함 (trusted)', 'Verified by the platform (trusted)'),
        },
        { value: 'asserted', label: text('확인 안 됨 (asserted)', 'Not verified (asserted)') },
      ],
    },
    {
      name: 'cookie_domain',
      label: text(
        '쿠키 도메인 안에 있어 통합 로그인을 사용함',
        'Is within the cookie domain and uses single sign-on',
      ),
      kind: 'flag',
      values: [String(current?.cookieDomain !== false)],
    },
    {
      name: 'company',
      label: text('회사', 'Company'),
      values: [current?.company ?? ''],
      isOptional: true,
      hint: text(
        '회사가 다른 플랫폼 사이에는 제3자 제공 동의를 요구할 수 있음',
        'Between companies, consent to third-party provision can be required',
      ),
    },
    {
      name: 'page_stats',
      label: text(
        '로그인한 회원이 이 플랫폼의 페이지에서 통계를 볼 수 있음',
        'Signed-in members may read statistics in its pages',
      ),
      kind: 'flag',
      values: [String(current?.pageStats !== false)],
    },
    {
      name: 'capabilities',
      label: text('추가 기능', 'Capabilities'),
      kind: 'checks',
      values: current?.capabilities ?? [],
      options: optionsOf(view, capabilities, words.capability),
    },
    {
      name: 'disabled',
      label: text('중지 상태로 둠', 'Keep disabled'),
      kind: 'flag',
      values: [String(current?.disabled === true)],
    },
    hiddenField('realm', ...(current === undefined ? [] : [current.realm])),
  ];
}
