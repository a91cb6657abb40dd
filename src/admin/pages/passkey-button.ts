import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../../web/html.ts';
import type { RelyingParty } from '../operators/webauthn.ts';
import { pageScript } from './page-script.ts';

/** The options that a passkey responds to, and texts for failures in the browser. */
export interface PasskeyRequest extends Record<'failed' | 'exists' | 'unsupported', string> {
  /** Address of the options to use a passkey. */
  readonly get?: string;
  /** Options to create a passkey. */
  readonly create?: object;
}

/**
 * Button that sends its form with the response of a passkey. The page’s script shows it if the browser has passkeys.
 */
export function passkeyButton(
  label: string,
  { get, create, failed, exists }: PasskeyRequest,
): Html {
  const source =
    create === undefined ? html`data-get="${get}"` : html`data-create="${JSON.stringify(create)}"`;
  return html`<button
    type="submit"
    class="passkey ${create === undefined ? 'plain' : ''}"
    ${source}
    data-failed="${failed}"
    data-exists="${exists}"
    hidden
  >
    ${label}
  </button>`;
}

/**
 * Line for failures under a passkey's button. If the form has no other button, it explains at first why none is shown.
 */
export function passkeyFault({ create, unsupported }: PasskeyRequest): Html {
  return html`<p class="fault passkey-fault" role="alert">
    ${create === undefined ? '' : unsupported}
  </p>`;
}

/** Link to the same page at the site of the passkeys, for pages that were opened at another address. */
export function passkeySiteNote(language: Language, { origin }: RelyingParty, path: string): Html {
  const link = html`<a href="${origin}${path}">${origin}</a>`;
  return language === 'ko'
    ? html`<p class="note">패스키는 ${link} 주소로 열었을 때 쓸 수 있습니다.</p>`
    : html`<p class="note">Passkeys work on these pages at ${link}.</p>`;
}

export function passkeyTexts(language: Language): Omit<PasskeyRequest, 'get' | 'create'> {
  return texts[language];
}

const texts = {
  ko: {
    failed:
      '패스키를 사용하지 못했습니다. 취소했거나, 이 브라우저에서 쓸 수 있는 패스키가 없습니다.',
    unsupported:
      '이 브라우저에서는 패스키를 만들 수 없습니다. 브라우저를 업데이트하거나 다른 브라우저로 여세요.',
    exists: '이 기기나 보안 키에는 이미 패스키가 있습니다. 그 패스키를 그대로 쓰면 됩니다.',
  },
  en: {
    failed: 'No passkey was used. You cancelled, or this browser has none that works here.',
    unsupported: 'This browser makes no passkeys. Update it, or use another one.',
    exists: 'This device or security key has a passkey already. Use that one.',
  },
} as const;

/** The script of pages with a passkey's button. */
export const passkeyScript = pageScript('passkey');
