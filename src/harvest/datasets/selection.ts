import { readFileSync, statSync } from 'node:fs';
import type { CatalogEntry } from '../../data/catalog.ts';
import { typeTag } from '../../data/catalog.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { searchIndexes } from '../../data/search/search.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { datasetLimits } from './limits.ts';

/**
 * Reads the codes of a list, one a line: an axis, `file_15012896` or the number alone; `#` begins a comment.
 * Throws an error with the number of an invalid line.
 */
export function readCodeList(path: string): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new Error(`There is no list ${path}: check its path.`);
  if (size > datasetLimits.listBytesMax) throw tooLong(path, `${datasetLimits.listBytesMax} bytes`);
  return readCodes(readFileSync(path, 'utf8'), path);
}

export function readCodes(text: string, name: string): string[] {
  const codes = new Set<string>();
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const word = line.replace(/#.*/, '').trim();
    if (word === '') continue;
    if (!/^(?:\d{1,12}|[a-z][a-z0-9_]{0,63})$/.test(word)) {
      throw new Error(
        `Line ${at + 1} of ${name} is neither a code nor a number: “${word.slice(0, 40)}”.`,
      );
    }
    codes.add(/^\d/.test(word) ? `file_${word}` : word);
    if (codes.size > datasetLimits.listCodesMax) {
      throw tooLong(name, `${datasetLimits.listCodesMax} codes`);
    }
  }
  return [...codes];
}

interface CatalogChoice {
  /** Number of FILE entries that match. */
  readonly total: number;
  /** The best of them, up to the limit. */
  readonly entries: readonly CatalogEntry[];
}

/** FILE entries of the stored catalog that match a query. Throws without a catalog, and for too many matches. */
export function chooseFromCatalog(
  data: string,
  query: string,
  limit: number | null,
): CatalogChoice {
  using opened = OpenedSnapshot.current(data);
  const part = opened?.catalog?.part;
  if (part === undefined) {
    throw new Error(
      'No catalog is stored: run `./maru catalog load FILE` or `./maru catalog collect`.',
    );
  }
  const { terms } = parseQuery(query);
  if (terms.length === 0) throw new Error('The query has no word to search for: write one.');
  const text = terms.map((term) => term.text).join(' ');
  const most = limit ?? datasetLimits.catalogEntriesMax;
  const options = { offset: 0, limit: most, tag: typeTag('FILE') };
  const { matches, total } = searchIndexes([part], { terms, text }, options);
  if (limit === null && total > most) {
    throw new Error(
      `${total} FILE entries match, more than ${most}: narrow the query, or add --limit.`,
    );
  }
  const entries = matches.map(
    ({ document }) => JSON.parse(part.records.record(document).toString()) as CatalogEntry,
  );
  return { total, entries };
}

function tooLong(name: string, most: string): Error {
  return new Error(`${name} is longer than ${most}: split it into several lists.`);
}
