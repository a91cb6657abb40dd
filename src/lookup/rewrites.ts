import type { Row } from '../data/axis.ts';
import { isCompareWord } from '../data/korean/compare-words.ts';
import { everydayReadings } from '../data/korean/everyday-words.ts';
import { isInitials } from '../data/korean/initials.ts';
import { queryRewrites, type Rewrite, type RewriteReason } from '../data/korean/rewrites.ts';
import { synonymsOf } from '../data/korean/synonyms.ts';
import { parseQuery, type ParsedQuery } from '../data/korean/terms.ts';
import { typedReadings } from '../data/korean/typed-text.ts';
import { isRegionName } from '../data/regions/is-region-name.ts';
import { laterSigunguName, otherSidoNames } from '../data/regions/other-names.ts';
import { divided, inKorean, namesWithInitials } from './known-names.ts';
import type { IsAbandoned } from './store/sliced-work.ts';
import type { LookupStore, SearchScope } from './store/store.ts';

/** A search whose rewrites are wanted. */
export interface Searched {
  readonly store: LookupStore;
  readonly scope: SearchScope;
  /** Number of matches of a query. */
  readonly count: (query: ParsedQuery) => Promise<number>;
  readonly isAbandoned?: IsAbandoned | undefined;
}

/** Rewrites of a query that has no results, likeliest first. Each rewrite has results. */
export async function rewritesWithResults(q: string, searched: Searched): Promise<Rewrite[]> {
  const rewrites: Rewrite[] = [];
  const tried = new Set([q]);
  for await (const rewrite of candidateRewrites(q, searched)) {
    if (tried.has(rewrite.text)) continue;
    if (tried.size > triesMax) break;
    tried.add(rewrite.text);
    const query = parseQuery(rewrite.text);
    if (query.terms.length === 0 || (await searched.count(query)) === 0) continue;
    rewrites.push(rewrite);
    if (rewrites.length >= rewritesMax) break;
  }
  return rewrites;
}

/** The likeliest rewrite in place of a query, as answers name it; null if there is none. */
export function rewriteOf(
  from: string,
  [rewrite]: readonly Rewrite[],
): { from: string; to: string; reason: RewriteReason } | null {
  return rewrite === undefined ? null : { from, to: rewrite.text, reason: rewrite.reason };
}

const triesMax = 48;
const rewritesMax = 5;

async function* candidateRewrites(q: string, searched: Searched): AsyncGenerator<Rewrite> {
  const { store, scope } = searched;
  if (isInitials(q)) {
    const known = namesWithInitials(q, store);
    const found = await store.namesWithInitials(q, scope, searched.isAbandoned);
    // The words of the catalog are counted, so they are likelier than regions and titles of axes.
    yield* rewritesOf(
      'initials',
      scope === 'catalog' ? [...found, ...known] : [...known, ...found],
    );
  }
  const number = scope === 'catalog' ? portalNumber.exec(q) : null;
  if (number !== null) yield* rewritesOf('fillers', [number[0]]);
  const korean = inKorean(q, store);
  if (korean !== null) yield* rewritesOf('english', [korean]);
  const byText = queryRewrites(q);
  yield* rewritesOf('synonym', withOtherRegions(q));
  yield* byText;
  yield* rewritesOf('spacing', divided(q, store));
  yield* rewritesOf('spacing', await dividedQueries(q, searched));
  const shortest = byText.findLast(({ reason }) => bareReasons.has(reason))?.text;
  if (shortest !== undefined) {
    yield* rewritesOf('spacing', divided(shortest, store));
    yield* rewritesOf('spacing', await dividedQueries(shortest, searched));
    const inEnglish = inKorean(shortest, store);
    if (inEnglish !== null) yield* rewritesOf('english', [inEnglish]);
  }
  yield* rewritesOf('typo', await completions(q, searched));
  for (const text of shortest === undefined ? [q] : [q, shortest]) {
    yield* rewritesOf('typo', await similarQueries(text, searched));
  }
  yield* rewritesOf('words', shorterQueries(shortest ?? q));
}

/** Number of a dataset in an address or a sentence. */
const portalNumber = /(?<!\d)\d{7,8}(?!\d)/;

/** Reasons of rewrites that have fewer letters and the same words. */
const bareReasons: ReadonlySet<RewriteReason> = new Set(['particles', 'fillers']);

/**
 * The query with each of its regions under another name, or under the current name: 전북 and 전라북도, 인천 남구 and 미추홀구.
 */
