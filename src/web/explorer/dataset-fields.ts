import type { Field } from '../../data/axis.ts';
import { printName } from '../../lookup/where/print.ts';
import { dataTable } from '../components/data-table.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { filteredTarget, labelIn, type DatasetView } from './dataset-view.ts';

/** The fields of a dataset: names, types, how many records have a value, and examples. */
export function fieldSection(view: DatasetView): Html {
  const { words, stored, language, target } = view;
  return html`<section aria-labelledby="fields">
    <h2 id="fields">${words.fields}</h2>
    ${dataTable({
      caption: words.fieldsCaption,
      columns: words.fieldColumns.map((heading) => ({ heading: html`${heading}` })),
      rows: stored.fields.map((field) => [
        html`<a rel="nofollow" href="${target({ field: printName(field.name) })}#distribution"
          >${labelIn(field, language)}</a
        >`,
        html`<code translate="no">${field.name}</code>`,
        html`${words.types[field.type]}${field.unit === null ? null : ` (${field.unit})`}`,
        html`${filledShare(field, stored.rows)}`,
        html`${field.stats.distinct === null ? words.many : formatNumber(field.stats.distinct)}`,
        html`${rangeOrExamples(field)}`,
        selectLink(field, view),
      ]),
    })}
  </section>`;
}

function filledShare({ stats }: Field, rows: number): string {
  if (rows === 0) return '–';
  const share = (stats.nonNull / rows) * 100;
  // 100 % only where no value is missing.
  return share === 100 ? '100%' : `${Math.min(99.9, Math.floor(share * 10) / 10)}%`;
}

function rangeOrExamples({ stats }: Field): string {
  const { min, max, examples } = stats;
  if (min !== null && max !== null) return `${min} – ${max}`;
  const text = examples.slice(0, examplesShown).join(', ');
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax).toWellFormed()}…` : text;
}

const examplesShown = 3;
const textLengthMax = 80;

/** A link that takes a column out of the table, or puts it in. */
function selectLink(field: Field, view: DatasetView): Html {
  const { stored, query, words, params } = view;
  const shown = query.fields ?? stored.fields;
  const isShown = shown.includes(field);
  const rest = isShown
    ? shown.filter((one) => one !== field)
    : stored.fields.filter((one) => one === field || shown.includes(one));
  if (rest.length === 0) return html``;
  const select =
    rest.length === stored.fields.length
      ? undefined
      : rest.map(({ name }) => printName(name)).join(',');
  const href = filteredTarget(view, { select, offset: params.offset });
  return html`<a
    rel="nofollow"
    href="${href}"
    aria-label="${isShown ? words.hide : words.show}: ${labelIn(field, view.language)}"
    >${isShown ? words.hide : words.show}</a
  >`;
}
