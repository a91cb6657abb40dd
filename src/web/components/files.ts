import { html, type Html } from '../html.ts';
import { formatBytes } from '../format-bytes.ts';
import type { Language } from '../../contract/language.ts';

/** A file to download. */
export interface FileLink {
  readonly format: string;
  /** Use of the format in a few words. */
  readonly use: string;
  /** Null if the format has no room for these records; `use` then has the reason. */
  readonly href: string | null;
  readonly bytes: { readonly count: number; readonly isExact: boolean } | null;
}

/** Files to download, each with its size. */
export function fileList(files: readonly FileLink[], language: Language): Html {
  return html`<ul class="files">
    ${files.map(
      ({ format, use, href, bytes }) =>
        html`<li>
          ${
            href === null
              ? html`<span class="button off">${format}</span>`
              : html`<a class="button" href="${href}" download rel="nofollow">${format}</a>`
          }
          <span
            >${use}
            ${bytes === null ? null : html`<span class="quiet">${sizeText(bytes, language)}</span>`}</span
          >
        </li>`,
    )}
  </ul>`;
}

function sizeText({ count, isExact }: NonNullable<FileLink['bytes']>, language: Language): string {
  if (isExact) return formatBytes(count);
  return language === 'ko' ? `약 ${formatBytes(count)}` : `about ${formatBytes(count)}`;
}
