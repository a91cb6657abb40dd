import { parseAddress } from './address.ts';
import { sidoCodeOf } from './coverage.ts';
import { nameKey } from './name-key.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { sigunguEverywhere, sigunguOfKey } from './sigungu-names.ts';

export interface AssumedSido {
  /** Living. */
  readonly sido: Region;
  /** Evidence: a title, provider or file name, or the other names of the column. */
  readonly by: 'title' | 'rows';
  /** The names that are read as this sido's, as the source writes them. */
  readonly names: readonly string[];
}

/**
 * The sido of a column of sigungu (or addresses) without a sido, some of which, such as 중구, exist in several: the
 * sido in the titles, else that of the other names. Null if no name is ambiguous, if titles differ, or if the
 * names disagree.
 */
export function assumeSido(
  values: readonly string[],
  titles: readonly string[],
): AssumedSido | null {
  const { votes, open } = readValues(values);
  if (open.length === 0) return null;
  const titled = sidoOfTitles(titles);
  const [leading = ''] = [...votes.keys()].sort((a, b) => votes.get(b)! - votes.get(a)!);
  if (titled === null && (votes.get(leading) ?? 0) < votesMin) return null;
  const sido = regionByCode(titled ?? leading);
  if (sido === undefined) return null;
  const all = [...votes.values()].reduce((sum, one) => sum + one, 0);
  const known = open.filter((name) => sigunguOfKey(sido.code, name.key) !== undefined);
  if ((votes.get(sido.code) ?? 0) < all * shareMin || known.length < open.length * shareMin) {
    return null;
  }
  return { sido, by: titled === null ? 'rows' : 'title', names: known.map(({ text }) => text) };
}

/**
 * A single name could be a slip. All but one in twenty distinct names leaves room for a stray row.
 */
const votesMin = 2;
const shareMin = 0.95;

interface OpenName {
  readonly text: string;
  readonly key: string;
}

/** Counts distinct values by living sido, and lists the first words that exist in several. */
function readValues(values: readonly string[]): { votes: Map<string, number>; open: OpenName[] } {
  const votes = new Map<string, number>();
  const open = new Map<string, OpenName>();
  for (const value of new Set(values)) {
    const parsed = parseAddress(value);
    if (parsed !== null) {
      const sido = sidoCodeOf(parsed.sido.code);
      votes.set(sido, (votes.get(sido) ?? 0) + 1);
      continue;
    }
    const [text = ''] = value.trim().split(' ', 1);
    const key = nameKey(text);
    if (sigunguEverywhere(key).length > 1) open.set(key, { text, key });
  }
  return { votes, open: [...open.values()] };
}

/** The one living sido that a word of the texts begins with; null for none or several. */
function sidoOfTitles(texts: readonly string[]): string | null {
  const words = texts.flatMap((text) => text.normalize('NFC').split(betweenWords, titleWordsMax));
  const found = new Set(words.flatMap((word) => sidoAtStart(word)));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/** Full names and those of old, `부산광역시교육청` too; two syllables may be anything (대구, 광주). */
function sidoAtStart(word: string): string[] {
  for (let length = Math.min(word.length, nameLengthMax); length >= nameLengthMin; length--) {
    const name = word.slice(0, length);
    const named = sidoOfKey(name);
    // A title's 광주시 may be either city.
    if (named !== undefined && name !== '광주시') return [sidoCodeOf(named.region.code)];
  }
  return [];
}

const betweenWords = /[\s_()[\],·.-]+/;
const titleWordsMax = 20;
const nameLengthMin = 3;
const nameLengthMax = 10;
