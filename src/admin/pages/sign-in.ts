import type { Language } from '../../contract/language.ts';
import type { AdminHost } from '../api/call.ts';
import { emptyHtml } from '../../web/layout.ts';
import { html } from '../../web/html.ts';
import { form, type FormField } from './form.ts';
import type { AdminPage } from './layout.ts';
import { textIn } from './view.ts';

/** Form to sign in, or to create the first operator. `to` is the path to open afterwards. */
export function signInPage(
  { operators }: AdminHost,
  language: Language,
  { to, name = '', refusal = null, status = 401 }: SignIn,
): AdminPage {
  const text = textIn(language);
  const isFirst = operators.invitation !== null;
  const token: FormField = {
    name: 'token',
    label: text('일회용 토큰', 'One-time token'),
    kind: 'password',
    hint: text(
      '서버를 시작한 터미널에 표시됩니다 (svci_…).',
      'Printed in the terminal that started the server (svci_…).',
    ),
  };
  const fields: readonly FormField[] = [
    ...(isFirst ? [token] : []),
    { name: 'name', label: text('이름', 'Name'), values: [name], autocomplete: 'username' },
    {
      name: 'passphrase',
      label: text('암호', 'Passphrase'),
      kind: 'password',
      autocomplete: isFirst ? 'new-password' : 'current-password',
      ...(isFirst ? { hint: text('12자 이상', '12 characters or more') } : {}),
    },
    { name: 'to', label: '', kind: 'hidden', values: [to] },
  ];
  return {
    title: isFirst
      ? text('첫 운영자 등록', 'Create the first operator')
      : text('로그인', 'Sign in'),
    operator: null,
    status,
    main: html`${refusal === null ? emptyHtml : html`<div class="alert" role="alert"><p>${refusal}</p></div>`}
    ${form({ action: '/sign-in', button: isFirst ? text('등록', 'Create') : text('로그인', 'Sign in'), fields })}`,
  };
}

interface SignIn {
  readonly to: string;
  readonly name?: string;
  readonly refusal?: string | null;
  readonly status?: number;
}
