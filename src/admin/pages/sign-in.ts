import type { Language } from '../../contract/language.ts';
import type { AdminHost } from '../api/call.ts';
import { nothing } from '../../web/layout.ts';
import { form, type FormField } from './form.ts';
import type { AdminPage } from './layout.ts';
import { html } from '../../web/html.ts';

/** Where an operator signs in, or the first one is made; `to` is where they wanted to go. */
export function signInPage(
  { operators }: AdminHost,
  language: Language,
  { to, name = '', refusal = null, status = 401 }: SignIn,
): AdminPage {
  const say = (ko: string, en: string) => (language === 'ko' ? ko : en);
  const isFirst = operators.invitation !== null;
  const token: FormField = {
    name: 'token',
    label: say('일회용 토큰', 'One-time token'),
    kind: 'password',
    hint: say(
      '서버를 시작한 터미널에 나와 있습니다 (svci_…).',
      'It was printed where the server was started (svci_…).',
    ),
  };
  const fields: readonly FormField[] = [
    ...(isFirst ? [token] : []),
    { name: 'name', label: say('이름', 'Name'), values: [name], autocomplete: 'username' },
    {
      name: 'passphrase',
      label: say('암호', 'Passphrase'),
      kind: 'password',
      autocomplete: isFirst ? 'new-password' : 'current-password',
      ...(isFirst ? { hint: say('12자 이상', '12 characters or more') } : {}),
    },
    { name: 'to', label: '', kind: 'hidden', values: [to] },
  ];
  return {
    title: isFirst ? say('첫 운영자 만들기', 'Make the first operator') : say('로그인', 'Sign in'),
    operator: null,
    status,
    main: html`${refusal === null ? nothing : html`<div class="alert" role="alert"><p>${refusal}</p></div>`}
    ${form({ action: '/sign-in', button: isFirst ? say('만들기', 'Make') : say('로그인', 'Sign in'), fields })}`,
  };
}

interface SignIn {
  readonly to: string;
  readonly name?: string;
  readonly refusal?: string | null;
  readonly status?: number;
}
