import { lookupContract } from '../../contract/lookup.ts';
import { textLengthMax } from '../../contract/route.ts';
import type { Origin, Row } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { matchingText, parameterText } from '../../data/korean/normalise.ts';
import { parseQuery, type SearchTerm } from '../../data/korean/terms.ts';
import { typedReadings, type TypedText } from '../../data/korean/typed-text.ts';
import { sigunguNamed } from '../../data/regions/sigungu-named.ts';
import { recordId } from '../../data/record-id.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { recordLink } from '../endpoints/record.ts';
import { inKorean, namesWithInitials } from '../known-names.ts';
import { perStore } from '../per-store.ts';
import { storedAxesOf } from '../stored-axes-of.ts';
import type { IsAbandoned } from '../store/sliced-work.ts';
import { sidoCodeOfTerm } from '../store/region-terms.ts';
import type { LookupStore } from '../store/store.ts';
import type { SubjectKind } from '../store/subjects.ts';
import { datasetText, knownTexts, type StoreText } from './known-texts.ts';

/** Something that a user may be typing. */
interface Suggestion {
  readonly kind: 'dataset' | 'region' | 'name' | 'word' | 'reading';
  readonly text: string;
  /** Search that finds it. */
  readonly query: string;
  /** The provider of a dataset, the current name of a region, or the dataset of a name or label. */
  readonly detail: string | null;
  /** Null for an item that is not part of a dataset. */
  readonly origin: Origin | null;
  readonly links: { readonly search: string; readonly self: string | null };
}

/** Completes a half-typed text, likeliest first and sample data last; the search of each item finds something. */
export async function suggest(
  typed: string,
  limit: number,
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  const readings = typedReadings(typed);
  if (readings.length === 0 || limit === 0) return [];
  const known = await knownWith(readings, store);
  const about = await datasetsAbout(readings[0]!, store, isAbandoned);
  const found = [
    await readingOf(typed, readings, store, isAbandoned),
    await firstFound(knownNamesOf(typed, known, store), namesMax, store, isAbandoned),
    await firstFound(
      known.filter(({ kind }) => kind === 'region'),
      regionsMax,
      store,
      isAbandoned,
    ),
    known.filter(({ kind }) => kind === 'dataset').map(sureItem),
    about,
    await firstFound(
      known.filter(({ kind }) => kind === 'word'),
      wordsMax,
      store,
      isAbandoned,
    ),
    await names(readings, store, isAbandoned),
    await catalogEntries(readings, known, store, isAbandoned),
  ];
  return inTurns(found, new Set(about), readings[0]!.text, limit);
}

/** Names with initial consonants; the first is that which a search reads. */
const namesMax = 3;
const regionsMax = 3;
const datasetsMax = 3;
const wordsMax = 3;
/** Searches that are tried for one kind of suggestions. */
const triesMax = 6;

/** Known texts with the first reading that any has, best place first. */
async function knownWith(readings: readonly TypedText[], store: LookupStore): Promise<StoreText[]> {
  const { texts, spellings } = await knownTexts(store);
  for (const reading of readings) {
    const found = spellings.find(reading);
    const placed = found.map(({ item, quality }) => ({ known: texts[item]!, quality }));
    // A region is typed from its beginning: 제주특별자치도 서귀포시 is none for 도서.
    const likely = placed.filter(({ known, quality }) => known.kind !== 'region' || quality < 2);
    if (likely.length > 0) return likely.map((each) => each.known);
  }
  return [];
}

/** The names that a search reads in typed initial consonants, likeliest first. */
function knownNamesOf(typed: string, known: readonly StoreText[], store: LookupStore): StoreText[] {
  const texts = known.filter(({ kind }) => kind !== 'dataset');
  return namesWithInitials(typed, store).flatMap(
    (name) => texts.find(({ text }) => text === name || text.endsWith(` ${name}`)) ?? [],
  );
}

/**
 * Stored datasets that all typed words are about, names of regions aside, the largest first: 승강기 for 엘리베이터,
 * 아파트(매매) 실거래가 for 아파트 실거래가. One word in a title is found by its spelling.
 */
async function datasetsAbout(
  { text }: TypedText,
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  const { terms } = parseQuery(text);
  const isSpelt = (kind: SubjectKind | undefined): boolean =>
    terms.length === 1 && kind !== 'synonym';
  const about = [...store.topics.subjectsOf(terms)]
    .map(([code, { byTerm }]) => ({ stored: store.axes.get(code)!, byTerm }))
    .filter(({ byTerm }) =>
      terms.every((term, at) =>
        byTerm[at] === undefined ? isRegion(term) : !isSpelt(byTerm[at].kind),
      ),
    )
    .sort((a, b) => b.stored.rows - a.stored.rows)
    .slice(0, datasetsMax);
  const items: Suggestion[] = [];
  for (const { stored, byTerm } of about) {
    const known = datasetText(stored);
    const regions = terms.filter((_, at) => byTerm[at] === undefined).map((term) => term.text);
    const queries = known.queries.map((query) => [...regions, query].join(' '));
    items.push(
      ...(await firstFound(
        [{ ...known, queries, isSure: regions.length === 0 }],
        1,
        store,
        isAbandoned,
      )),
    );
  }
  return items;
}

function isRegion(term: SearchTerm): boolean {
  return sidoCodeOfTerm(term) !== null || sigunguNamed(term.text).length > 0;
}

