import type { FieldRole, Row, StoredAxis, Value } from '../../data/axis.ts';
import { rowsOf } from '../../lookup/endpoints/rows.ts';
import type { SelectedPage } from '../../lookup/selected-page.ts';
import { columnsOf } from '../../lookup/selection.ts';
import { addedName, type ShownField } from '../../lookup/shown-fields.ts';
import { printName, printValue, printWhere } from '../../lookup/where/print.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { isMeasure } from './chart-choices.ts';
import {
  filteredTarget,
  labelIn,
  labelWithUnit,
  titleIn,
  valueTarget,
  type DatasetView,
} from './dataset-view.ts';
import { sourceLink } from './dataset-facts.ts';
import { recordPath } from './paths.ts';

/** The records of the page as a table, with links to its other pages. */
export function datasetTable(view: DatasetView, records: SelectedPage): Html {
  const { language, stored, params } = view;
  const { total } = records;
  if (records.count === 0) return pastEnd(view, total);
  const columns = orderedColumns(records.columns, view);
  const cellOf = columns.map((column) => cellRenderer(column, view));
  const rows = rowsOf(records);
  const named = columns[0]!;
  return html`${dataTable({
    caption: titleIn(stored, language),
    columns: columns.map((column) => ({
      heading: columnHeading(column, view),
      isNumeric: isNumeric(column),
      sort: orderOf(column.name, view),
    })),
    rows: rows.map((row) => [
      recordLink(row, named, view),
      ...cellOf.slice(1).map((cell, at) => cell(row[columns[at + 1]!.name] ?? null)),
    ]),
  })}
  ${pages(view, total, params.offset + records.count)}`;
}

/**
 * The name of a record comes first, since it leads to the record, without names its id and its region, then the columns of the order and of the conditions,
 * and its address, which readers want to see without moving the table. Codes come last, unless the reader has chosen the
 * columns. An id that Maru adds is not a column.
 */
