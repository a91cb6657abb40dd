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
 * Names the columns of a table whose pages may use different keys. Standard data has English keys or Korean headers,
 * depending on table and year; both become the header of the dataset's file. Two keys of the same page are always two
 * columns. `pages` has the keys of each page, `published` the columns in the order of the source, and `headers` the
 * file's headers by key in lower case.
 */
export function spellColumns(
  pages: readonly (readonly string[])[],
  published: readonly string[],
  headers: ReadonlyMap<string, string>,
): readonly SpelledColumn[] {
  const distinct = new Set(pages.map((keys) => JSON.stringify(keys)));
  const sets = Array.from(distinct, (text) => new Set(JSON.parse(text) as string[]));
  const keys = [...new Set([...published, ...pages.flat()])];
  const columns: { header: string; keys: string[] }[] = [];
  for (const key of keys) {
    const header = headers.get(key.toLowerCase()) ?? headerText(key.normalize('NFC'));
    const existing = columns.find(
      (column) =>
        column.header === header &&
        !column.keys.some((other) => sets.some((set) => set.has(key) && set.has(other))),
    );
    if (existing === undefined) columns.push({ header, keys: [key] });
    else existing.keys.push(key);
  }
  const { columns: names } = nameColumns(columns.map(({ header }) => header || null));
  return columns.map((column, at) => ({ name: names[at] ?? column.header, keys: column.keys }));
}

/** Korean headers of a standard dataset by key in lower case: its own, else those of `standardNames`. */
export function standardHeaders(number: string): ReadonlyMap<string, string> {
  const defined = axisDefinitions.find(
    ({ type, portalId }) => type === 'STD' && portalId === number,
  );
  return new Map([
    ...Array.from(standardNames, ([name, [label]]) => headerEntry(name, label)),
    ...Object.entries(standardOperation(number)?.names ?? {}).map(([name, label]) =>
      headerEntry(name, label),
    ),
    ...(defined?.fields ?? []).flatMap(({ name, aliases, label }) =>
      [name, ...aliases].map((each) => headerEntry(each, label)),
    ),
  ]);
}

function headerEntry(key: string, header: string): readonly [string, string] {
  return [key.toLowerCase(), header];
}
