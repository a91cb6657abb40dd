import { textLengthMax } from '../../contract/route.ts';
import { readAmountWords } from './amount-words.ts';
import { dateSpellings } from './date-spellings.ts';
import { keyboardSlip } from './keyboard.ts';
import { keystrokesOf } from './keystrokes.ts';
import { parameterText } from './normalise.ts';
import { withoutParticle } from './particles.ts';
import { phoneSpellings } from './phone-spellings.ts';
import { isFillerWord, withoutFillerEnd } from './filler-words.ts';
import { synonymsOf } from './synonyms.ts';

/** Another query that the user may have meant, and its difference from the typed one. */
export interface Rewrite {
  readonly text: string;
  readonly reason: RewriteReason;
}

export type RewriteReason =
  | 'initials'
  | 'keyboard'
  | 'spacing'
  | 'particles'
  | 'fillers'
  | 'date'
  | 'phone'
  | 'english'
  | 'synonym'
  | 'typo'
  | 'words';

/**
 * Rewrites a query by its text alone, the likeliest rewrite first, never to the query itself: without particles, filler
 * words and punctuation; with the blank that is often missing after the province; without blanks; with the keyboard in
 * the other language; with dates and telephone numbers in other spellings; with synonyms. None for a text longer than a
 * query may be.
 */
export function queryRewrites(text: string): Rewrite[] {
  const query = parameterText(text);
  if ([...query].length > textLengthMax) return [];
  const rewrites = new Map<string, RewriteReason>();
  const add = (reason: RewriteReason, texts: Iterable<string>): void => {
    for (const one of texts) {
      if (one !== '' && one !== query && !rewrites.has(one)) rewrites.set(one, reason);
    }
  };
  const addBare = (typed: string): void => {
    const { withoutParticles, withoutFillers } = bareQueries(typed);
    add('particles', withoutParticles);
    add('fillers', withoutFillers);
    add('date', withoutFillers.flatMap(dateSpellings));
  };
  const amounts = readAmountWords(query);
  if (amounts !== null) add('fillers', [amounts.rest]);
  const bareWords = parameterText(query.replace(/[^\p{L}\p{N}]+/gu, ' '));
  const meant = keyboardSlip(query);
  addBare(query);
  add('date', dateSpellings(query));
  add('phone', phoneSpellings(query));
  add('spacing', [bareWords]);
  addBare(bareWords);
  add('spacing', [query.replace(/(특별시|광역시|특별자치[시도])(?=[가-힣])/gu, '$1 ')]);
  add('spacing', [query.replaceAll(' ', '')]);
  add('spacing', dividedAfterDistricts(query));
  add('typo', [query.replace(/[ㄱ-ㅎㅏ-ㅣ]+$/u, '')]);
  if (meant !== null) {
    const { withoutParticles, withoutFillers } = bareQueries(meant);
    add('keyboard', [meant, ...withoutParticles, ...withoutFillers]);
  }
  add('keyboard', latinReadings(query));
  add('synonym', withSynonyms(bareWords));
  return [...rewrites].map(([one, reason]) => ({ text: one, reason }));
}

/** The query without its particles, a text for each layer of stacked ones (`도서관에서는`); and without filler words, too. */
function bareQueries(query: string): {
  readonly withoutParticles: readonly string[];
  readonly withoutFillers: readonly string[];
} {
  const withoutParticles: string[] = [];
  let words = query.split(' ');
  for (let layer = 0; layer < layersMax; layer++) {
    const bare = words.map((word) =>
      isFillerWord(word) || synonymsOf(word).length > 0 ? word : (withoutParticle(word) ?? word),
    );
    if (bare.every((word, index) => word === words[index])) break;
    words = bare;
    withoutParticles.push(words.join(' '));
  }
  const topics = words
    .filter((word) => !isFillerWord(word))
    .map((word) => {
      const bare = withoutFillerEnd(word);
      return bare === null ? word : (withoutParticle(bare) ?? bare);
    });
  const hasFillers = topics.length > 0 && topics.join(' ') !== words.join(' ');
  return { withoutParticles, withoutFillers: hasFillers ? [topics.join(' ')] : [] };
}

/** Korean stacks at most three particles: 에서만은. */
const layersMax = 3;

/** The query with a blank after the first district in one of its words (`양정동한빛약국`). */
function dividedAfterDistricts(query: string): string[] {
  const words = query.split(' ');
  return words.flatMap((word, at) => {
    const divided = word.replace(/^([가-힣]{1,4}?[동읍면리구군시])(?=[가-힣]{2})/u, '$1 ');
    return divided === word ? [] : [words.with(at, divided).join(' ')];
  });
}

/** The query with one word read as the known Latin word that has the same keys: `쟈랴` is `wifi`. */
function latinReadings(query: string): string[] {
  const words = query.split(' ');
  return words.flatMap((word, at) => {
    const latin = /^[가-힣]+$/.test(word) ? keystrokesOf(word) : '';
    return synonymsOf(latin).length === 0 ? [] : [words.with(at, latin).join(' ')];
  });
}

/**
 * The query with one of its words replaced by each of its synonyms, unless that repeats another word; a station is
 * also listed without 역.
 */
function withSynonyms(query: string): string[] {
  const words = query.split(' ');
  const meanings = words.flatMap((word) => [word, ...synonymsOf(word.toLowerCase())]);
  return words.flatMap((word, at) => {
    const synonyms = synonymsOf(word.toLowerCase()).filter(
      (other) => !joinedLatin.test(other) && !(words.length > 1 && repeatsOne(other, meanings)),
    );
    return [...synonyms, ...stationNames(word)].map((other) => words.with(at, other).join(' '));
  });
}

function repeatsOne(other: string, words: readonly string[]): boolean {
  return words.some((word) => other !== word && other.startsWith(word));
}

/** English synonyms are written without blanks (`electriccar`), which no reader types; short ones are abbreviations. */
const joinedLatin = /^[a-z]{8,}$/;

function stationNames(word: string): string[] {
  return /^[가-힣]{2,}역$/.test(word) ? [word.slice(0, -1)] : [];
}