function orderedColumns(columns: readonly ShownField[], view: DatasetView): ShownField[] {
  const { stored, query, conditions } = view;
  const idName = addedName('_id', stored.fields);
  const named = (role: FieldRole): string[] =>
    stored.fields.filter((field) => field.role === role).map(({ name }) => name);
  const sought = [
    ...query.sort.map(({ column }) => column),
    ...conditionColumns(conditions, stored),
  ];
  const isChosen = query.fields !== null;
  const names = named('name').slice(0, 1);
  const places = names.length > 0 ? [] : [...named('sido'), ...named('sigungu')];
  const leading = [
    ...(names.length > 0 || isChosen ? names : named('id').slice(0, 1)),
    ...sought,
    ...(isChosen ? [] : [...named('address'), ...places]),
  ];
  const codes = new Set(isChosen ? [] : [...named('id'), ...named('code')]);
  const placeOf = ({ name }: ShownField): number => {
    if (leading.includes(name)) return leading.indexOf(name);
    return leading.length + (codes.has(name) ? 1 : 0);
  };
  return columns
    .filter((column) => column.name !== idName)
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** Names of the fields that conditions test. */
function conditionColumns(conditions: readonly Expression[], stored: StoredAxis): string[] {
  return conditions.flatMap((part) =>
    'name' in part ? [columnsOf(stored).find(part.name, 'where').name] : [],
  );
}

function isNumeric({ type }: ShownField): boolean {
  return type === 'integer' || type === 'number';
}

/** Heading of a column: a link that sorts by it, and one to its distribution. */
function columnHeading(column: ShownField, view: DatasetView): Html {
  const { words, stored, language, target } = view;
  const field = stored.fields.find(({ name }) => name === column.name);
  if (field === undefined) return html`${words.distance}`;
  const label = labelIn(field, language);
  const order = orderOf(field.name, view);
  const name = printName(field.name);
  const [next, title] = nextOrder(order, isMeasure(field), words);
  const arrow = order === null ? ' ↕' : order === 'ascending' ? ' ▲' : ' ▼';
  const to = next === null ? undefined : next === 'descending' ? `-${name}` : name;
  const spread = target({ field: name });
  return html`<a
      class="sort"
      rel="nofollow"
      href="${filteredTarget(view, { sort: to })}#table"
      title="${title}"
      >${labelWithUnit(field, language)}<span class="arrow" aria-hidden="true">${arrow}</span></a
    >
    <a
      class="spread"
      rel="nofollow"
      href="${spread}#distribution"
      aria-label="${words.spreadOf(label)}"
      >${words.spread}</a
    >`;
}

type Order = 'ascending' | 'descending';

/** Order of a column after a click on its heading, and its name: measures begin with the largest, and then none. */
function nextOrder(
  order: Order | null,
  isLargestFirst: boolean,
  words: DatasetView['words'],
): readonly [Order | null, string] {
  const [first, second]: readonly Order[] = isLargestFirst
    ? ['descending', 'ascending']
    : ['ascending', 'descending'];
  const next = order === null ? first! : order === first ? second! : null;
  return [next, next === null ? words.unsorted : words[next]];
}

/** The direction in which the page is sorted by a column, if it is the first of the order. */
function orderOf(name: string, { query }: DatasetView): Order | null {
  const [first] = query.sort;
  if (first?.column !== name) return null;
  return first.isDescending ? 'descending' : 'ascending';
}

/** A function that renders the values of a column. Values that repeat link to the records that share them. */
function cellRenderer(column: ShownField, view: DatasetView): (value: Value) => Html {
  const { stored } = view;
  const field = stored.fields.find(({ name }) => name === column.name);
  const distinct = field?.stats.distinct ?? null;
  const isCategory =
    field !== undefined && distinct !== null && distinct > 1 && distinct * 2 <= field.stats.nonNull;
  if (!isCategory) return plainCell;
  const given = new Set(view.conditions.map(printWhere));
  // All links of a column share their beginning.
  const mark = '\u0001';
  const [before, after] = valueTarget(view, column.name, mark).split(encodeURIComponent(mark));
  if (before === undefined || after === undefined) return plainCell;
  const rendered = new Map<Value, Html>();
  return (value) => {
    if (value === null) return missing;
    let cell = rendered.get(value);
    if (cell === undefined) {
      const isLong = String(value).length > cellLengthMax;
      const isGiven = given.has(`${printName(column.name)} = ${printValue(String(value))}`);
      const href =
        before + encodeURIComponent(printValue(String(value)).toWellFormed()) + after + '#table';
      cell =
        isLong || isGiven
          ? plainCell(value)
          : html`<a rel="nofollow" href="${href}">${String(value)}</a>`;
      rendered.set(value, cell);
    }
    return cell;
  };
}

/** A value as the source wrote it, shortened if it would fill the page. */
function plainCell(value: Value): Html {
  if (value === null) return missing;
  const text = String(value);
  const shown =
    text.length > cellLengthMax ? `${text.slice(0, cellLengthMax).toWellFormed()}…` : text;
  return /^https?:\/\/\S+$/i.test(text) ? sourceLink(text, shown) : html`${shown}`;
}

const missing = html`<span class="quiet">–</span>`;
const cellLengthMax = 120;

function recordLink(row: Row, named: ShownField, view: DatasetView): Html {
  const { stored, words, params } = view;
  const value = row[named.name] ?? null;
  const text = value === null ? words.noName : plainText(value);
  const href = recordPath(
    stored.axis.code,
    String(row[addedName('_id', stored.fields)] ?? ''),
    params.lang,
  );
  return html`<a href="${href}">${text}</a>`;
}

function plainText(value: Value): string {
  const text = String(value);
  return text.length > nameLengthMax ? `${text.slice(0, nameLengthMax).toWellFormed()}…` : text;
}

const nameLengthMax = 60;

function pages(view: DatasetView, total: number, until: number): Html {
  const { words, params, target } = view;
  const { offset, limit } = params;
  if (limit === 0 || (offset === 0 && until >= total)) return emptyHtml;
  const last = Math.floor((total - 1) / limit) * limit;
  const link = (text: string, at: number, isShown: boolean) =>
    isShown ? { text, href: `${target({ offset: at })}#table` } : null;
  return pager({
    label: words.pages,
    place: words.pagePlace(formatNumber(offset + 1), formatNumber(until), formatNumber(total)),
    first: link(words.firstPage, 0, offset > limit),
    previous: link(words.previousPage, Math.max(0, offset - limit), offset > 0),
    next: link(words.nextPage, offset + limit, until < total),
    last: link(words.lastPage, last, until + limit < total),
  });
}

function pastEnd(view: DatasetView, total: number): Html {
  const { words, target } = view;
  return notice(
    'note',
    html`<p>${words.pastEnd(formatNumber(total))}</p>
      <p><a href="${target({ offset: 0 })}">${words.toFirst}</a></p>`,
  );
}
