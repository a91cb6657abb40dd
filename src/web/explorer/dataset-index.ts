import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { isCodeTable } from '../../data/code-table.ts';
import { dateOf, todayInSeoul } from '../../data/freshness.ts';
import { periodOf } from '../../data/period.ts';
import { filterChips } from '../components/chips.ts';
import { datasetList } from '../components/dataset-list.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { titleIn } from './dataset-view.ts';
import { listPager } from './list-pager.ts';
import { datasetPath } from './paths.ts';
import { regionSummary } from './scope-fact.ts';
import type { SearchView } from './search-view.ts';
import { isUnder, topics } from './topics.ts';

type IndexParams = Pick<RouteParameters<typeof pageContract.search>, 'topic' | 'order'>;
type DatasetOrder = IndexParams['order'];

/** All datasets, or the datasets of a topic, in an order; sample data comes last. */
export function datasetIndex({ topic, order }: IndexParams, view: SearchView): Html {
  const { store, words, language, offset, target } = view;
  const all = [...store.axes.values()].filter((one) => topic === undefined || isUnder(one, topic));
  const axes = orderedDatasets(all, order);
  const rows = axes.reduce((sum, one) => sum + one.rows, 0);
  const samples = axes.filter(isSample).length;
  const shown = axes.slice(offset, offset + pageSize);
  const chips =
    topic === undefined
      ? []
      : [
          {
            text: words.topic(topics[topic].name[language]),
            removeHref: target({ topic: undefined, offset: 0 }),
          },
        ];
  const orders = ['largest', 'newest', 'title'] as const;
  return html`<h1 class="smaller">
      ${topic === undefined ? words.all : topics[topic].name[language]}
    </h1>
    <p class="quiet">
      ${words.counts(formatNumber(axes.length), formatNumber(rows))}
      ${samples === 0 ? null : words.ofSample(formatNumber(samples))}
    </p>
    ${filterChips(words.filters, chips, words)}
    <nav class="contents-line" aria-label="${words.orderLabel}">
      ${orders.map((one) =>
        one === order
          ? html`<strong aria-current="true">${words.orders[one]}</strong>`
          : html`<a href="${target({ order: one, offset: 0 })}">${words.orders[one]}</a>`,
      )}
    </nav>
    ${datasetList(
      shown.map((one) => datasetLine(one, view)),
      language,
    )}
    ${listPager({ offset, pageSize, total: axes.length }, view)}`;
}

const pageSize = 50;

/** Datasets in an order, sample data last. */
export function orderedDatasets(axes: Iterable<StoredAxis>, order: DatasetOrder): StoredAxis[] {
  const compare = comparisons[order];
  return [...axes].sort((a, b) => Number(isSample(a)) - Number(isSample(b)) || compare(a, b));
}

function isSample({ axis }: StoredAxis): boolean {
  return axis.origin === 'sample';
}

const comparisons: Readonly<Record<DatasetOrder, (a: StoredAxis, b: StoredAxis) => number>> = {
  // Codes of places are no amount of anything.
  largest: (a, b) =>
    Number(isCodeTable(a)) - Number(isCodeTable(b)) || b.rows - a.rows || compareTitles(a, b),
  // The day of a download is no age of the data.
  newest: (a, b) =>
    Number(newestDate(a).kind === 'collected') - Number(newestDate(b).kind === 'collected') ||
    compareTexts(newestDate(b).date, newestDate(a).date) ||
    compareTitles(a, b),
  title: compareTitles,
};

/** The date of the source's last change, else the last day of its period, else the date of its collection. */
export function newestDate(stored: StoredAxis): {
  date: string;
  kind: 'asOf' | 'until' | 'collected';
} {
  const { axis } = stored;
  if (axis.sourceModified !== null) return { date: dateOf(axis), kind: 'asOf' };
  const period = periodOf(stored);
  // A date to come is a plan, and no age of the data.
  return period === null || period.to > todayInSeoul()
    ? { date: dateOf(axis), kind: 'collected' }
    : { date: period.to, kind: 'until' };
}

function compareTitles(a: StoredAxis, b: StoredAxis): number {
  return compareTexts(a.axis.title, b.axis.title) || compareTexts(a.axis.code, b.axis.code);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A dataset with its provider, its size, its regions and its date. */
export function datasetLine(
  stored: StoredAxis,
  { words, language, lang }: Pick<SearchView, 'words' | 'language' | 'lang'>,
) {
  const { axis, rows } = stored;
  const { date, kind } = newestDate(stored);
  return {
    title: titleIn(stored, language),
    href: datasetPath(axis.code, lang),
    origin: axis.origin,
    facts: [
      axis.provider?.name ?? null,
      words.rowsOf(formatNumber(rows)),
      ...regionSummary(stored, language),
      words[kind](date),
    ],
  };
}
