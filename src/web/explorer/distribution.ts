import type { StoredAxis, Value } from '../../data/axis.ts';
import { readGroups } from '../../lookup/grouping.ts';
import { columnsOf } from '../../lookup/selection.ts';
import type { NamedColumn } from '../../lookup/where/columns.ts';
import { printName } from '../../lookup/where/print.ts';
import { parseList } from '../../lookup/where/terms.ts';
import { regionByCode, fullName } from '../../data/regions/region-table.ts';
import { barList } from '../components/bars.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { distributionRemarks } from './distribution-remarks.ts';
import { histogram } from './histogram.ts';
import { labelWithUnit, valueTarget, type DatasetView } from './dataset-view.ts';

/** The values of a column in the records of the page, if the address names one. Throws 400 for an unknown column. */
export async function distribution(view: DatasetView): Promise<Html> {
  const { params, stored, words, target } = view;
  if (params.field === undefined) return emptyHtml;
  // A list has at least one item.
  const { name } = parseList(params.field, { parameter: 'field', itemsMax: 1 })[0]!;
  const column = columnsOf(stored).find(name, 'field');
  const field = stored.fields.find((one) => one.name === column.name);
  const workedOut = column.type === 'region' ? words.region : column.label;
  const label = field === undefined ? workedOut : labelWithUnit(field, view.language);
  const isDate = column.type === 'date' || column.type === 'datetime';
  const isNumber = column.type === 'integer' || column.type === 'number';
  return html`<section class="distribution" aria-labelledby="distribution">
    <h2 id="distribution">${words.spreadOf(label)}</h2>
    <a rel="nofollow" href="${target({ field: undefined })}#table">${words.close}</a>
    ${isNumber ? await measures(column, view) : emptyHtml}
    ${isDate ? await periods(column, view) : isNumber ? await histogram(column, view) : await values(column, view)}
  </section>`;
}

/** The most frequent values as bars; each links to its records. */
async function values(column: NamedColumn, view: DatasetView): Promise<Html> {
  const { store, stored, query, words, isAbandoned } = view;
  if (query.selection === null) return emptyHtml;
  const found = await store.values(
    stored.axis.code,
    { ...query.selection, column: column.name, offset: 0, limit: valuesMax },
    isAbandoned,
  );
  const { items, total, nulls, unread } = found;
  const remarks = {
    column: column.name,
    nulls,
    unread: unread[column.name] ?? 0,
    first: words.distinct(formatNumber(total)),
    last: total > items.length ? words.others(formatNumber(total - items.length)) : undefined,
  };
  return html`${barList(items.map(({ value, count }) => ({ label: valueLink(value, column, view), count })))}
  ${distributionRemarks(remarks, view)}`;
}

const valuesMax = 20;

function valueLink(value: Value, column: NamedColumn, view: DatasetView): Html {
  const text = String(value);
  const region = column.type === 'region' ? regionByCode(text) : undefined;
  const shown = region === undefined ? text : fullName(region);
  return html`<a rel="nofollow" href="${valueTarget(view, column.name, text)}">${shown}</a>`;
}

/** Least, middle, mean and most of a column of numbers, and its sum unless it is a coordinate. */
async function measures(column: NamedColumn, view: DatasetView): Promise<Html> {
  const { store, stored, query, words, isAbandoned } = view;
  if (query.selection === null) return emptyHtml;
  const name = printName(column.name);
  // Degrees have no sum.
  const field = stored.fields.find(({ name: one }) => one === column.name);
  const isPosition = field?.role === 'lat' || field?.role === 'lon';
  const functions = [
    'min',
    'median',
    'avg',
    'max',
    ...(isPosition ? [] : ['sum' as const]),
  ] as const;
  const agg = functions.map((one) => `${one}(${name})`).join(',');
  const { query: groups } = readGroups({ agg }, stored);
  const found = await store.groups(
    stored.axis.code,
    { ...query.selection, ...groups, offset: 0, limit: 1 },
    isAbandoned,
  );
  const results = Object.values(found.items[0] ?? {});
  return html`<dl class="measures">
    ${functions.map(
      (one, at) =>
        html`<div>
          <dt>${words.measures[one]}</dt>
          <dd>${measureText(results[at] ?? null)}</dd>
        </div>`,
    )}
  </dl>`;
}

function measureText(value: Value): string {
  return typeof value === 'number' ? decimals.format(value) : String(value ?? '–');
}

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Records of each year, or of each month if there are few years, in the order of time. */
async function periods(column: NamedColumn, view: DatasetView): Promise<Html> {
  const { store, stored, query, words, isAbandoned } = view;
  if (query.selection === null) return emptyHtml;
  const part = yearsOf(column, stored) > monthlyYearsMax ? 'year' : 'month';
  const { query: groups } = readGroups({ by: `${part}(${printName(column.name)})` }, stored);
  const found = await store.groups(
    stored.axis.code,
    { ...query.selection, ...groups, offset: 0, limit: periodsMax },
    isAbandoned,
  );
  let nulls = 0;
  const bars = found.items.flatMap((item) => {
    const [period = null, count = null] = Object.values(item);
    if (period === null) nulls += Number(count);
    return period === null
      ? []
      : [{ label: valueLink(period, column, view), count: Number(count) }];
  });
  const remarks = {
    column: column.name,
    nulls,
    unread: found.unread[column.name] ?? 0,
    first: part === 'year' ? words.byYear : words.byMonth,
  };
  return html`${barList(bars)} ${distributionRemarks(remarks, view)}`;
}

const monthlyYearsMax = 3;
const periodsMax = 200;

/** Years between the first and the last date of a column. */
function yearsOf(column: NamedColumn, { fields }: StoredAxis): number {
  const { min = null, max = null } = fields.find(({ name }) => name === column.name)?.stats ?? {};
  return Number(String(max).slice(0, 4)) - Number(String(min).slice(0, 4)) || 0;
}
