import { parseQuery } from '../../data/korean/terms.ts';
import { formatNumber } from '../layout.ts';
import type { FoundDataset } from './search-datasets.ts';
import type { ResultSection, SearchView } from './search-view.ts';

/** The datasets of a result with what they offer for the words of the query. */
export interface DatasetsSection extends ResultSection {
  readonly list: readonly FoundDataset[];
  /** True if a dataset has a chart in the grouping of the query. */
  readonly hasCharts: boolean;
  readonly hasMaps: boolean;
  /** Use of the words of amounts in the first dataset that has one. */
  readonly amounts: FoundDataset['amounts'];
}

/** The use of the words that are searched for in no record; null for a query without them. */
export async function wordsReason(
  read: string,
  datasets: DatasetsSection,
  view: SearchView,
): Promise<string | null> {
  const reasons = [placeReason(read, datasets, view), await amountReason(read, datasets, view)];
  const known = reasons.filter((reason) => reason !== null);
  return known.length === 0 ? null : known.join(' ');
}

function placeReason(read: string, { hasMaps }: DatasetsSection, view: SearchView): string | null {
  const { place } = view.intent.words;
  if (place === null) return null;
  return hasMaps
    ? view.words.placed(place.record.label, read)
    : view.words.notPlaced(place.name, read);
}

/** The use of the words of amounts in the datasets found; null for a query without them. */
async function amountReason(
  read: string,
  datasets: DatasetsSection,
  view: SearchView,
): Promise<string | null> {
  const { words, intent } = view;
  const { amounts } = intent.words;
  if (amounts === null) return null;
  const isOfGroups = (amounts.order?.groups ?? null) !== null;
  if (isOfGroups && amounts.conditions.length === 0 && intent.grouping !== null) {
    return groupingReason(read, intent.grouping.word, datasets, view);
  }
  if (datasets.amounts === 'read') {
    const kind =
      amounts.order === null ? 'conditions' : amounts.conditions.length === 0 ? 'order' : 'both';
    return words.amountsRead[kind](amounts.text, read);
  }
  if (datasets.amounts === 'choice') return words.amountsChoice(amounts.text, read);
  return words.amountsDropped(amounts.text, read);
}

/** Number of entries of the catalog with the word of the grouping (월별), beside the words that were read. */
async function groupedEntries(read: string, view: SearchView): Promise<number> {
  const { store, isAbandoned, intent } = view;
  if (intent.grouping === null) return 0;
  const query = parseQuery(`"${intent.grouping.word}" ${read}`);
  return (await store.catalogSearch({ ...query, offset: 0, limit: 0 }, isAbandoned)).total;
}

/** The view of data that a query wants (월별, 내 주변), and whether its datasets have it; null if it wants none. */
export async function viewReason(
  read: string,
  datasets: DatasetsSection,
  view: SearchView,
): Promise<string | null> {
  const { words, intent } = view;
  const { count, hasMaps } = datasets;
  if (count === 0) return null;
  if (intent.grouping !== null) {
    return groupingReason(read, intent.grouping.word, datasets, view);
  }
  if (!intent.isNear) return null;
  return hasMaps ? words.mapped(read) : words.notMapped(read);
}

/** The charts of the datasets in a grouping, or the entries of the catalog that name it. */
async function groupingReason(
  read: string,
  word: string,
  { hasCharts }: DatasetsSection,
  view: SearchView,
): Promise<string> {
  const { words } = view;
  if (hasCharts) return words.grouped(word, read);
  const listed = await groupedEntries(read, view);
  const inCatalog =
    listed === 0 ? '' : ` ${words.groupedInCatalog(word, read, formatNumber(listed))}`;
  return words.notGrouped(word, read) + inCatalog;
}
