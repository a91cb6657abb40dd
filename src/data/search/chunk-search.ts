import { CheckedSet } from './checked-set.ts';
import {
  bytesOf,
  emptySet,
  intersect,
  setOfList,
  slice,
  subtract,
  unite,
  type DocumentSet,
} from './document-set.ts';
import {
  fieldSeparator,
  gramKind,
  gramsOf,
  isExact,
  runKeysOf,
  startGramOf,
  wholeFieldKey,
  type GramKey,
} from './gram.ts';
import { canFork, doubtfulDocuments } from './forks.ts';
import type { SearchChunk } from './index-file.ts';
import { documentsWith, membersWith } from './key-documents.ts';
import { tiers, type Query, type Tier } from './rank.ts';

/** A query compiled to keys, the same for every chunk of an index. */
export interface Plan {
  readonly query: Query;
  /** Bits of the terms that are topics of the dataset and need not occur in a document. */
  readonly fulfilled: number;
  /** Keys that every match has; none if every document matches. */
  readonly keys: readonly GramKey[];
  /** Keys of runs of one unit, which every match has; only chunks with `hasRuns` contain them. */
  readonly runKeys: readonly GramKey[];
  /** Terms that another word in the name or a tag can fulfil, too. Their keys and needles are only here. */
  readonly choices: readonly Choice[];
  /** Bits of the terms that a tag can fulfil. */
  readonly tagged: number;
  /** Keys of all terms in the name. */
  readonly nameKeys: readonly GramKey[];
  /** Keys of the required terms in the name. */
  readonly requiredNameKeys: readonly GramKey[];
  /** True if a document with all of these keys matches: no text and no tag is left to check. */
  readonly areNameKeysEnough: boolean;
  readonly nameStart: GramKey;
  readonly wholeField: GramKey;
  /** Required terms, as UTF-8, that must be checked against the text because their keys do not prove them. */
  readonly needles: readonly Buffer[];
}

/** A term that a document fulfils with the text in any field, one of `nameSynonyms` in the name, or the tag. */
interface Choice {
  readonly text: string;
  readonly nameSynonyms: readonly string[];
  readonly tag: GramKey | undefined;
}

/** Plan of a query with at least one term, over the documents that have `tag`. */
export function planOf(query: Query, tag: GramKey | undefined, fulfilled = 0): Plan {
  const choices: Choice[] = [];
  const texts: string[] = [];
  const required: string[] = [];
  let tagged = 0;
  for (const [position, term] of query.terms.entries()) {
    const { text, nameSynonyms = [], tag: ownTag } = term;
    const isRequired = (fulfilled & (1 << position)) === 0;
    if (isRequired && ownTag !== undefined) tagged |= 1 << position;
    if (isRequired && (nameSynonyms.length > 0 || ownTag !== undefined)) {
      choices.push({ text, nameSynonyms, tag: ownTag });
      continue;
    }
    texts.push(text);
    if (isRequired) required.push(text);
  }
  const keys = required.flatMap((text) => gramsOf(text, gramKind.text));
  const needles = required.filter((text) => !isExact(text)).map((text) => Buffer.from(text));
  return {
    query,
    fulfilled,
    keys: tag === undefined ? keys : [tag, ...keys],
    runKeys: required.flatMap(runKeysOf),
    choices,
    tagged,
    nameKeys: nameKeysOf(texts),
    requiredNameKeys: nameKeysOf(required),
    nameStart: startGramOf(query.terms[0]!.text.split(' ')[0]!),
    wholeField: wholeFieldKey(query.text),
    areNameKeysEnough: tag === undefined && needles.length === 0,
    needles,
  };
}

function nameKeysOf(texts: readonly string[]): GramKey[] {
  return texts.flatMap((text) => gramsOf(text, gramKind.name));
}

/** True if the keys of a chunk show that it has no match. Most chunks lack a key of a rare word. */
export function lacksMatches(chunk: SearchChunk, plan: Plan): boolean {
  for (const key of keysIn(chunk, plan)) if (chunk.countOf(key) === 0) return true;
  return false;
}

/** Keys of a plan that a chunk has for every match. */
function keysIn({ hasRuns }: SearchChunk, { keys, runKeys }: Plan): readonly GramKey[] {
  return runKeys.length > 0 && hasRuns ? [...runKeys, ...keys] : keys;
}

/** Documents of a chunk that fulfil a choice by their name. */
interface NamedDocuments {
  /** With the term in the name. */
  readonly term: DocumentSet;
  /** With the term or another word for it in the name. */
  readonly nameWord: DocumentSet;
}

/** Documents of a chunk that fulfil choices, by the text of each choice. */
class FoundChoices {
  readonly any = new Map<string, DocumentSet>();
  readonly named = new Map<string, NamedDocuments>();
}

