import { isFieldList, isHeadList, type ArraySummary, type JsonOutline } from './json-outline.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';

/** Lists of a JSON text that become one table. */
export interface ListGroup {
  readonly paths: readonly string[];
  /** Names of all members of their records. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Chooses the lists of records that become tables, the main one first: the list at `list`, or else all. The main list is
 * the longest among those with a usual name. Lists whose records have similar members become one table. Empty if there
 * is no list.
 */
export function chooseLists(
  name: string,
  { arrays, fields }: JsonOutline,
  list: string | null,
): readonly ListGroup[] {
  const chosen = list === null ? undefined : arrays.get(list);
  if (list !== null && chosen !== undefined) return [{ paths: [list], keys: chosen.keys }];
  const isAside = (path: string): boolean =>
    arrays.size > 1
      ? isFieldList(path) || isHeadList(path)
      : isFieldList(path) && fields.length > 0;
  const candidates = [...arrays].filter(([path]) => !isAside(path));
  candidates.sort(([a, one], [b, two]) => nameRank(b) - nameRank(a) || two.count - one.count);
  if (list !== null) {
    throw new FileRefused(
      'not_a_table',
      treeRefusalTexts.jsonListMissing(name, list, pathsWithCounts(candidates)),
    );
  }
  const groups: { paths: string[]; keys: Set<string> }[] = [];
  for (const [path, { keys }] of candidates) {
    const alike = groups.find((group) => areAlike(group.keys, keys));
    if (alike === undefined) groups.push({ paths: [path], keys: new Set(keys) });
    else {
      alike.paths.push(path);
      for (const key of keys) alike.keys.add(key);
    }
  }
  if (groups.length > tablesMax) {
    throw new FileRefused(
      'not_a_table',
      treeRefusalTexts.jsonTooManyLists(name, pathsWithCounts(candidates), tablesMax),
    );
  }
  return groups;
}

/** Maximum number of tables; the text is read once for each. */
const tablesMax = 100;

/** True if two lists share most members, or if one has all members of the other, which must be at least two. */
function areAlike(one: ReadonlySet<string>, two: ReadonlySet<string>): boolean {
  const common = one.intersection(two).size;
  const smaller = Math.min(one.size, two.size);
  return common >= one.union(two).size * alikeShareMin || (common === smaller && common > 1);
}

const alikeShareMin = 0.8;

function pathsWithCounts(candidates: readonly (readonly [string, ArraySummary])[]): string[] {
  return candidates.map(([path, { count }]) => `${path} (${count})`);
}

function nameRank(path: string): number {
  return recordNames.has(path.split('.').at(-1) ?? '') ? 1 : 0;
}

const recordNames: ReadonlySet<string> = new Set(
  'records record data items item rows row list features results DATA'.split(' '),
);
