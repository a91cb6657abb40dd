import { axisDefinition } from '../axes/definitions.ts';
import { standardNames } from '../fields/standard-names.ts';
import { headerText, nameColumns } from '../files/column-names.ts';

/** One column of an axis, with the names that its values came under. */
export interface SpelledColumn {
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * The columns of a table whose pages may call them differently. Standard data has English keys or Korean
 * headers, by table and by year: both become the header that the same data has as a file. Two keys of one
 * page are never one column. `pages` are the sets of keys that came, `published` the order of the source.
 */
export function spellColumns(
  pages: readonly (readonly string[])[],
  published: readonly string[],
): readonly SpelledColumn[] {
  const together = new Set(pages.map((keys) => JSON.stringify(keys)));
  const sets = Array.from(together, (text) => new Set(JSON.parse(text) as string[]));
  const keys = [...new Set([...published, ...pages.flat()])];
  const columns: { header: string; keys: string[] }[] = [];
  for (const key of keys) {
    const header = headerOf(key);
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

function headerOf(key: string): string {
  return headers.get(key) ?? headerText(key.normalize('NFC'));
}

const headers: ReadonlyMap<string, string> = new Map([
  ...Array.from(standardNames, ([name, [label]]) => [name, label] as const),
  ...(axisDefinition('std_library')?.fields ?? []).flatMap(({ name, aliases, label }) =>
    [name, ...aliases].map((each) => [each, label] as const),
  ),
]);