/** Estimated bytes of a search of a chunk without sets. */
const objectBytes = 600;
/** Names read between two yields. */
const namesPerStep = 256;
/** Texts that are read at most to prove all matches of a chunk; with more, only the texts that a page needs are read. */
const doubtfulMax = 256;

/**
 * A query over one chunk: sets are computed on first use and cached. `prepare` comes before the candidates, and
 * `prepareTiers` before the tiers: most chunks of a common word are only counted, so their names are not read.
 */
export class ChunkSearch {
  readonly chunk: SearchChunk;
  readonly plan: Plan;
  readonly #found: FoundChoices;
  #needles: readonly Buffer[];
  #isPrepared: boolean;
  #candidates: DocumentSet | null = null;
  /** The candidates with all terms in the name. */
  #withNames: DocumentSet | null = null;
  readonly #tiers: (DocumentSet | undefined)[] = [];

  /** Searches of one chunk by other plans of the same query share what they have found. */
  constructor(chunk: SearchChunk, plan: Plan, other?: ChunkSearch) {
    this.chunk = chunk;
    this.#found = other === undefined ? new FoundChoices() : other.#found;
    this.plan = plan;
    this.#needles = plan.needles;
    const canProve = chunk.hasForks && plan.needles.length > 0;
    this.#isPrepared = plan.choices.length === 0 && !canProve;
  }

