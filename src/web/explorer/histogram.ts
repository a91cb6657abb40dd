import type { Field } from '../../data/axis.ts';
import type { Bin } from '../../data/columns/histogram.ts';
import type { NamedColumn } from '../../lookup/where/columns.ts';
import { barList } from '../components/bars.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { isYears } from './chart-choices.ts';
import { filteredTarget, whereOf, type DatasetView } from './dataset-view.ts';
import { distributionRemarks } from './distribution-remarks.ts';
import { expressionOf } from './simple-condition.ts';

/** The numbers of a column by ranges, in their order; each range links to its records. */
export async function histogram(column: NamedColumn, view: DatasetView): Promise<Html> {
  const { store, stored, query, words, isAbandoned } = view;
  if (query.selection === null) return emptyHtml;
  const { bins, nulls, unread } = await store.histogram(
    stored.axis.code,
    { ...query.selection, column: column.name },
    isAbandoned,
  );
  const field = stored.fields.find(({ name }) => name === column.name)!;
  return html`${barList(bins.map((bin) => ({ label: binLabel(bin, field, view), count: bin.count })))}
    <p class="quiet">${words.bins} ${field.type === 'integer' ? null : words.halfOpen}</p>
    ${distributionRemarks({ column: column.name, nulls, unread }, view)}`;
}

function binLabel(bin: Bin, field: Field, view: DatasetView): Html {
  const text = rangeText(bin, field, view);
  if (bin.count === 0) return html`${text}`;
  const bounds = [
    { test: 'from', value: bin.from },
    { test: 'below', value: bin.below },
  ] as const;
  const parts = bounds.flatMap(({ test, value }) =>
    value === null ? [] : [expressionOf({ column: field.name, test, value: String(value) })],
  );
  const where = whereOf([...view.conditions, ...parts]);
  return html`<a rel="nofollow" href="${filteredTarget(view, { where })}">${text}</a>`;
}

/** A range in words: whole numbers by their first and last, others by their ends. */
function rangeText({ from, below }: Bin, field: Field, { words }: DatasetView): string {
  const isGrouped = !isYears(field);
  const text = (number: number): string => (isGrouped ? numbers.format(number) : String(number));
  if (from === null) return words.below(text(below!));
  if (below === null) return words.atLeast(text(from));
  const last = field.type === 'integer' ? below - 1 : below;
  return last === from ? text(from) : `${text(from)}–${text(last)}`;
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });
