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
import { compareTexts } from './compare-texts.ts';
import { labelIn, titleIn } from './dataset-view.ts';
import { requireRegion } from './missing.ts';
import { regionPath } from './paths.ts';
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

/** Names of two regions without their provinces, unless they are the same, such as 중구. */
export function shortNames([one, other]: readonly [ComparedRegion, ComparedRegion]) {
  const isShort = one.region.name !== other.region.name;
  return [one, other].map(({ name, region }) => (isShort ? region.name : name)) as [string, string];
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
  const cellOf = ({ stored }: ComparedRow, count: number, at: number): Html => {
    const { place } = compared[at]!;
    const href = canonicalUrl(pageContract.dataset, { axis: stored.axis.code, ...place, lang });
    return count === 0 ? html`0` : html`<a href="${href}">${formatNumber(count)}</a>`;
  };
  return html`${dataTable({
    caption: words.counts,
    columns: columnsOf(words.dataset, compared),
    rows: shown.map((row) => [
      html`${titleIn(row.stored, language)} ${sampleBadge(row.stored.axis.origin, language)}`,
      ...row.counts.map((count, at) => cellOf(row, count, at)),
    ]),
  })}
  ${rows.length > rowsMax ? html`<p class="quiet">${words.more(formatNumber(rows.length - rowsMax))}</p>` : emptyHtml}`;
}

const rowsMax = 100;

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
            >${words.sum(labelIn(field, language))}</a
          >${field.unit === null ? emptyHtml : html` <span class="quiet">${field.unit}</span>`}`,
        ...values.map((value) =>
          value === null
            ? html`–`
            : html`${fullNumber(value.sum)}<br /><span class="quiet"
                  >${words.avg(fullNumber(value.avg))}</span
                >`,
        ),
      ]),
    })}`;
}

/** The chart of the sum of a field by region. */
function chartTarget(
  { axis }: StoredAxis,
  { name }: Field,
  { lang, compared: [{ region }] }: Comparison,
): string {
  const by = region.level === 'sido' ? '_sido' : '_sigungu';
  const agg = `sum(${printName(name)})`;
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
