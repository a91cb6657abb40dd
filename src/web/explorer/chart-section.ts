import type { Language } from '../../contract/language.ts';
import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { choropleth } from '../charts/choropleth.ts';
import { periodText } from '../charts/periods.ts';
import { fullNumber, withUnit } from '../charts/short-number.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { panel } from '../components/panel.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import {
  hasTime,
  isCount,
  isMeasure,
  keyChoices,
  termOfKey,
  termOfValue,
  unitOf,
  valueChoices,
  type ChartChoice,
} from './chart-choices.ts';
import { chartData, hasMonthsOfYear, type ChartData } from './chart-data.ts';
import { chartDrawing } from './chart-drawing.ts';
import { chartRemarks } from './chart-remarks.ts';
import { chartTexts } from './chart-texts.ts';
import { mapBase } from './map-base.ts';
import { labelIn, valueTarget, type DatasetView } from './dataset-view.ts';

type ChartTexts = (typeof chartTexts)[Language];

/** A chart of the records of the page, its form, its values as a table and its files. */
export async function chartSection(view: DatasetView): Promise<Html> {
  const words = chartTexts[view.language];
  const data = await chartData(view);
  if (data === null) return notice('note', html`<p>${words.noKey}</p>`);
  const { groups, title } = data;
  return html`<section class="chart-view" aria-labelledby="chart">
    ${chartForm(data, view)}
    <h2 id="chart">
      ${title}
      ${data.isAdditive ? html`<span class="quiet">${words.whole(wholeValue(data, view))}</span>` : emptyHtml}
    </h2>
    ${sumLinks(data, view)}
    ${
      groups.length === 0
        ? notice('note', html`<p>${words.noGroups}</p>`)
        : html`<div class="drawings">
              ${data.kind === 'region' ? map(data, view) : emptyHtml}
              ${chartDrawing(data, view.language, (key) => recordsTarget(data, key, view)).svg}
            </div>
            ${remarks(data, view)} ${files(data, view)}
            ${panel(words.table, valueTable(data, view))}`
    }
  </section>`;
}

/** The value of all records with its unit. */
function wholeValue({ whole, aggregate }: ChartData, view: DatasetView): string {
  return withUnit(fullNumber(whole), unitOf(aggregate, view));
}

/** The form that chooses key and value; everything else of the address stays. */
function chartForm(data: ChartData, view: DatasetView): Html {
  const { key, aggregate, keyText, valueText, kind } = data;
  const { params, language } = view;
  const words = chartTexts[language];
  const { axis, by: _by, agg: _agg, order, offset: _offset, field: _field, ...kept } = params;
  return html`<form
    class="chart-form"
    action="/data/${encodeURIComponent(axis)}#chart"
    method="get"
  >
    ${Object.entries(kept).map(([name, value]) =>
      value === undefined || String(value) === String(defaults[name])
        ? emptyHtml
        : html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${choiceList('by', words.key, keyChoices(view), { term: termOfKey(key), text: keyText })}
    ${choiceList('agg', words.value, valueChoices(view), { term: termOfValue(aggregate), text: valueText })}
    ${kind === 'time' || hasMonthsOfYear(key, view.stored) ? emptyHtml : orderList(order, words)}
    <button>${words.draw}</button>
    ${hasTime(view.stored) ? emptyHtml : html`<p class="quiet">${words.noTime}</p>`}
  </form>`;
}

const defaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(pageContract.dataset.parameters).map(([name, row]) => [
    name,
    'default' in row ? row.default : undefined,
  ]),
);

function orderList(order: DatasetView['params']['order'], words: ChartTexts): Html {
  const { values } = pageContract.dataset.parameters.order;
  return html`<label
    ><span>${words.order}</span>
    <select name="order">
      ${values.map(
        (value) =>
          html`<option value="${value}" ${value === order ? html`selected` : null}>
            ${words.orders[value]}
          </option>`,
      )}
    </select></label
  >`;
}

/** A list of choices; one that the address alone has stands before the others. */
function choiceList(
  name: string,
  label: string,
  groups: ReturnType<typeof keyChoices>,
  chosen: ChartChoice,
): Html {
  const option = ({ term, text }: ChartChoice): Html =>
    html`<option value="${term}" ${term === chosen.term ? html`selected` : null}>${text}</option>`;
  const isOffered = groups.some(({ choices }) => choices.some(({ term }) => term === chosen.term));
  return html`<label
    ><span>${label}</span>
    <select name="${name}">
      ${isOffered ? null : option(chosen)}
      ${groups.map(
        ({ heading, choices }) =>
          html`<optgroup label="${heading}">${choices.map(option)}</optgroup>`,
      )}
    </select></label
  >`;
}

