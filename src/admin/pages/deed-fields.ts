import { scopes } from '../../members/keys.ts';
import { capabilities } from '../../members/platform-configuration.ts';
import { webhookTypes } from '../../members/webhooks.ts';
import type { FormField, Option } from './form.ts';
import { rowsOf, textOf, wordOf, type Row, type View } from './view.ts';
import { words } from './words.ts';

/** A platform is declared whole: what is not sent goes back to its default, so that the form begins with what holds. */
export async function platformFields(
  view: View,
  given: URLSearchParams,
): Promise<readonly FormField[]> {
  const { say, ask } = view;
  const code = given.get('code') ?? '';
  const known: Row =
    rowsOf((await ask('platforms'))['items']).find((row) => row['code'] === code) ?? {};
  const list = (name: string) => (Array.isArray(known[name]) ? known[name].map(String) : []);
  return [
    {
      name: 'code',
      label: say('코드', 'Code'),
      // A hyphen that is meant is escaped: browsers read patterns as sets of sets.
      pattern: '[a-z][a-z0-9_\\-]{1,31}',
      values: [code],
      hint: say(
        '영어 소문자로 시작해 소문자, 숫자, -, _로 2~32자',
        '2 to 32 of a–z, 0–9, - and _, a letter first',
      ),
    },
    { name: 'name', label: say('이름', 'Name'), values: [textOf(known['name'])], isOptional: true },
    {
      name: 'origins',
      label: say('출처', 'Origins'),
      kind: 'lines',
      values: list('origins'),
      isOptional: true,
      hint: say(
        '한 줄에 하나, https://books.example.com처럼',
        'One a line, such as https://books.example.com',
      ),
    },
    {
      name: 'assurance',
      label: say('이메일', 'Addresses'),
      kind: 'choice',
      values: [textOf(known['assurance']) || 'trusted'],
      options: [
        {
          value: 'trusted',
          label: say('플랫폼이 확인함 (trusted)', 'Verified by the platform (trusted)'),
        },
        { value: 'asserted', label: say('확인 안 함 (asserted)', 'Not verified (asserted)') },
      ],
    },
    {
      name: 'cookie_domain',
      label: say(
        '쿠키 도메인 안에 있어 통합 로그인을 씁니다',
        'Lies in the cookie domain and uses single sign-on',
      ),
      kind: 'flag',
      values: [String(known['cookieDomain'] !== false)],
    },
    {
      name: 'capabilities',
      label: say('할 수 있는 것', 'Capabilities'),
      kind: 'checks',
      values: list('capabilities'),
      options: optionsOf(view, capabilities, 'capability'),
    },
    {
      name: 'disabled',
      label: say('중지해 둡니다', 'Keep it disabled'),
      kind: 'flag',
      values: [String(known['disabled'] === true)],
    },
    {
      name: 'realm',
      label: '',
      kind: 'hidden',
      values: known['realm'] === undefined ? [] : [textOf(known['realm'])],
    },
  ];
}

/** A key’s platform, scopes and note. */
export async function keyFields(view: View, given: URLSearchParams): Promise<readonly FormField[]> {
  const { say, ask } = view;
  const platforms = rowsOf((await ask('platforms'))['items']);
  return [
    {
      name: 'platform',
      label: say('플랫폼', 'Platform'),
      kind: 'choice',
      values: [given.get('platform') ?? ''],
      options: [
        ...platforms.map(({ code, name }) => ({
          value: textOf(code),
          label: `${textOf(code)} (${textOf(name)})`,
        })),
        {
          value: 'operator',
          label: say('모든 플랫폼 (운영자 키)', 'Every platform (operator key)'),
        },
      ],
    },
    {
      name: 'scopes',
      label: say('권한', 'Scopes'),
      kind: 'checks',
      values: ['members:register', 'events:write'],
      options: optionsOf(view, scopes, 'scope'),
    },
    {
      name: 'label',
      label: say('메모', 'Note'),
      isOptional: true,
      hint: say('어느 서버의 키인지', 'Such as the server it is for'),
    },
  ];
}

/** Where a webhook goes, and of what it tells. */
export async function webhookFields(view: View): Promise<readonly FormField[]> {
  return [
    {
      name: 'url',
      label: view.say('주소', 'Address'),
      pattern: 'https://.+',
      hint: view.say(
        'https://로 시작하고 인터넷에서 닿는 곳',
        'Begins with https:// and can be reached publicly',
      ),
    },
    {
      name: 'types',
      label: view.say('보낼 일', 'What is sent'),
      kind: 'checks',
      values: webhookTypes,
      options: optionsOf(view, webhookTypes, 'webhook'),
    },
  ];
}

function optionsOf(
  view: View,
  names: readonly string[],
  kind: keyof typeof words,
): readonly Option[] {
  return names.map((name) => ({
    value: name,
    label: `${name} (${wordOf(view, words[kind], name)})`,
  }));
}
