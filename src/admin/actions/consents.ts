import { declareConsentPurposes, readConsentPurpose } from '../../members/consent-configuration.ts';
import { actingOperator } from '../api/call.ts';
import type { FormField } from '../pages/form.ts';
import type { View } from '../pages/view.ts';
import { okAfter, type Actions } from './action.ts';

export const consentActions = {
  declarePurpose: {
    returnPath: () => '/consents',
    run(call) {
      const { code, name_ko: ko, name_en: en, required, marketing, retired, version } = call.body;
      const { text, sha256, effective } = call.body;
      const { recipient_platforms: platforms = [], recipient_realms: realms = [] } = call.body;
      const isNewText = [version, text, sha256, effective].some((part) => part !== undefined);
      const declared = readConsentPurpose({
        code,
        name: { ko, en },
        ...(required !== undefined && { required }),
        ...(marketing !== undefined && { marketing }),
        ...(retired !== undefined && { retired }),
        ...(platforms.length + realms.length > 0 && { recipients: { platforms, realms } }),
        versions: isNewText
          ? [
              {
                version,
                effective,
                ...(text !== undefined && { text }),
                ...(sha256 !== undefined && { sha256 }),
              },
            ]
          : [],
      });
      return okAfter(declareConsentPurposes(call.context, [declared], actingOperator(call)));
    },
    fields: purposeFields,
    button: { ko: '저장', en: 'Save' },
    effect: {
      ko: '동의 목적을 하나라도 저장하면 다음 요청부터 다른 목적의 동의는 저장하지 않습니다. 이미 있는 코드를 입력하면 그 목적이 바뀌고, 동의문 버전은 추가만 됩니다.',
      en: 'Once a purpose is saved, consents of undefined purposes are refused from the next request. An existing code changes that purpose; versions of its text are only ever added.',
    },
    notice: { ko: '동의 목적을 저장했습니다.', en: 'The purpose was saved.' },
    auditLabels: { purpose_declared: { ko: '동의 목적 저장', en: 'Purpose saved' } },
  },
} as const satisfies Partial<Actions>;

/** A declaration replaces all but the versions, so the form starts with the current values. */
async function purposeFields(view: View, input: URLSearchParams): Promise<readonly FormField[]> {
  const { text } = view;
  const code = input.get('code') ?? '';
  const purposes = await view.context.platforms.consentPurposes();
  const current = purposes.find((one) => one.code === code);
  const flag = (name: 'required' | 'marketing' | 'retired', label: string): FormField => ({
    name,
    label,
    kind: 'flag',
    values: [String(current?.[name] === true)],
  });
  const optional = { isOptional: true } as const;
  return [
    {
      name: 'code',
      label: text('코드', 'Code'),
      values: [code],
      pattern: '[A-Za-z0-9_.:\\-]{1,64}',
      hint: text(
        '영어 글자, 숫자, _, ., :, -로 64자 이내',
        'Up to 64 letters, digits, _, ., : and -',
      ),
    },
    {
      name: 'name_ko',
      label: text('이름 (한국어)', 'Name in Korean'),
      values: [current?.name.ko ?? ''],
    },
    {
      name: 'name_en',
      label: text('이름 (영어)', 'Name in English'),
      values: [current?.name.en ?? ''],
    },
    flag('required', text('필수 동의', 'Required')),
    flag(
      'marketing',
      text(
        '광고성 정보 수신 동의 (2년마다 재확인)',
        'Marketing: members are reminded every two years',
      ),
    ),
    flag('retired', text('더 받지 않음', 'Retired: it cannot be given any more')),
    {
      ...optional,
      name: 'recipient_platforms',
      label: text('제공받는 플랫폼', 'Receiving platforms'),
      kind: 'lines',
      values: current?.recipients?.platforms ?? [],
      hint: text(
        '제3자 제공 동의일 때만, 한 줄에 코드 하나',
        'Only for third-party provision: one code per line',
      ),
    },
    {
      ...optional,
      name: 'recipient_realms',
      label: text('제공받는 회원 영역', 'Receiving realms'),
      kind: 'lines',
      values: current?.recipients?.realms ?? [],
    },
    {
      ...optional,
      name: 'version',
      label: text('새 동의문 버전', 'Version of a new text'),
      hint: text('비우면 동의문을 추가하지 않음', 'Empty: no text is added'),
    },
    { ...optional, name: 'text', label: text('동의문', 'Text') },
    {
      ...optional,
      name: 'sha256',
      label: text('동의문의 SHA-256', 'SHA-256 of the text'),
      hint: text('동의문을 저장하지 않을 때', 'Instead of the text'),
    },
    {
      ...optional,
      name: 'effective',
      label: text('시행 시각', 'Effective from'),
      hint: text('예: 2026-12-01T00:00:00+09:00', 'Such as 2026-12-01T00:00:00+09:00'),
    },
  ];
}
