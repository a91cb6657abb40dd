import type { CatalogEntry } from '../../data/catalog.ts';
import { matchingText } from '../../data/korean/normalise.ts';

/** Catalog entries whose title may be the title of a file. */
export interface TitleMatches {
  /** Entries whose titles have the same letters and digits; one for each number. */
  readonly same: readonly CatalogEntry[];
  /** Entries whose titles are the same without texts in brackets. */
  readonly near: readonly CatalogEntry[];
}

export const noMatches: TitleMatches = { same: [], near: [] };

/** A title as letters and digits alone: the portal writes `_` for a blank in the names of files. */
function titleKey(title: string): string {
  return matchingText(title).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Words of a title, for a search of the catalog. */
export function titleWords(title: string): string[] {
  return matchingText(title)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The first two and the last two characters of a title without brackets: a blank inside a word rarely divides them. */
export function titleEnds(title: string): string[] {
  const words = titleWords(withoutBrackets(title));
  return words.length === 0 ? titleWords(title) : [words[0]!.slice(0, 2), words.at(-1)!.slice(-2)];
}

/** Selects the entries that match a title from the entries that have its words. */
export function matchTitle(title: string, found: readonly CatalogEntry[]): TitleMatches {
  const key = titleKey(title);
  const nearKey = titleKey(withoutBrackets(title));
  const same = found.filter((entry) => titleKey(entry.title) === key);
  const near = found.filter(
    (entry) => titleKey(withoutBrackets(entry.title)) === nearKey && nearKey !== '',
  );
  return { same: ofFiles(same), near: ofFiles(near) };
}

function withoutBrackets(title: string): string {
  return title.replaceAll(/\([^()]*\)|\[[^[\]]*\]|（[^（）]*）/gu, ' ');
}

/** One entry for each number. A data file belongs to FILE or STD, unless no such dataset has the title. */
function ofFiles(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const files = entries.filter(({ type }) => type === 'FILE' || type === 'STD');
  const chosen = files.length > 0 ? files : entries;
  return [...new Map(chosen.map((entry) => [entry.portalId, entry])).values()].sort((a, b) =>
    a.portalId < b.portalId ? -1 : 1,
  );
}

/** The entry that mentions the most of a file’s columns; null if it mentions none, or another mentions as many. */
export function entryWithColumns(
  { same, near }: TitleMatches,
  columns: readonly string[],
): CatalogEntry | null {
  const names = [...new Set(columns.map(titleKey))].filter((name) => name.length >= 2);
  const scored = (same.length > 0 ? same : near)
    .map((entry) => {
      const text = titleKey([entry.title, entry.description, ...entry.keywords].join(' '));
      return { entry, score: names.filter((name) => text.includes(name)).length };
    })
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best !== undefined && best.score > (second?.score ?? 0) ? best.entry : null;
}
