import { pageContract } from '../../contract/pages.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { isCodeTable } from '../../data/code-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { overlapsOf } from '../../lookup/endpoints/region.ts';
import { dataTable } from '../components/data-table.ts';
import { panel } from '../components/panel.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { compareTexts } from './compare-texts.ts';
import { shortNames, type Comparison } from './compared-regions.ts';
import { newestDate } from './dataset-index.ts';
import { titleIn } from './dataset-view.ts';
import { datasetPath } from './paths.ts';
import { isElsewhere } from './region-coverage.ts';
import type { regionDates } from './region-dates.ts';
import { searchTexts } from './search-texts.ts';

/** A comparison with the dates of its numbers. */
export interface DatedComparison extends Comparison {
  /** Base dates of the records of each region, by dataset. */
  readonly dates: Awaited<ReturnType<typeof regionDates>>;
}

interface ComparedRow {
  readonly stored: StoredAxis;
  /** Records of each region. */
  readonly counts: readonly number[];
}

/** Datasets with records of either region, those with most records first. */
export function comparedRows({ store, compared }: Comparison): ComparedRow[] {
  const counts = compared.map(
    ({ match, place }) =>
      new Map(overlapsOf(store, match, place).map(({ axis, rows }) => [axis, rows])),
  );
  const codes = new Set(counts.flatMap((count) => [...count.keys()]));
  return [...codes]
    .map((code) => ({
      stored: store.axes.get(code)!,
      counts: counts.map((count) => count.get(code) ?? 0),
    }))
    .sort((a, b) => Math.max(...b.counts) - Math.max(...a.counts));
}

/** Rows of datasets that cover both regions, of those that cover one, and of those that count nothing there. */
export function rowsByKind(rows: readonly ComparedRow[], { compared }: Comparison) {
  const kindOf = ({ stored }: ComparedRow): 'samples' | 'codes' | 'ofOne' | 'both' => {
    if (stored.axis.origin === 'sample') return 'samples';
    if (isCodeTable(stored)) return 'codes';
    return compared.some((region) => isElsewhere(stored, region)) ? 'ofOne' : 'both';
  };
  const { both = [], ofOne = [], codes = [], samples = [] } = Object.groupBy(rows, kindOf);
  return { both, ofOne, codes, samples };
}

/** A table that its reader opens; nothing without rows. */
export function folded(
  summary: (count: string) => string,
  lead: string,
  rows: readonly ComparedRow[],
  view: DatedComparison,
): Html {
  if (rows.length === 0) return emptyHtml;
  const heading = summary(formatNumber(rows.length));
  return panel(
    heading,
    html`<p class="quiet">${lead}</p>
      ${countTable(heading, rows, view)}`,
  );
}

/** Numbers of records of each region, by dataset. */
export function countTable(
  caption: string,
  rows: readonly ComparedRow[],
  view: DatedComparison,
): Html {
  const words = compareTexts[view.language];
  const { compared } = view;
  return html`${dataTable({
    caption,
    columns: columnsOf(words.dataset, compared),
    rows: rows
      .slice(0, rowsMax)
      .map(({ stored, counts }) => [
        datasetCell(stored, view),
        ...counts.map((count, at) => countCell(stored, count, at, view)),
      ]),
  })}
  ${rows.length > rowsMax ? html`<p class="quiet">${words.more(formatNumber(rows.length - rowsMax))}</p>` : emptyHtml}`;
}

const rowsMax = 100;

/** The title of a dataset with its date, unless each number has its own. */
export function datasetCell(stored: StoredAxis, { language, lang, dates }: DatedComparison): Html {
  const { code } = stored.axis;
  const { date, kind } = newestDate(stored);
  return html`<a href="${datasetPath(code, lang)}">${titleIn(stored, language)}</a>
    ${dates.has(code) ? emptyHtml : html`<br /><span class="quiet">${searchTexts[language][kind](date)}</span>`}`;
}

/** The number of records of a region with their dates; in words where the dataset has none to count. */
function countCell(stored: StoredAxis, count: number, at: number, view: DatedComparison): Html {
  const words = compareTexts[view.language];
  const region = view.compared[at]!;
  const { code } = stored.axis;
  if (count === 0) {
    // A dataset without a record of a region does not know that there is none: others may not have reported theirs.
    const reason = isElsewhere(stored, region) ? words.elsewhere : words.absent;
    return html`<span class="quiet">${reason}</span>`;
  }
  const href = canonicalUrl(pageContract.dataset, { axis: code, ...region.place, lang: view.lang });
  return html`<a href="${href}">${formatNumber(count)}</a> ${dateLine(code, at, view)}`;
}

/** The base dates of the records of a region, under their number. */
export function dateLine(axis: string, at: number, { dates, language }: DatedComparison): Html {
  const dated = dates.get(axis)?.[at] ?? null;
  if (dated === null) return emptyHtml;
  const { from, to } = dated;
  const { before, after } = compareTexts[language].asOf;
  const first = from === to ? emptyHtml : html`<time datetime="${from}">${from}</time> – `;
  return html`<br /><span class="quiet"
      >${before}${first}<time datetime="${to}">${to}</time>${after}</span
    >`;
}

/** Headings of a table with a column for each region. */
export function columnsOf(first: string, compared: Comparison['compared']) {
  return [
    { heading: html`${first}` },
    ...shortNames(compared).map((name) => ({ heading: html`${name}`, isNumeric: true })),
  ];
}
