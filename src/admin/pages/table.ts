import { koreanOffsetMs } from '../../data/korean-time.ts';
import { formatted, nothing } from '../../web/layout.ts';
import { textOf, type HandlerName, type Row, type View } from './view.ts';
import { html, type Html } from '../../web/html.ts';

interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => Html | string;
  /** Right-aligned, for numbers. */
  readonly isNumber?: boolean;
}

interface TableOptions<Item> {
  readonly caption: string;
  readonly rows: readonly Item[];
  /** The first one names the row. */
  readonly columns: readonly Column<Item>[];
  /** Said in place of a table without rows. */
  readonly empty: string;
}

/** A table under a heading of its own; it scrolls in itself, by keyboard too, so that the page never does. */
export function table<Item>({ caption, rows, columns, empty }: TableOptions<Item>): Html {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p class="quiet">${empty}</p>`;
  return html`<h2>${caption}</h2>
    <div class="scroll" role="region" aria-label="${caption}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${columns.map(
              ({ label, isNumber }) =>
                html`<th scope="col" class="${kindOf(isNumber)}">${label}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (item) =>
              html`<tr>
                ${columns.map(({ cell, isNumber }, at) =>
                  at === 0
                    ? html`<th scope="row" class="${kindOf(isNumber)}">${cell(item)}</th>`
                    : html`<td class="${kindOf(isNumber)}">${cell(item)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function kindOf(isNumber = false): string {
  return isNumber ? 'number' : 'text';
}

/** Names and what they stand for. */
export function facts(entries: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** `1,234`; a dash for what is absent. */
export function number(value: unknown): string {
  return typeof value === 'number' ? formatted(value) : '–';
}

/** A moment of the JSON as clocks in Seoul show it. */
export function moment(value: unknown, to: 'minute' | 'second' = 'minute'): Html {
  const text = textOf(value);
  if (text === '') return html`–`;
  const seoul = new Date(Date.parse(text) + koreanOffsetMs).toISOString();
  const shown = seoul.slice(0, to === 'minute' ? 16 : 19).replace('T', ' ');
  return html`<time datetime="${text}">${shown}</time>`;
}

/** How a thing stands, in words; the colour repeats them. */
export function badge(text: string, kind: 'good' | 'bad' | 'warn' | 'plain' = 'plain'): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}

/** An id: of equal widths, and never broken. */
export function id(value: unknown): Html {
  return html`<code>${textOf(value)}</code>`;
}

export function listed(items: readonly (Html | string)[]): Html {
  if (items.length === 0) return html`–`;
  return html`<ul class="plain">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** `12.3 MB`, or from a thousand of them on `1.2 GB`. */
export function size(bytes: unknown): string {
  if (typeof bytes !== 'number') return '–';
  const [unit, name] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${formatted(Math.round((bytes / unit) * 10) / 10)} ${name}`;
}

/** A way on to what a page of a list has no room for. */
export function furtherLink({ say }: View, path: string, query: Row, label?: string): Html {
  const [[name, cursor] = []] = Object.entries(query);
  const value = textOf(cursor);
  if (name === undefined || value === '') return nothing;
  return html`<p class="further">
    <a href="${path}?${name}=${encodeURIComponent(value)}"
      >${label ?? say('다음 쪽', 'Next page')}</a
    >
  </p>`;
}

/** To the page of something done to what a row shows; who hears the link alone hears to what. */
export function deedLink(operation: HandlerName, subject: Row, label: string): Html {
  const [[name, value] = ['', '']] = Object.entries(subject);
  const text = textOf(value);
  const href = `/deeds/${operation}?${name}=${encodeURIComponent(text)}`;
  return html`<a href="${href}" aria-label="${label}: ${text}">${label}</a>`;
}