/** The address of the table with the records of a group. */
function recordsTarget({ key }: ChartData, value: string, view: DatasetView): string {
  return valueTarget(view, key.column, value, { view: undefined, by: undefined, agg: undefined });
}

/** Links from the number of records to the sums of fields that count things, and from such a sum to that number. */
function sumLinks({ aggregate }: ChartData, { stored, target, language }: DatasetView): Html {
  if (aggregate.function === 'sum') {
    return html`<p class="links">
      <a rel="nofollow" href="${target({ agg: 'count' })}#chart"
        >${chartTexts[language].seeCount}</a
      >
    </p>`;
  }
  const counting = stored.fields.filter((field) => isMeasure(field) && isCount(field));
  if (aggregate.function !== 'count' || counting.length === 0) return emptyHtml;
  const words = chartTexts[language];
  const links = counting.slice(0, sumLinksMax).map((field) => {
    const agg = termOfValue({ function: 'sum', column: field.name });
    return html`<a rel="nofollow" href="${target({ agg })}#chart"
      >${words.seeSum(labelIn(field, language))}</a
    > `;
  });
  return html`<p class="links">${links}</p>`;
}

const sumLinksMax = 3;

/** The regions on a map, coloured by their values. */
function map(data: ChartData, view: DatasetView): Html {
  const { language } = view;
  const areas = data.groups.map(({ key, label, value }) => ({
    code: key,
    label,
    value,
    href: recordsTarget(data, key, view),
  }));
  return html`<figure class="choropleth">
    ${choropleth({ boundaries: mapBase(view.store).boundaries, areas, unit: unitOf(data.aggregate, view) }, language)}
    <figcaption class="quiet source">
      ${chartTexts[language].map} ${mapBase(view.store).source[language]}
    </figcaption>
  </figure>`;
}

/** Remarks on the records of the chart, and links to charts without these records. */
function remarks(data: ChartData, view: DatasetView): Html {
  const sentences = chartRemarks(data, view.language);
  if (sentences.length === 0) return emptyHtml;
  const { totalRows, years } = data;
  const words = chartTexts[view.language];
  const only = years === null ? null : valueTarget(view, years.field.name, years.to);
  return html`<p class="quiet">
    ${sentences.join(' ')}
    ${only === null ? null : html`<a rel="nofollow" href="${only}#chart">${words.onlyYear(years!.to)}</a>`}
    ${
      totalRows === 0
        ? null
        : html`<a rel="nofollow" href="${valueTarget(view, '_total', 'false')}#chart"
            >${words.withoutTotals}</a
          >`
    }
  </p>`;
}

function files({ key, aggregate }: ChartData, { params, language }: DatasetView): Html {
  const words = chartTexts[language];
  const terms = { by: termOfKey(key), agg: termOfValue(aggregate) };
  const api = canonicalUrl(lookupContract.groups, {
    ...params,
    ...terms,
    limit: undefined,
    sort: undefined,
  });
  return html`<p class="links">
    <a
      class="button quiet"
      download
      rel="nofollow"
      href="${canonicalUrl(pageContract.chartImage, params)}"
      >${words.image}</a
    >
    <a
      class="button quiet"
      download
      rel="nofollow"
      href="${canonicalUrl(pageContract.chartTable, params)}"
      >${words.csv}</a
    >
    <a rel="nofollow" href="${api}">${words.json}</a>
  </p>`;
}

/** The values of the chart, each with a link to its records. */
function valueTable(data: ChartData, view: DatasetView): Html {
  const { groups, rest, whole, isAdditive, kind, keyText, valueText, title } = data;
  const words = chartTexts[view.language];
  const isShared = isAdditive && whole > 0 && !data.isCut;
  const cells = (label: Html, value: number): Html[] => [
    label,
    html`${fullNumber(value)}`,
    ...(isShared ? [html`${((value / whole) * 100).toFixed(1)}%`] : []),
  ];
  const rows = groups.map(({ key, label, value }) => {
    const text = kind === 'time' ? periodText(label, view.language) : label;
    const href = recordsTarget(data, key, view);
    return cells(html`<a rel="nofollow" href="${href}">${text}</a>`, value);
  });
  if (rest !== null) rows.push(cells(html`${words.rest(formatNumber(rest.groups))}`, rest.value));
  return dataTable({
    caption: title,
    columns: [
      { heading: html`${keyText}` },
      { heading: html`${valueText}`, isNumeric: true },
      ...(isShared ? [{ heading: html`${words.share}`, isNumeric: true }] : []),
    ],
    rows,
  });
}
