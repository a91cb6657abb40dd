import { spellingOf } from './json-exact.ts';

/** A JSON text whose objects name no member twice, and the names that were given for it. */
interface DistinctNames {
  readonly text: string;
  readonly renamed: readonly string[];
}

/**
 * Gives a member whose name its object has already a name of its own, `이름_2`, as a repeated column gets:
 * `JSON.parse` would keep the last one and drop the others without a word. `text` is proper JSON.
 */
export function distinctNames(text: string): DistinctNames {
  const renamed: string[] = [];
  /** By name, how often it has been met in the object. */
  const open: Map<string, number>[] = [];
  const taken = new Set(Array.from(text.matchAll(memberName), ([, name]) => plain(name!)));
  const distinct = text.replace(token, (found: string, name: string | undefined) => {
    if (found === '{') open.push(new Map());
    else if (found === '}') open.pop();
    const names = open.at(-1);
    if (name === undefined || names === undefined) return found;
    const given = plain(name);
    let copy = (names.get(given) ?? 0) + 1;
    names.set(given, copy);
    if (copy === 1) return found;
    while (taken.has(`${given}_${copy}`)) copy++;
    names.set(given, copy);
    const unique = `${given}_${copy}`;
    renamed.push(unique);
    return `${JSON.stringify(unique)}:`;
  });
  return { text: distinct, renamed };
}

/** How many members all objects in a value have together. */
export function countMembers(value: object): number {
  let count = 0;
  const isList = Array.isArray(value);
  for (const each of Object.values(value) as unknown[]) {
    if (!isList) count++;
    if (typeof each === 'object' && each !== null && spellingOf(each) === null)
      count += countMembers(each);
  }
  return count;
}

function plain(name: string): string {
  return JSON.parse(`"${name}"`) as string;
}

const memberName = /"((?:[^"\\]|\\.)*)"\s*:/gsu;
/** A member’s name with its colon, any other string, or a brace. */
const token = /"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]/gsu;