/** The text read in the other keyboard language or translated from English, if nothing has it as it was typed. */
async function readingOf(
  typed: string,
  [asTyped, ...others]: readonly TypedText[],
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  if (!/[a-z]/.test(asTyped!.text) || (await hasResults(asTyped!.text, store, isAbandoned)))
    return [];
  const slip = others.find(({ text }) => /^[가-힣 ]{2,}$/.test(text));
  for (const text of [inKorean(typed, store), slip?.text]) {
    if (text === null || text === undefined) continue;
    if (!(await hasResults(text, store, isAbandoned))) continue;
    return [{ kind: 'reading', text, ...searchOf(text, null), detail: typed, origin: null }];
  }
  return [];
}

/** The first known texts of which a search finds something. */
async function firstFound(
  known: readonly StoreText[],
  max: number,
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  const items: Suggestion[] = [];
  let tries = 0;
  for (const each of known) {
    if (items.length === max || tries === triesMax) break;
    if (each.isSure) {
      items.push(sureItem(each));
      continue;
    }
    tries++;
    for (const query of each.queries) {
      if (!(await hasResults(query, store, isAbandoned))) continue;
      items.push({ ...sureItem(each), ...searchOf(query, each.self) });
      break;
    }
  }
  return items;
}

function sureItem({ kind, text, queries, detail, origin, self }: StoreText): Suggestion {
  return { kind, text, ...searchOf(queries[0]!, self), detail, origin };
}

function searchOf(query: string, self: string | null): Pick<Suggestion, 'query' | 'links'> {
  return { query, links: { search: canonicalUrl(lookupContract.search, { q: query }), self } };
}

/** Names of records with the first reading that any begins with. */
async function names(
  readings: readonly TypedText[],
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  for (const reading of readings) {
    const found = await store.typedNames(reading, isAbandoned);
    const items = found.flatMap(({ axis: code, record }) => {
      const stored = store.axes.get(code)!;
      const field = stored.fields.find(({ role, searchable }) => searchable && role === 'name');
      // A store's record is the JSON of a row.
      const text = String((JSON.parse(record.toString()) as Row)[field!.name]);
      const query = parameterText(text);
      if (query.length > textLengthMax || parseQuery(query).terms.length === 0) return [];
      const self = recordLink(code, recordId(record, stored.axis.keyFields));
      const { title: detail, origin } = stored.axis;
      return [{ kind: 'name' as const, text: query, ...searchOf(query, self), detail, origin }];
    });
    if (items.length > 0) return items;
  }
  return [];
}

/** Entries of the catalog without a stored axis, by the typed text or by the first word that it may become. */
async function catalogEntries(
  readings: readonly TypedText[],
  known: readonly StoreText[],
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<Suggestion[]> {
  const word = known.find(({ kind }) => kind === 'word')?.text;
  for (const text of [...readings.map((reading) => reading.text), ...(word ? [word] : [])]) {
    const { terms, text: query } = parseQuery(text);
    if (terms.length === 0) continue;
    const records = await store.catalogTop({ terms, text: query }, entriesMax, isAbandoned);
    if (records.length === 0) continue;
    return records.flatMap((record) => {
      const entry = JSON.parse(record.toString()) as CatalogEntry;
      const title = parameterText(entry.title).replace(/["“”]/g, ' ');
      if (title.length > textLengthMax || storedAxesOf(entry, store).length > 0) return [];
      const { provider: detail, url } = entry;
      const origin = store.catalog.origin;
      return [
        {
          kind: 'dataset' as const,
          text: entry.title,
          ...searchOf(title.trim(), url),
          detail,
          origin,
        },
      ];
    });
  }
  return [];
}

const entriesMax = 8;

/**
 * Takes a few of each list, then what is left of them in order; each search once. Items that contain the word being typed
 * or mean it come before those whose syllables it may become (중구 for 주), and sample data is last.
 */
function inTurns(
  lists: readonly (readonly Suggestion[])[],
  about: ReadonlySet<Suggestion>,
  typed: string,
  limit: number,
): Suggestion[] {
  const word = typed.slice(typed.lastIndexOf(' ') + 1);
  const isOther = (item: Suggestion): number =>
    Number(item.kind !== 'reading' && !about.has(item) && !matchingText(item.text).includes(word));
  const few = lists.flatMap((list) => list.slice(0, datasetsMax));
  const rest = lists.flatMap((list) => list.slice(datasetsMax));
  const byQuery = new Map<string, Suggestion>();
  const inOrder = (a: Suggestion, b: Suggestion): number =>
    isSample(a) - isSample(b) || isOther(a) - isOther(b);
  for (const item of [...few, ...rest].sort(inOrder)) {
    const key = matchingText(item.query);
    if (!byQuery.has(key)) byQuery.set(key, item);
  }
  return [...byQuery.values()].slice(0, limit);
}

function isSample({ origin }: Suggestion): number {
  return Number(origin === 'sample');
}

async function hasResults(
  text: string,
  store: LookupStore,
  isAbandoned?: IsAbandoned,
): Promise<boolean> {
  const known = resultsByText(store);
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const { terms, text: query } = parseQuery(text);
  const isFound = terms.length > 0 && (await store.hasMatch({ terms, text: query }, isAbandoned));
  if (known.size === resultsMax) known.clear();
  known.set(text, isFound);
  return isFound;
}

/** Searches that are known to find something or nothing. */
const resultsByText = perStore(() => new Map<string, boolean>());
const resultsMax = 10_000;
