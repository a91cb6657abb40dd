import { html, type Html } from '../../web/html.ts';
import type { View } from './view.ts';

/** Page that shows a new secret, which cannot be read again. */
export function secretPage({ text }: View, name: string, secret: string): Html {
  return html`<p class="notice" role="status">
      ${text(
        '지금 복사해 두세요. 이 화면을 벗어나면 다시 볼 수 없습니다.',
        'Copy it now. It cannot be shown again once you leave this page.',
      )}
    </p>
    <h2>${name}</h2>
    <pre class="secret" tabindex="0">${secret}</pre>`;
}
