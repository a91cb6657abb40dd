import type { Language } from '../../contract/language.ts';
import { pageContract } from '../../contract/pages.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { fullName, type Region } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { overlapsOf } from '../../lookup/endpoints/region.ts';
import { printName } from '../../lookup/where/print.ts';
import { fullNumber } from '../charts/short-number.ts';
import { sampleBadge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { isCount } from './chart-choices.ts';
import { compareTexts } from './compare-texts.ts';
import { labelIn, titleIn } from './dataset-view.ts';
import { requireRegion } from './missing.ts';
import { datasetPath, regionPath } from './paths.ts';
import { namedRegion, regionInQuery, type NamedRegion } from './query-region.ts';
import { regionMeasures, type RegionMeasure } from './region-measures.ts';
import { comparedOutlines, neighboursOf } from './region-place.ts';

interface Comparison extends PageRequest {
  /** The region of the page, then the one beside it. */
  readonly compared: readonly [ComparedRegion, ComparedRegion];
  readonly lang: Language | undefined;
}

interface ComparedRegion extends NamedRegion {
  readonly match: RegionMatch;
  readonly region: Region;
}

/** The region that is compared with another one: a name beside that one, or anywhere. Throws 404. */
export function regionToCompare(text: string, { code, match: { sido } }: ComparedRegion) {
  const named = regionInQuery(text);
  const unique = named?.rest === '' ? findRegion(named.code) : null;
  const targetOf = (other: string): string =>
    canonicalUrl(pageContract.region, { code, with: other });
  return comparedRegion(findRegion(sido.name, text) ?? unique ?? requireRegion(text, targetOf));
}

export function comparedRegion(match: RegionMatch): ComparedRegion {
  const region = match.former ?? match.sigungu ?? match.sido;
  return { match, region, ...namedRegion(match) };
}

/** Names of two regions, with their 시도 where these differ: 부산 해운대구 and 서울 강남구. */
export function shortNames([one, other]: readonly [ComparedRegion, ComparedRegion]) {
  const isOneSido = one.match.sido === other.match.sido;
  const nameOf = ({ region, match: { sido }, name }: ComparedRegion): string => {
    if (isOneSido) return one.region.name === other.region.name ? name : region.name;
    return region.level === 'sido' ? region.name : `${sido.short} ${region.name}`;
  };
  return [nameOf(one), nameOf(other)] as const;
}

/** Two regions side by side: their records by dataset, and values of datasets that both have. */
export async function comparisonSections(view: Comparison): Promise<Html> {
  const words = compareTexts[view.language];
  const [one, other] = view.compared;
  const target = (code: string, beside?: string): string =>
    canonicalUrl(pageContract.region, { code, with: beside, lang: view.lang });
  const rows = comparedRows(view);
  const shared = rows
    .filter(({ counts }) => counts.every((count) => count > 0))
    .map(({ stored }) => stored);
  const measures = await regionMeasures(
    shared,
    view.compared.map(({ place }) => place),
    view,
  );
  return html`<p class="links">
      <a href="${target(other.code, one.code)}">${words.swap}</a>
      <a href="${target(one.code)}">${words.end}</a>
    </p>
    <div class="region">
      ${comparedOutlines([one.region, other.region], view)}
      <div class="compared">
        <h2>${words.counts}</h2>
        ${rows.length === 0 ? notice('note', html`<p>${words.none}</p>`) : countTable(rows, view)}
        ${measures.length === 0 ? emptyHtml : measureSection(measures, view)}
      </div>
    </div>`;
}

interface ComparedRow {
  readonly stored: StoredAxis;
  /** Records of each region. */
  readonly counts: readonly number[];
}

/** Datasets with records of either region: real ones first, then those with most records. */
function comparedRows({ store, compared }: Comparison): ComparedRow[] {
  const counts = compared.map(
    ({ match, place }) =>
      new Map(overlapsOf(store, match, place).map(({ axis, rows }) => [axis, rows])),
  );
  const codes = new Set(counts.flatMap((count) => [...count.keys()]));
  const isSample = ({ stored }: ComparedRow): number => Number(stored.axis.origin === 'sample');
  return [...codes]
    .map((code) => ({
      stored: store.axes.get(code)!,
      counts: counts.map((count) => count.get(code) ?? 0),
    }))
    .sort((a, b) => isSample(a) - isSample(b) || Math.max(...b.counts) - Math.max(...a.counts));
}

function countTable(rows: readonly ComparedRow[], view: Comparison): Html {
  const words = compareTexts[view.language];
  const { language, lang, compared } = view;
  const shown = rows.slice(0, rowsMax);
  const real = rows.filter(({ stored }) => stored.axis.origin !== 'sample');
  const totals = compared.map((_, at) => real.reduce((sum, { counts }) => sum + counts[at]!, 0));
  const cellOf = ({ stored }: ComparedRow, count: number, at: number): Html => {
    const { place, code } = compared[at]!;
    if (count === 0 && isElsewhere(stored, code)) {
      return html`<span class="quiet" title="${words.elsewhere}">${words.uncovered}</span>`;
    }
    const href = canonicalUrl(pageContract.dataset, { axis: stored.axis.code, ...place, lang });
    return count === 0 ? html`0` : html`<a href="${href}">${formatNumber(count)}</a>`;
  };
  return html`${dataTable({
    caption: words.counts,
    columns: columnsOf(words.dataset, compared),
    rows: [
      [html`<strong>${words.total}</strong>`, ...totals.map((sum) => html`${formatNumber(sum)}`)],
      ...shown.map((row) => [
        html`<a href="${datasetPath(row.stored.axis.code, lang)}"
            >${titleIn(row.stored, language)}</a
          >
          ${sampleBadge(row.stored.axis.origin, language)}`,
        ...row.counts.map((count, at) => cellOf(row, count, at)),
      ]),
    ],
  })}
  ${rows.length > rowsMax ? html`<p class="quiet">${words.more(formatNumber(rows.length - rowsMax))}</p>` : emptyHtml}`;
}

const rowsMax = 100;

/** True if the records of a dataset lie in one 시도, a few mistakes of places aside, and a region in another one. */
function isElsewhere({ regions }: StoredAxis, code: string): boolean {
  const sidos = regions.filter((region) => region.code.length === 2);
  const rows = sidos.reduce((sum, sido) => sum + sido.rows, 0);
  const own = sidos.find((sido) => sido.rows >= rows * ownShareMin);
  return own !== undefined && !code.startsWith(own.code);
}

const ownShareMin = 0.99;

function columnsOf(first: string, compared: Comparison['compared']) {
  return [
    { heading: html`${first}` },
    ...shortNames(compared).map((name) => ({ heading: html`${name}`, isNumeric: true })),
  ];
}

function measureSection(measures: readonly RegionMeasure[], view: Comparison): Html {
  const words = compareTexts[view.language];
  const { language, compared } = view;
  return html`<h2>${words.measures}</h2>
    <p class="quiet">${words.measuresLead}</p>
    ${dataTable({
      caption: words.measures,
      columns: columnsOf(words.measure, compared),
      rows: measures.map(({ stored, field, values }) => [
        html`<span class="quiet">${titleIn(stored, language)}</span><br />
          <a rel="nofollow" href="${chartTarget(stored, field, view)}"
            >${labelIn(field, language)}</a
          >${field.unit === null ? emptyHtml : html` <span class="quiet">${field.unit}</span>`}`,
        ...values.map((value) =>
          value === null
            ? html`–`
            : html`${words.avg(fullNumber(value.avg))}
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

/** The form that compares a region with another one; it proposes the neighbours. */
export function compareForm(
  region: Region,
  { language, lang }: Pick<Comparison, 'language' | 'lang'>,
): Html {
  const words = compareTexts[language];
  const names = neighboursOf(region).map(fullName);
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
      <datalist id="compared">
        ${names.map((name) => html`<option value="${name}"></option>`)}
      </datalist>
      <button>${words.button}</button>
    </form>
  </section>`;
}
