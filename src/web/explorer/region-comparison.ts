import { pageContract } from '../../contract/pages.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import { fullName, regionTable, type Region } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { printName } from '../../lookup/where/print.ts';
import { fullNumber } from '../charts/short-number.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { isCount } from './chart-choices.ts';
import { compareTexts } from './compare-texts.ts';
import {
  columnsOf,
  comparedRows,
  countTable,
  datasetCell,
  dateLine,
  folded,
  rowsByKind,
  type DatedComparison,
} from './compared-counts.ts';
import type { Comparison } from './compared-regions.ts';
import { labelIn } from './dataset-view.ts';
import { regionPath } from './paths.ts';
import { regionDates } from './region-dates.ts';
import { regionMeasures, type RegionMeasure } from './region-measures.ts';
import { comparedOutlines, neighboursOf } from './region-place.ts';

/**
 * Two regions side by side: their records by dataset, and values of datasets that both have. The map and the names for
 * the form stand last: on a slow phone, the numbers would wait for their thirty kilobytes.
 */
export async function comparisonSections(request: Comparison): Promise<Html> {
  const words = compareTexts[request.language];
  const [one, other] = request.compared;
  const target = (code: string, beside?: string): string =>
    canonicalUrl(pageContract.region, { code, with: beside, lang: request.lang });
  const rows = comparedRows(request);
  const places = request.compared.map(({ place }) => place);
  const { both, ofOne, codes, samples } = rowsByKind(rows, request);
  const dates = await regionDates(
    [...both, ...ofOne].map(({ stored }) => stored),
    places,
    request,
  );
  const view = { ...request, dates };
  const shared = both.filter(({ counts }) => counts.every((count) => count > 0));
  const measures = await regionMeasures(
    shared.map(({ stored }) => stored),
    places,
    view,
  );
  return html`<p class="links">
      <a href="${target(other.code, one.code)}">${words.swap}</a>
      <a href="${target(one.code)}">${words.end}</a>
    </p>
    ${compareForm(one.region, request)}
    <div class="region">
      <div class="compared">
        <h2>${words.counts}</h2>
        ${
          both.length === 0
            ? notice('note', html`<p>${words.none}</p>`)
            : html`<p class="quiet">${words.countsLead}</p>
                ${shared.length === both.length ? emptyHtml : html`<p class="quiet">${words.absentMeaning}</p>`}
                ${countTable(words.counts, both, view)}`
        }
        ${measures.length === 0 ? emptyHtml : measureSection(measures, view)}
        ${
          ofOne.length === 0
            ? emptyHtml
            : html`<h2>${words.ofOne}</h2>
                <p class="quiet">${words.ofOneLead}</p>
                ${countTable(words.ofOne, ofOne, view)}`
        }
        ${folded(words.codes, words.codesLead, codes, view)}
        ${folded(words.samples, words.samplesLead, samples, view)}
      </div>
      ${comparedOutlines([one.region, other.region], view)}
    </div>
    ${regionNames(one.region)}`;
}

function measureSection(measures: readonly RegionMeasure[], view: DatedComparison): Html {
  const words = compareTexts[view.language];
  const { language, compared } = view;
  return html`<h2>${words.measures}</h2>
    <p class="quiet">${words.measuresLead}</p>
    ${dataTable({
      caption: words.measures,
      columns: columnsOf(words.measure, compared),
      rows: measures.map(({ stored, field, values }) => [
        html`${datasetCell(stored, view)}<br />
          <a rel="nofollow" href="${chartTarget(stored, field, view)}"
            >${labelIn(field, language)}</a
          >${field.unit === null ? emptyHtml : html` <span class="quiet">${field.unit}</span>`}`,
        ...values.map((value, at) =>
          value === null
            ? html`–`
            : html`${words.avg(fullNumber(value.avg))} ${dateLine(stored.axis.code, at, view)}
              ${
                isCount(field)
                  ? html`<br /><span class="quiet">${words.sum(fullNumber(value.sum))}</span>`
                  : emptyHtml
              }`,
        ),
      ]),
    })}`;
}

/** The chart of a field by region: of its sum, or of its average. */
function chartTarget(
  { axis }: StoredAxis,
  field: Field,
  { lang, compared: [{ region }] }: Comparison,
): string {
  const by = region.level === 'sido' ? '_sido' : '_sigungu';
  const agg = `${isCount(field) ? 'sum' : 'avg'}(${printName(field.name)})`;
  return canonicalUrl(pageContract.dataset, { axis: axis.code, view: 'chart', by, agg, lang });
}

/** The form that compares a region with another one; it proposes the names of a list that must stand on the page. */
export function compareForm(
  region: Region,
  { language, lang }: Pick<Comparison, 'language' | 'lang'>,
): Html {
  const words = compareTexts[language];
  return html`<section aria-labelledby="compare">
    <h2 id="compare">${words.heading}</h2>
    <form class="compare-form" action="${regionPath(region.code)}" method="get">
      ${lang === undefined ? emptyHtml : html`<input type="hidden" name="lang" value="${lang}" />`}
      <label
        ><span>${words.label}</span>
        <input
          name="with"
          list="compared"
          required
          maxlength="60"
          placeholder="${words.placeholder}"
          autocomplete="off"
      /></label>
      <button>${words.button}</button>
    </form>
  </section>`;
}

/** The names of all other regions of today, the neighbours first. */
export function regionNames(region: Region): Html {
  const others = regionTable.filter(({ until, code }) => until === null && code !== region.code);
  const names = new Set([...neighboursOf(region), ...others].map(fullName));
  return html`<datalist id="compared">
    ${[...names].map((name) => html`<option value="${name}"></option>`)}
  </datalist>`;
}
