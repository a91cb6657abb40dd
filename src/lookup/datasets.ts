import { setImmediate as nextTurn } from 'node:timers/promises';
import { lookupContract } from '../contract/lookup.ts';
import type { StoredAxis } from '../data/axis.ts';
import type { CatalogEntry } from '../data/catalog.ts';
import { unspacedText } from '../data/korean/normalise.ts';
import type { ParsedQuery, SearchTerm } from '../data/korean/terms.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import { hasLongerWords, isInLongerWord } from '../data/search/longer-words.ts';
import { storedAxesOf } from './stored-axes-of.ts';
import type { AxisCounts } from './store/axis-counts.ts';
import type { IsAbandoned } from './store/sliced-work.ts';
import type { LookupStore, SearchResult } from './store/store.ts';
import type { Subject, SubjectKind, Subjects, SubjectsByAxis } from './store/subjects.ts';

/** A dataset that a query names: a stored axis, or an entry of the catalog that has no stored axis. */
export interface NamedDataset {
  readonly axis: string | null;
  readonly catalogId: string | null;
  readonly title: string;
  /** Records of the axis; null if it is not stored. */
  readonly rows: number | null;
  readonly matched: SubjectKind | 'provider' | 'keyword';
  /** Records that the query finds in it. */
  readonly count: number;
  readonly links: {
    readonly rows: string | null;
    readonly search: string | null;
    readonly source: string | null;
  };
}

/**
 * Datasets that a query names by title, label, synonym, provider or keyword, best first: those that answer all of
 * it, by their subject or with records, then entries of the catalog that are not stored.
 */
export async function namedDatasets(
  query: ParsedQuery,
  found: SearchResult,
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<NamedDataset[]> {
  const { axes: counts } = found;
  const best = await bestCandidates(query.terms, counts, store);
  const stored = best.map((candidate) => datasetOf(candidate, query));
  if (stored.length === storedMax) return stored;
  const records = await store.catalogTop(query, catalogMax, isAbandoned);
  const listed = new Set(stored.map(({ axis }) => axis));
  const entries = records.map((record) => JSON.parse(record.toString()) as CatalogEntry);
  const others = entries.flatMap((entry) => {
    const datasets = entryDataset(entry, query, counts, listed, store);
    // Several entries may be about one axis: its file and its API.
    for (const { axis } of datasets) if (axis !== null) listed.add(axis);
    return datasets;
  });
  return [...stored, ...others].slice(0, storedMax);
}

const storedMax = 8;
const catalogMax = 12;
/** Axes that are compared between two turns of other requests. */
const axesPerTurn = 512;

interface Candidate {
  readonly stored: StoredAxis;
  readonly matched: NamedDataset['matched'];
  /** Number of terms that its description has. */
  readonly described: number;
  /** Counted when it is read: few candidates are compared by it. */
  readonly count: number;
  /** True if its title has a term as letters of a longer word alone: 화재 in 문화재. */
  readonly isLetters: boolean;
}

/** The best axes whose descriptions have a part of the query; their records have the rest. */
async function bestCandidates(
  terms: readonly SearchTerm[],
  counts: AxisCounts,
  { axes, topics }: LookupStore,
): Promise<Candidate[]> {
  const subjects = topics.subjectsOf(terms);
  const providers = topics.providersWith(terms);
  const best: Candidate[] = [];
  let passed = 0;
  for (const [code, { fulfilled, byTerm }] of describedAxes(subjects, providers)) {
    // A word of titles may be that of every other axis.
    if (++passed % axesPerTurn === 0) await nextTurn();
    const described = bitCount(fulfilled | (providers.get(code) ?? 0));
    // Without the other terms in records, the dataset is about something else.
    if (described < terms.length && counts.countIn(code) === 0) continue;
    const matched = kindOrder.find((kind) => byTerm.some((subject) => subject?.kind === kind));
    const stored = axes.get(code)!;
    const { title } = stored.axis;
    const candidate: Candidate = {
      stored,
      matched: matched ?? 'provider',
      described,
      get count() {
        return counts.countIn(code);
      },
      isLetters: byTerm.some((subject) => subject !== undefined && isInside(title, subject)),
    };
    const last = best[storedMax - 1];
    if (last !== undefined && compareCandidates(candidate, last) > 0) continue;
    best.push(candidate);
    best.sort(compareCandidates).splice(storedMax);
  }
  return best;
}

/** Axes with subjects, then the others whose provider has a term. */
function* describedAxes(
  subjects: SubjectsByAxis,
  providers: ReadonlyMap<string, number>,
): Generator<[string, Subjects], void> {
  yield* subjects;
  for (const code of providers.keys())
    if (subjects.get(code) === undefined) yield [code, { fulfilled: 0, byTerm: [] }];
}

function isInside(axisTitle: string, { kind, text }: Subject): boolean {
  if (kind === 'label' || !hasLongerWords(text)) return false;
  const title = unspacedText(axisTitle);
  for (let at = title.indexOf(text); at >= 0; at = title.indexOf(text, at + 1)) {
    if (!isInLongerWord(title, at, text)) return false;
  }
  return true;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const kindOrder = ['title', 'synonym', 'label', 'provider'] as const;

function compareCandidates(a: Candidate, b: Candidate): number {
  const isSample = ({ stored }: Candidate): number => (stored.axis.origin === 'sample' ? 1 : 0);
  const orderOf = ({ matched }: Candidate): number =>
    kindOrder.findIndex((kind) => kind === matched);
  return (
    isSample(a) - isSample(b) ||
    Number(a.isLetters) - Number(b.isLetters) ||
    b.described - a.described ||
    orderOf(a) - orderOf(b) ||
    a.stored.axis.title.length - b.stored.axis.title.length ||
    b.count - a.count ||
    (a.stored.axis.code < b.stored.axis.code ? -1 : 1)
  );
}

function datasetOf(
  { stored, matched, count }: Pick<Candidate, 'stored' | 'matched' | 'count'>,
  { text }: ParsedQuery,
): NamedDataset {
  const { code, title, sourceUrl } = stored.axis;
  return {
    axis: code,
    catalogId: null,
    title,
    rows: stored.rows,
    matched,
    count,
    links: {
      rows: canonicalUrl(lookupContract.rows, { axis: code }),
      search: canonicalUrl(lookupContract.search, { q: text, axis: code }),
      source: sourceUrl,
    },
  };
}

/** The dataset of a catalog entry, unless one of its axes is listed already. */
function entryDataset(
  entry: CatalogEntry,
  query: ParsedQuery,
  counts: AxisCounts,
  listed: ReadonlySet<string | null>,
  store: LookupStore,
): NamedDataset[] {
  const axes = storedAxesOf(entry, store);
  if (axes.some(({ axis }) => listed.has(axis.code))) return [];
  const title = unspacedText(entry.title);
  const isTitle = query.terms.every((term) => title.includes(unspacedText(term.text)));
  const matched = isTitle ? 'title' : 'keyword';
  const [stored] = axes;
  if (stored !== undefined) {
    const count = counts.countIn(stored.axis.code);
    return [datasetOf({ stored, matched, count }, query)];
  }
  const links = { rows: null, search: null, source: entry.url };
  return [
    { axis: null, catalogId: entry.id, title: entry.title, rows: null, matched, count: 0, links },
  ];
}
