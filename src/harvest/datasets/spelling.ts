import { axisDefinitions } from '../operations/definitions.ts';
import { standardNames } from '../../ingest/fields/standard-names.ts';
import { headerText, nameColumns } from '../../ingest/files/column-names.ts';
import { standardOperation } from './standard-operation.ts';

/** A column of an axis, with the keys of its values in the pages. */
export interface SpelledColumn {
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * Names the columns of a table whose pages may name them differently. Standard data has English keys or Korean
 * headers, by table and by year: both become the header that the same data has as a file. Two keys of one
 * page are never one column. `pages` are the sets of keys of the pages, `published` the order of the source,
 * `headers` the file's headers by key in lower case, which differ by table.
 */
export function spellColumns(
  pages: readonly (readonly string[])[],
  published: readonly string[],
  headers: ReadonlyMap<string, string>,
): readonly SpelledColumn[] {
  const together = new Set(pages.map((keys) => JSON.stringify(keys)));
  const sets = Array.from(together, (text) => new Set(JSON.parse(text) as string[]));
  const keys = [...new Set([...published, ...pages.flat()])];
  const columns: { header: string; keys: string[] }[] = [];
  for (const key of keys) {
    const header = headers.get(key.toLowerCase()) ?? headerText(key.normalize('NFC'));
    const same = columns.find(
      (column) =>
        column.header === header &&
        !column.keys.some((other) => sets.some((set) => set.has(key) && set.has(other))),
    );
    if (same === undefined) columns.push({ header, keys: [key] });
    else same.keys.push(key);
  }
  const { columns: names } = nameColumns(columns.map(({ header }) => header || null));
  return columns.map((column, at) => ({ name: names[at] ?? column.header, keys: column.keys }));
}

/** Korean header of each known key, in lower case, of a standard dataset: its own, else the usual one. */
export function standardHeaders(number: string): ReadonlyMap<string, string> {
  const defined = axisDefinitions.find(
    ({ type, portalId }) => type === 'STD' && portalId === number,
  );
  return new Map([
    ...Array.from(standardNames, ([name, [label]]) => headerOf(name, label)),
    ...Object.entries(standardOperation(number)?.names ?? {}).map(([name, label]) =>
      headerOf(name, label),
    ),
    ...(defined?.fields ?? []).flatMap(({ name, aliases, label }) =>
      [name, ...aliases].map((each) => headerOf(each, label)),
    ),
  ]);
}

function headerOf(key: string, header: string): readonly [string, string] {
  return [key.toLowerCase(), header];
}
