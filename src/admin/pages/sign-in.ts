import type { Language } from '../../contract/language.ts';
import { emptyHtml } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import type { RelyingParty } from '../operators/webauthn.ts';
import { form, hiddenField, type FormField } from './form.ts';
import type { AdminPage } from './layout.ts';
import { passkeySiteNote, passkeyTexts, passkeyScript } from './passkey-button.ts';
import { textIn } from './view.ts';

/**
 * State of the sign-in page: to sign in, to choose a passphrase with a one-time token, or to create the first operator.
 */
export interface SignIn {
  readonly kind: 'sign-in' | 'join' | 'first';
  /** Path to open afterwards. */
  readonly to: string;
  /** The site of the passkeys, and true if the page was opened there. */
  readonly party: RelyingParty;
  readonly isAtParty: boolean;
  readonly name?: string;
  readonly refusal?: string | null;
  readonly notice?: string | null;
  readonly status?: number;
}

/** Form to sign in, to join with a one-time token, or to create the first operator. */
export function signInPage(language: Language, signIn: SignIn): AdminPage {
  const { kind, to, name = '', refusal = null, notice = null, status = 401 } = signIn;
  const text = textIn(language);
  const isJoining = kind !== 'sign-in';
  const title = {
    'sign-in': text('로그인', 'Sign in'),
    join: text('암호 정하기', 'Choose a passphrase'),
    first: text('첫 운영자 등록', 'Create the first operator'),
  }[kind];
  const fields: readonly FormField[] = [
    ...(isJoining ? [tokenField(language, kind)] : []),
    { name: 'name', label: text('이름', 'Name'), values: [name], autocomplete: 'username' },
    {
      name: 'passphrase',
      label: text('암호', 'Passphrase'),
      kind: 'password',
      autocomplete: isJoining ? 'new-password' : 'current-password',
      ...(isJoining ? { hint: text('12자 이상', '12 characters or more') } : {}),
    },
    ...(kind === 'first' ? [] : [codeField(language)]),
    { name: 'to', label: '', kind: 'hidden', values: [to] },
    { name: 'kind', label: '', kind: 'hidden', values: [kind] },
  ];
  const button = isJoining ? text('등록', 'Create') : text('로그인', 'Sign in');
  return {
    title,
    operator: null,
    status,
    notice,
    script: kind === 'sign-in' && signIn.isAtParty ? passkeyScript : null,
    main: html`${refusal === null ? emptyHtml : html`<div class="alert" role="alert"><p>${refusal}</p></div>`}
    ${form({ action: '/sign-in', button, fields })}
    ${kind === 'sign-in' ? passkeySection(language, signIn) : emptyHtml} ${otherWay(language, kind)}`,
  };
}

function tokenField(language: Language, kind: SignIn['kind']): FormField {
  const text = textIn(language);
  return {
    name: 'token',
    label: text('일회용 토큰', 'One-time token'),
    kind: 'password',
    hint:
      kind === 'first'
        ? text(
            '서버를 시작한 터미널에 표시된 파일에 있습니다 (svci_…). 24시간 동안 쓸 수 있습니다.',
            'In the file that the server named at its start (svci_…). It works for 24 hours.',
          )
        : text('소유자에게 받은 토큰 (svci_…)', 'The token that an owner gave you (svci_…)'),
  };
}

function codeField(language: Language): FormField {
  const text = textIn(language);
  return {
    name: 'code',
    label: text('인증 코드', 'Code'),
    isOptional: true,
    autocomplete: 'one-time-code',
    hint: text('인증 앱을 등록했다면 입력하세요.', 'If you set up an authenticator app.'),
  };
}

/** A form of its own, so that a passkey needs no other field. */
function passkeySection(language: Language, { to, party, isAtParty }: SignIn): Html {
  const text = textIn(language);
  if (!isAtParty) return passkeySiteNote(language, party, to);
  return form({
    action: '/sign-in',
    button: null,
    kind: 'or',
    fields: [
      hiddenField('to', to),
      hiddenField('kind', 'sign-in'),
      {
        name: 'passkey',
        label: text('패스키로 로그인', 'Sign in with a passkey'),
        kind: 'passkey',
        passkey: { get: '/api/sign-in/passkey', ...passkeyTexts(language) },
      },
    ],
  });
}

function otherWay(language: Language, kind: SignIn['kind']): Html {
  if (kind === 'first') return emptyHtml;
  const text = textIn(language);
  return html`<p class="further">
    ${
      kind === 'join'
        ? html`<a href="/">${text('암호로 로그인', 'Sign in with a passphrase')}</a>`
        : html`<a href="/join">${text('일회용 토큰이 있습니다', 'I have a one-time token')}</a>`
    }
  </p>`;
}
