import { parseAddress } from './address.ts';
import { currentSidoCode } from './coverage.ts';
import { nameKey } from './name-key.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { allSigunguOfName, sigunguOfKey } from './sigungu-names.ts';

export interface AssumedSido {
  /** A current sido. */
  readonly sido: Region;
  /** Evidence: a title, provider or file name, or the other names of the column. */
  readonly by: 'title' | 'rows';
  /** Ambiguous names that exist in this sido, as the source writes them. */
  readonly names: readonly string[];
}

/**
 * Finds the sido of the ambiguous names, such as 중구, in a column of sigungu or addresses: the sido in the titles, or else
 * that of the other names. Null if no name is ambiguous, or if titles or names contradict each other.
 */
export function assumeSido(
  values: readonly string[],
  titles: readonly string[],
): AssumedSido | null {
  const { votes, ambiguous } = readValues(values);
  if (ambiguous.length === 0) return null;
  const titleSido = sidoOfTitles(titles);
  const [leading = ''] = [...votes.keys()].sort((a, b) => votes.get(b)! - votes.get(a)!);
  if (titleSido === null && (votes.get(leading) ?? 0) < votesMin) return null;
  const sido = regionByCode(titleSido ?? leading);
  if (sido === undefined) return null;
  const total = [...votes.values()].reduce((sum, one) => sum + one, 0);
  const namesInSido = ambiguous.filter((name) => sigunguOfKey(sido.code, name.key) !== undefined);
  if (
    (votes.get(sido.code) ?? 0) < total * shareMin ||
    namesInSido.length < ambiguous.length * shareMin
  ) {
    return null;
  }
  return {
    sido,
    by: titleSido === null ? 'rows' : 'title',
    names: namesInSido.map(({ text }) => text),
  };
}

/** At least two names, since one could be a mistake, and 95 % of the distinct names, to tolerate stray rows. */
const votesMin = 2;
const shareMin = 0.95;

interface AmbiguousName {
  readonly text: string;
  readonly key: string;
}

/** Counts distinct values by current sido, and lists the names that are sigungu of several sidos. */
function readValues(values: readonly string[]): {
  votes: Map<string, number>;
  ambiguous: AmbiguousName[];
} {
  const votes = new Map<string, number>();
  const byKey = new Map<string, AmbiguousName>();
  for (const value of new Set(values)) {
    const parsed = parseAddress(value);
    if (parsed !== null) {
      const sido = currentSidoCode(parsed.sido.code);
      votes.set(sido, (votes.get(sido) ?? 0) + 1);
      continue;
    }
    const [text = ''] = value.trim().split(' ', 1);
    const key = nameKey(text);
    if (allSigunguOfName(key).length > 1) byKey.set(key, { text, key });
  }
  return { votes, ambiguous: [...byKey.values()] };
}

/** Code of the only current sido with which a word of the texts begins; null for none or several. */
function sidoOfTitles(texts: readonly string[]): string | null {
  const words = texts.flatMap((text) => text.normalize('NFC').split(betweenWords, titleWordsMax));
  const sidos = new Set(words.flatMap((word) => sidoAtStart(word)));
  const [only = null] = sidos;
  return sidos.size === 1 ? only : null;
}

/** Code of the sido with whose full or former name a word begins (`부산광역시교육청`); names of two syllables are too ambiguous. */
function sidoAtStart(word: string): string[] {
  for (let length = Math.min(word.length, nameLengthMax); length >= nameLengthMin; length--) {
    const name = word.slice(0, length);
    const match = sidoOfKey(name);
    // 광주시 in a title may be either city.
    if (match !== undefined && name !== '광주시') return [currentSidoCode(match.region.code)];
  }
  return [];
}

const betweenWords = /[\s_()[\],·.-]+/;
const titleWordsMax = 20;
const nameLengthMin = 3;
const nameLengthMax = 10;
