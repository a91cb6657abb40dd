import { koreanOffsetMs } from '../../data/korean-time.ts';
import { formatNumber, emptyHtml } from '../../web/layout.ts';
import { adminContract } from '../../contract/admin.ts';
import type { AdminRouteName } from '../api/call.ts';
import { hasRole } from '../session.ts';
import { html, plainText, type Html } from '../../web/html.ts';
import type { Sheet, View } from './view.ts';

/** A column of a table. Numbers are aligned to the right; actions are not in the table's CSV. */
type Column<Item> = readonly [
  label: string,
  cell: (item: Item) => Html | string,
  kind?: 'number' | 'action',
  /** Number for the CSV, if the text of the cell is more than a number. */
  value?: (item: Item) => number | null,
];

interface TableOptions<Item> {
  readonly caption: string;
  readonly rows: readonly Item[];
  /** The first column is the heading of each row. */
  readonly columns: readonly Column<Item>[];
  /** Text to show if there are no rows. */
  readonly empty: string;
  /** Name of the table's CSV; without a name, it has no CSV. */
  readonly file?: string;
  /** On a phone: a card for each row, a card of small tiles for rows of many numbers, or a table of few columns. */
  readonly onPhone?: 'cards' | 'tiles' | 'narrow';
}

/** A table under a heading. */
export function table<Item>(view: View, options: TableOptions<Item>): Html {
  return html`<h2>${options.caption}</h2>
    ${tableAlone(view, options)}`;
}

/** A table without a heading, with a link to its CSV. A wide table scrolls inside the page, by keyboard too. */
export function tableAlone<Item>(view: View, options: TableOptions<Item>): Html {
  const { caption, rows, columns, empty, file, onPhone = 'cards' } = options;
  if (file !== undefined) view.sheets.set(file, () => sheetOf(options));
  if (rows.length === 0) return html`<p class="quiet">${empty}</p>`;
  return html`<div class="scroll ${onPhone}" role="region" aria-label="${caption}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${columns.map(([label, , kind = 'text']) =>
              label === '' ? html`<td></td>` : html`<th scope="col" class="${kind}">${label}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (item) =>
              html`<tr>
                ${columns.map(([label, cell, kind = 'text'], at) =>
                  at === 0
                    ? html`<th scope="row" class="${kind}">${cell(item)}</th>`
                    : html`<td class="${kind}" data-label="${label}">${cell(item)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${file === undefined ? emptyHtml : csvLink(view, file, caption)}`;
}

function csvLink({ path, query, text }: View, file: string, caption: string): Html {
  const search = new URLSearchParams(query);
  for (const name of ['lang', 'done', 'live']) search.delete(name);
  search.set('csv', file);
  const label = text(`CSV 내려받기: ${caption}`, `Download as CSV: ${caption}`);
  return html`<p class="csv">
    <a href="${path}?${search.toString()}" aria-label="${label}">CSV</a>
  </p>`;
}

/** The table as rows of values: the text of its cells, and numbers without grouping. */
function sheetOf<Item>({ caption, rows, columns }: TableOptions<Item>): Sheet {
  const exported = columns.filter(([, , kind]) => kind !== 'action');
  return {
    title: caption,
    labels: exported.map(([label]) => label),
    rows: rows.map((item) =>
      exported.map(([, cell, kind, value]) =>
        value === undefined ? valueOf(cell(item), kind === 'number') : value(item),
      ),
    ),
  };
}

function valueOf(cell: Html | string, isNumeric: boolean): string | number | null {
  const text = typeof cell === 'string' ? cell : plainText(cell);
  if (text === '–' || text === '') return null;
  // An id of digits is not a number: it keeps its leading zeros.
  const isNumber = isNumeric && /^-?\d[\d,]*(\.\d+)?$/.test(text);
  return isNumber ? Number(text.replaceAll(',', '')) : text;
}

export type Facts = readonly (readonly [name: string, value: Html | string])[];

/** A list of names and values. */
export function facts(entries: Facts): Html {
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

/** `1,234`; a dash for null. */
export function number(value: number | null): string {
  return value === null ? '–' : formatNumber(value);
}

/** `12.5% (1/8)`; a dash if the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = Math.round((part / whole) * 1_000) / 10;
  return `${percent}% (${formatNumber(part)}/${formatNumber(whole)})`;
}

/** An ISO instant as the time in Seoul; a dash for null. */
export function moment(instant: string | null, to: 'minute' | 'second' = 'minute'): Html {
  if (instant === null) return html`–`;
  const seoul = new Date(Date.parse(instant) + koreanOffsetMs).toISOString();
  const shown = seoul.slice(0, to === 'minute' ? 16 : 19).replace('T', ' ');
  return html`<time datetime="${instant}">${shown}</time>`;
}

/** A status as a word, with a colour that only repeats it. */
export function badge(text: string, kind: 'good' | 'bad' | 'warn' | 'plain' = 'plain'): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}

/** An identifier, in a monospaced font and on one line. */
export function id(value: string): Html {
  return html`<code>${value}</code>`;
}

/** A text that may break anywhere, such as a URL. */
export function breakableText(text: string): Html {
  return html`<span class="long">${text}</span>`;
}

export function plainList(items: readonly (Html | string)[]): Html {
  const shown = items.filter((item) => item !== emptyHtml);
  if (shown.length === 0) return html`–`;
  return html`<ul class="plain">
    ${shown.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** `12.3 MB`; from 1,000 MB, `1.2 GB`. */
export function size(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${formatNumber(Math.round((bytes / unit) * 10) / 10)} ${name}`;
}

/** Link to the next page of a list; nothing on the last one. */
export function nextPageLink(
  { text }: View,
  path: string,
  { name, cursor, query = {} }: NextPage,
  label = text('다음 페이지', 'Next page'),
): Html {
  if (cursor === null) return emptyHtml;
  return html`<p class="further">
    <a href="${path}?${searchOf({ ...query, [name]: cursor })}">${label}</a>
  </p>`;
}

interface NextPage {
  readonly name: 'after' | 'before';
  readonly cursor: string | null;
  /** The filter of the list. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The query string of the values that are not undefined. */
export function searchOf(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, value);
  }
  return query.toString();
}

/**
 * Link to an action on a row of a table; nothing for an operator without the action's role. Screen readers read the
 * row's title, too.
 */
export function actionLink(
  view: Pick<View, 'operator'>,
  action: AdminRouteName,
  [name, value, title = value]: readonly [name: string, value: string, title?: string],
  label: string,
): Html {
  if (!mayRun(view, action)) return emptyHtml;
  const href = `/actions/${action}?${searchOf({ [name]: value })}`;
  return html`<a href="${href}" aria-label="${label}: ${title}">${label}</a>`;
}

/** Link to an action, styled as a button; nothing for an operator without the action's role. */
export function actionButton(
  view: Pick<View, 'operator'>,
  action: AdminRouteName,
  label: string,
  { target, isDangerous = false }: ActionButton = {},
): Html {
  if (!mayRun(view, action)) return emptyHtml;
  const query = target === undefined ? '' : `?${searchOf({ [target[0]]: target[1] })}`;
  return html`<a class="button ${isDangerous ? 'danger' : ''}" href="/actions/${action}${query}"
    >${label}</a
  >`;
}

interface ActionButton {
  readonly target?: readonly [name: string, value: string];
  readonly isDangerous?: boolean;
}

function mayRun({ operator }: Pick<View, 'operator'>, action: AdminRouteName): boolean {
  return hasRole(operator.role, adminContract[action].role);
}
