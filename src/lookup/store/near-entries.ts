import { membersOf, type DocumentSet } from '../../data/search/document-set.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { widerNames } from '../../data/regions/wider-names.ts';
import { endOfField, fieldSeparator } from '../../data/search/gram.ts';
import type { SearchIndex } from '../../data/search/index-file.ts';
import { isWordEnd, isWordStart } from '../../data/search/title-distance.ts';
import { dividedTerms } from './divided-terms.ts';
import { nearTerms, type NearTerm } from './near-terms.ts';

/**
 * Documents of the entries that have most of a query, best first. Subjects count more in a title than in other fields.
 * An entry may be about the query’s region, the sido of that region, or no region. `excluded` has, for each chunk, the
 * documents with the whole query.
 */
export function* nearEntries(
  index: SearchIndex,
  query: Pick<ParsedQuery, 'terms'>,
  excluded: readonly DocumentSet[],
  limit: number,
): Generator<void, number[]> {
  const terms = yield* nearTerms(index, { terms: yield* dividedTerms(index, query.terms) });
  const candidates: Candidate[] = [];
  for (const [at, chunk] of index.chunks.entries()) {
    const worths = yield* worthsIn(at, chunk.documents, terms);
    for (const document of membersOf(excluded[at]!)) worths.of[document] = 0;
    yield;
    for (const document of highest(worths, candidatesMax))
      candidates.push({ at, document, worth: worths.of[document]! });
    yield;
  }
  candidates.sort((a, b) => b.worth - a.worth);
  const entries: ScoredEntry[] = [];
  for (const { at, document } of candidates.slice(0, candidatesMax)) {
    const chunk = index.chunks[at]!;
    entries.push({ document: chunk.base + document, ...scoreOf(chunk.text(document), terms) });
    if (entries.length % textsAStep === 0) yield;
  }
  const best = Math.max(...entries.map(({ subjects }) => subjects));
  return entries
    .filter(({ score, subjects }) => score > 0 && subjects >= best * subjectsShareMin)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit)
    .map(({ document }) => document);
}

/** An entry that may be near, by the index alone. */
interface Candidate {
  /** Position of its chunk. */
  readonly at: number;
  readonly document: number;
  readonly worth: number;
}

interface ScoredEntry {
  readonly document: number;
  readonly score: number;
  /** The part of the score that is not for regions. */
  readonly subjects: number;
}

/** Entries whose texts are read. */
const candidatesMax = 128;
const textsAStep = 16;
/** Entries whose score for subjects is below this share of the best one are not near. */
const subjectsShareMin = 0.3;

interface Worths {
  /** By document of a chunk, the worth of the best form of each term that it probably has. */
  readonly of: Float32Array;
  /** The documents with any. */
  readonly documents: Uint16Array;
}

function* worthsIn(
  at: number,
  documents: number,
  terms: readonly NearTerm[],
): Generator<void, Worths> {
  const worths = new Float32Array(documents);
  /** By document, one more than the position of the last term with a form in it. */
  const added = new Uint8Array(documents);
  const found = new Uint16Array(documents);
  let used = 0;
  for (const [position, { forms }] of terms.entries()) {
    const add = (set: DocumentSet | undefined, worth: number): void => {
      if (set === undefined || set.count === 0) return;
      for (const document of membersOf(set)) {
        if (added[document] === position + 1) continue;
        if (added[document] === 0) found[used++] = document;
        added[document] = position + 1;
        worths[document]! += worth;
      }
    };
    for (const { inTitle, worth } of forms) {
      add(inTitle[at], worth);
      yield;
    }
    for (const { anywhere, worth } of forms) {
      add(anywhere[at], worth * descriptionShare);
      yield;
    }
  }
  return { of: worths, documents: found.subarray(0, used) };
}

/** The documents with the highest worths above 0, at most `count`. */
function highest({ of: worths, documents }: Worths, count: number): Uint16Array {
  let most = 0;
  for (const document of documents) most = Math.max(most, worths[document]!);
  if (most === 0) return documents.subarray(0, 0);
  const levels = new Uint32Array(levelsCount + 1);
  const levelOf = (document: number): number =>
    Math.floor((worths[document]! / most) * levelsCount);
  for (const document of documents) levels[levelOf(document)]!++;
  let level = levelsCount;
  for (let sum = levels[level]!; level > 1 && sum < count;) sum += levels[--level]!;
  return documents
    .filter((document) => levelOf(document) >= level)
    .sort((a, b) => worths[b]! - worths[a]! || a - b)
    .subarray(0, count);
}

const levelsCount = 256;

function scoreOf(text: string, terms: readonly NearTerm[]): Omit<ScoredEntry, 'document'> {
  const ends = fieldEnds(text);
  let [subjects, regions] = [0, 0];
  // A district of another province is another district: 울산 남구 for 인천 남구.
  let isElsewhere = false;
  for (const { forms, isRegion } of terms) {
    let most = 0;
    for (const { text: word, worth } of forms) {
      if (worth <= most) break;
      most = Math.max(most, worth * shareOfPlace(text, word, ends, isRegion));
    }
    if (!isRegion) {
      subjects += most;
      continue;
    }
    const ofAllRegions = forms[0]!.worth * allRegionsShare;
    const isOfAllRegions =
      most < ofAllRegions && !isLocal(text.slice(ends.title + 1, ends.provider));
    regions += isOfAllRegions ? ofAllRegions : isElsewhere ? 0 : most;
    isElsewhere ||= most === 0;
  }
  const longer = 1 - titleUnitCost * Math.min(ends.title, titleUnitsMax);
  return { score: (subjects + regions) * longer, subjects };
}

/** Ends of the fields of an entry, in their order (`catalogFields`). */
function fieldEnds(text: string) {
  const title = endOfField(text, 0);
  const provider = endOfField(text, title + 1);
  const category = endOfField(text, provider + 1);
  // The number comes last, the description before it, and any keywords before that.
  const description = text.lastIndexOf(fieldSeparator);
  const keywords = text.lastIndexOf(fieldSeparator, description - 1);
  return { title, provider, category, keywords };
}

/** Share of a word's worth that the first field with it gives; 0 if none has it. */
function shareOfPlace(
  text: string,
  word: string,
  ends: ReturnType<typeof fieldEnds>,
  isRegion: boolean,
): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at < ends.title)
    return isRegion || isWordOf(text.slice(0, ends.title), word) ? 1 : innerShare;
  if (at < ends.provider) return isRegion ? 1 : providerShare;
  if (at < ends.category) return categoryShare;
  return at < ends.keywords ? keywordShare : descriptionShare;
}

const innerShare = 0.6;
const providerShare = 0.6;
const categoryShare = 0.3;
const keywordShare = 0.7;
const descriptionShare = 0.35;
/** Share of a region's worth that entries have whose provider is of no region. */
const allRegionsShare = 0.4;
const titleUnitCost = 0.002;
const titleUnitsMax = 60;

/** True if a word begins or ends a word of a title. */
function isWordOf(title: string, word: string): boolean {
  for (let at = title.indexOf(word); at >= 0; at = title.indexOf(word, at + 1)) {
    if (isWordStart(title, at) || isWordEnd(title, at + word.length)) return true;
  }
  return false;
}

/** True for a provider whose name begins with a region. */
function isLocal(provider: string): boolean {
  return widerNames(provider.split(' ')[0]!) !== null;
}