function withOtherRegions(q: string): string[] {
  const words = q.split(' ');
  return words.flatMap((word, at) => {
    const later = at === 0 ? null : laterSigunguName(words[at - 1]!, word);
    const names = [...otherSidoNames(word), ...(later === null ? [] : [later])];
    return names.map((name) => words.with(at, name).join(' '));
  });
}

/** Names of records that begin with the query, whose last syllable may be half typed. */
async function completions(q: string, { store, scope, isAbandoned }: Searched): Promise<string[]> {
  const [typed] = typedReadings(q);
  if (scope === 'catalog' || typed === undefined || q.length < completedLengthMin) return [];
  const records = await store.typedNames(typed, isAbandoned);
  const names = records.flatMap(({ axis, record }) => {
    const name = store.axes.get(axis)?.fields.find(({ role }) => role === 'name')?.name;
    const value = name === undefined ? null : (JSON.parse(record.toString()) as Row)[name];
    return value === null || value === undefined ? [] : [String(value)];
  });
  return names.slice(0, completionsMax);
}

/** Shorter beginnings fit too many names. */
const completedLengthMin = 3;
const completionsMax = 2;

function rewritesOf(reason: RewriteReason, texts: readonly string[]): Rewrite[] {
  return texts.map((text) => ({ text, reason }));
}

/**
 * The query without one or two of its words, those first that keep the most words. Words that compare go first; they
 * and years never stand alone. Regions go before topics: the festivals of all regions are likelier meant by 강원 축제
 * than all data of 강원.
 */
function shorterQueries(text: string): string[] {
  const words = text.split(' ').slice(0, shortenedWordsMax);
  const without = (...places: number[]): string =>
    words.filter((_, at) => !places.includes(at)).join(' ');
  const places = words
    .map((word, at) => ({ at, order: isCompareWord(word) ? 0 : isRegionName(word) ? 1 : 2 }))
    .sort((a, b) => a.order - b.order || b.at - a.at)
    .map(({ at }) => at);
  const one = words.length < 2 ? [] : places.map((at) => without(at));
  const two =
    words.length < 3
      ? []
      : places.flatMap((at, i) => places.slice(i + 1).map((other) => without(at, other)));
  return [...one, ...two].filter(
    (query) => !query.split(' ').every((word) => isCompareWord(word) || aYear.test(word)),
  );
}

const aYear = /^(?:19|20)\d\d년?$/;
const shortenedWordsMax = 6;

/** The query with the words that occur nowhere divided into words of the catalog, if any are. */
async function dividedQueries(text: string, searched: Searched): Promise<string[]> {
  const { store, scope, count, isAbandoned } = searched;
  if (scope !== 'catalog') return [];
  const words: string[] = [];
  for (const [at, word] of text.split(' ').entries()) {
    const query = parseQuery(word);
    const isKnown = at >= wordsMax || query.terms.length === 0 || (await count(query)) > 0;
    const parts = isKnown ? null : await store.dividedWord(query.text, scope, isAbandoned);
    words.push(...(parts ?? [word]));
  }
  const divided = words.join(' ');
  return divided === text ? [] : [divided];
}

/** The query with the words that occur nowhere replaced by similar ones that do. */
async function similarQueries(text: string, searched: Searched): Promise<string[]> {
  const { store, scope, count, isAbandoned } = searched;
  const words = text.split(' ').slice(0, wordsMax);
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const query = parseQuery(word);
    if (isKnownWord(query)) continue;
    // A former region without data is not a misspelling of another region: 청원군 does not mean 철원군.
    if (query.terms.length === 0 || isRegionName(word) || (await count(query)) > 0) continue;
    // A word of the catalog is spelt right, even if no record has it.
    if (scope === 'records' && (await isInCatalog(query, searched))) continue;
    const similar = await store.similarWords(query.text, scope, isAbandoned);
    found.push(...similar.map((other) => words.with(at, other).join(' ')));
  }
  return found;
}

/** True for a word with a reading of its own, which is no typing mistake: 총선 does not mean 동선. */
function isKnownWord({ text, terms }: ParsedQuery): boolean {
  return synonymsOf(text).length > 0 || everydayReadings(terms).length > 0;
}

async function isInCatalog(query: ParsedQuery, { store, isAbandoned }: Searched): Promise<boolean> {
  const { total } = await store.catalogSearch({ ...query, offset: 0, limit: 0 }, isAbandoned);
  return total >= spelledEntriesMin;
}

/** Entries of the catalog that show how a word is spelt; one or two may have it misspelt. */
const spelledEntriesMin = 3;

/** Words of a query that are corrected or divided; each costs some hundred look-ups. */
const wordsMax = 4;
