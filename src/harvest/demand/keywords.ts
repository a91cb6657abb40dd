import { statSync, readFileSync } from 'node:fs';
import type { CatalogEntry } from '../../data/catalog.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { trendLimits } from './limits.ts';
import { keywordLengthMax } from '../../ingest/demand/ranking.ts';
import type { TrendGroup } from './trend-client.ts';

/**
 * Reads a list of keywords, one a line. Synonyms follow after commas and are counted together with the keyword
 * (`화장실, 공중화장실`). Throws for an invalid list.
 */
export function readKeywords(path: string): TrendGroup[] {
  const { size } = statSync(path);
  if (size > trendLimits.keywordBytesMax) {
    throw new Error(
      `${path} has ${size} bytes; at most ${trendLimits.keywordBytesMax} are read; split the list.`,
    );
  }
  const lines = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const groups = lines.flatMap((line, at): TrendGroup[] => {
    const words = [...new Set(line.split(',').map(cleanWord))].filter((word) => word !== '');
    const [groupName] = words;
    if (groupName === undefined) return [];
    const fault =
      words.length > trendLimits.synonymsMax
        ? `has more than ${trendLimits.synonymsMax} words`
        : words.some((word) => word.length > keywordLengthMax)
          ? `has a word of more than ${keywordLengthMax} characters`
          : null;
    if (fault !== null) throw new Error(`Line ${at + 1} of ${path} ${fault}: shorten it.`);
    return [{ groupName, keywords: words }];
  });
  const distinct = distinctGroups(groups);
  if (distinct.length === 0) throw new Error(`${path} has no keyword: write one a line.`);
  if (distinct.length > trendLimits.keywordsMax) {
    throw new Error(
      `${path} has ${distinct.length} keywords: at most ${trendLimits.keywordsMax} are measured at a time; split the list.`,
    );
  }
  return distinct;
}

/**
 * The default keywords to measure: first keywords of served datasets, then keywords of all others. Both are ordered by
 * the number of datasets that have the keyword.
 */
export function defaultKeywords(
  entries: Iterable<CatalogEntry>,
  servedNumbers: ReadonlySet<string>,
): TrendGroup[] {
  const served = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { portalId, type, keywords } of entries) {
    // LINKED datasets belong to other portals, and the markup of their keywords is broken.
    if (type === 'LINKED') continue;
    for (const keyword of new Set(keywords.map(cleanWord))) {
      if (!isPlainWord(keyword)) continue;
      const counts = servedNumbers.has(portalId) ? served : others;
      counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
    }
  }
  const words = [...byCount(served), ...byCount(others)];
  return distinctGroups(words.map((word) => ({ groupName: word, keywords: [word] }))).slice(
    0,
    trendLimits.defaultKeywordsMax,
  );
}

function cleanWord(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** True for words that a user would type: 2 to 20 letters, digits and blanks, at least one of them Hangul. */
function isPlainWord(word: string): boolean {
  return (
    word.length >= 2 && word.length <= 20 && /[가-힣]/.test(word) && !/[^\p{L}\p{N} ]/u.test(word)
  );
}

function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([word]) => word);
}

/** Removes groups whose name differs from an earlier one only in blanks and case. */
function distinctGroups(groups: readonly TrendGroup[]): TrendGroup[] {
  const seen = new Map<string, TrendGroup>();
  for (const group of groups) {
    const key = matchingText(group.groupName).replaceAll(' ', '');
    if (!seen.has(key)) seen.set(key, group);
  }
  return [...seen.values()];
}