  /** Estimated bytes in memory. Sets that are those of several tiers count once. */
  get bytes(): number {
    const sets = new Set([this.#candidates, this.#withNames, ...this.#tiers]);
    for (const set of this.#found.any.values()) sets.add(set);
    for (const { term, nameWord } of this.#found.named.values()) sets.add(term).add(nameWord);
    let sum = objectBytes;
    for (const set of sets) if (set !== null && set !== undefined) sum += bytesOf(set);
    return sum;
  }

  /** Required terms, as UTF-8, that some candidates may lack. */
  get needles(): readonly Buffer[] {
    return this.#needles;
  }

  /** Number of candidates, without a set if one key has them. */
  countCandidates(): number {
    const { keys, choices, needles } = this.plan;
    // A text may lack a needle although it has the key.
    if (choices.length > 0 || needles.length > 0 || keys.length > 1)
      return this.allCandidates().count;
    const [key] = keys;
    return key === undefined ? this.chunk.documents : this.chunk.countOf(key);
  }

  /** Documents that have every key: the matches, and a few others if texts must be checked. */
  allCandidates(): DocumentSet {
    this.#candidates ??= this.#documentsWithChoices(keysIn(this.chunk, this.plan), 'any');
    return this.#candidates;
  }

  /** Documents that have all keys and fulfil every choice in the given way. */
  #documentsWithChoices(keys: readonly GramKey[], way: 'any' | keyof NamedDocuments): DocumentSet {
    const { any, named } = this.#found;
    const [first, ...others] = this.plan.choices.map(({ text }) =>
      way === 'any' ? any.get(text)! : named.get(text)![way],
    );
    if (first === undefined) return documentsWith(this.chunk, keys);
    const chosen = others.reduce(intersect, first);
    return keys.length === 0 ? chosen : intersect(chosen, documentsWith(this.chunk, keys));
  }

  /** Finds the documents of each choice, and the candidates that forks prove to be matches. */
  *prepare(): Generator<void, void> {
    if (this.#isPrepared) return;
    const { any } = this.#found;
    for (const choice of this.plan.choices)
      if (!any.has(choice.text)) any.set(choice.text, yield* this.#chooseDocuments(choice));
    if (this.chunk.hasForks && this.plan.needles.length > 0) yield* this.#proveMatches();
    this.#isPrepared = true;
  }

  /** Finds the documents of each choice by their names, too. */
  *prepareTiers(): Generator<void, void> {
    yield* this.prepare();
    for (const choice of this.plan.choices) yield* this.#nameDocuments(choice);
  }

  /** Reads the texts of the candidates that may lack a term, if they are few. */
  *#proveMatches(): Generator<void, void> {
    const candidates = this.allCandidates();
    if (candidates.count === 0) return;
    const unproven: Buffer[] = [];
    let doubtful = emptySet;
    for (const needle of this.plan.needles) {
      const set = this.#doubtful(candidates, needle.toString());
      if (set.count > doubtfulMax) unproven.push(needle);
      else doubtful = unite(doubtful, set);
    }
    const checked = new CheckedSet(this.chunk, doubtful, this.plan.needles);
    const matches = yield* checked.firstMatches(Infinity);
    this.#candidates = subtract(candidates, subtract(doubtful, matches));
    this.#needles = unproven;
  }

  *#chooseDocuments(choice: Choice): Generator<void, DocumentSet> {
    const { text, nameSynonyms, tag } = choice;
    const tagged = tag === undefined ? emptySet : this.chunk.setOf(tag);
    const candidates = documentsWith(this.chunk, gramsOf(text, gramKind.text));
    const untagged = subtract(candidates, tagged);
    const doubtful = this.#doubtful(untagged, text);
    const checked = new CheckedSet(this.chunk, doubtful, [Buffer.from(text)]);
    const matches = yield* checked.firstMatches(Infinity);
    const lacking = subtract(doubtful, matches);
    const withText = unite(tagged, subtract(untagged, lacking));
    // Without other words, the documents with the term in the name are all among these.
    if (nameSynonyms.length === 0) return withText;
    return unite(withText, (yield* this.#nameDocuments(choice)).nameWord);
  }

  *#nameDocuments({ text, nameSynonyms }: Choice): Generator<void, NamedDocuments> {
    const found = this.#found.named.get(text);
    if (found !== undefined) return found;
    const term = yield* this.#documentsWithName(text);
    let nameWord = term;
    for (const word of nameSynonyms) {
      nameWord = unite(nameWord, yield* this.#documentsWithName(word, nameWord));
    }
    this.#found.named.set(text, { term, nameWord });
    return { term, nameWord };
  }

  /** Documents with the keys of a text that may lack it. */
  #doubtful(candidates: DocumentSet, text: string): DocumentSet {
    if (isExact(text) || candidates.count === 0) return emptySet;
    if (!this.chunk.hasForks || !canFork(text)) return candidates;
    return doubtfulDocuments(this.chunk, candidates, text);
  }

  /** Documents whose name contains a word; some of those in `known` may be left out. */
  *#documentsWithName(word: string, known = emptySet): Generator<void, DocumentSet> {
    const candidates = subtract(documentsWith(this.chunk, nameKeysOf([word])), known);
    const doubtful = this.#doubtful(candidates, word);
    const lacking: number[] = [];
    for (let at = 0; at < doubtful.count; at += namesPerStep) {
      const documents = slice(doubtful, at, namesPerStep);
      for (const [i, text] of this.chunk.texts(documents).entries()) {
        const found = text.indexOf(word);
        const separator = text.indexOf(fieldSeparator);
        if (found < 0 || (separator >= 0 && found >= separator)) lacking.push(documents[i]!);
      }
      yield;
    }
    return subtract(candidates, setOfList(Uint16Array.from(lacking)));
  }

  /** The candidates of one tier; no document is in two tiers. */
  tierSet(tier: Tier): DocumentSet {
    return (this.#tiers[tier] ??= this.#computeTier(tier));
  }

  #computeTier(tier: Tier): DocumentSet {
    const { wholeField, nameStart, requiredNameKeys, choices, fulfilled } = this.plan;
    if (requiredNameKeys.length === 0 && choices.length === 0)
      return tier === 0 ? this.allCandidates() : emptySet;
    const isAbout = fulfilled !== 0;
    switch (tier) {
      case 0:
        return emptySet;
      case 1:
        return this.#named([nameStart, wholeField]);
      case 2:
        return this.#withoutBetterTiers(tier, this.#named([nameStart]));
      case 3:
        return this.#withoutBetterTiers(tier, this.#named([]));
      case 4:
        if (!isAbout && choices.every(({ nameSynonyms }) => nameSynonyms.length === 0))
          return emptySet;
        return this.#withoutBetterTiers(tier, this.#candidatesWith(requiredNameKeys, 'nameWord'));
      default:
        if (isAbout !== (tier === 5)) return emptySet;
        return this.#withoutBetterTiers(tier, this.allCandidates());
    }
  }

  /** The documents of a set that are in no better tier. */
  #withoutBetterTiers(tier: Tier, set: DocumentSet): DocumentSet {
    let rest = set;
    for (const better of tiers) {
      if (better >= tier || rest.count === 0) break;
      rest = subtract(rest, this.tierSet(better));
    }
    return rest;
  }

  #candidatesWith(keys: readonly GramKey[], way: keyof NamedDocuments = 'term'): DocumentSet {
    const documents = this.#documentsWithChoices(keys, way);
    return documents.count === 0 || this.plan.areNameKeysEnough
      ? documents
      : intersect(documents, this.allCandidates());
  }

  /** The candidates with all terms in the name that have other keys, too. */
  #named(others: readonly GramKey[]): DocumentSet {
    // Few chunks have a name that is the whole query, so this comes before any set.
    for (const key of others) if (this.chunk.countOf(key) === 0) return emptySet;
    let documents = (this.#withNames ??= this.#candidatesWith(this.plan.nameKeys));
    for (const key of others) {
      if (documents.count === 0) break;
      documents = membersWith(this.chunk, documents, key);
    }
    return documents;
  }
}
