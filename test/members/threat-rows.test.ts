import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { memberTestsOnPostgres } from '../postgres/member-tests.ts';

const root = resolve(import.meta.dirname, '../..');

test('docs/threats.md numbers its threats in order, without a gap', () => {
  const numbers = [...tableRows().keys()];
  assert.ok(numbers.length > 0);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => `T${at + 1}`),
  );
});

test('every threat lists exactly the test files whose titles begin with its number', () => {
  const listedFiles = tableRows();
  const titledFiles = titledTests();
  for (const number of new Set([...listedFiles.keys(), ...titledFiles.keys()])) {
    assert.deepEqual(listedFiles.get(number) ?? [], titledFiles.get(number) ?? [], number);
    assert.notDeepEqual(listedFiles.get(number), [], `${number} has no test`);
  }
});

test('every test of a threat that opens a members’ store runs on PostgreSQL, too', () => {
  const onPostgres = memberTestsOnPostgres(true);
  const files = [...new Set([...tableRows().values()].flat())].filter((file) =>
    /^(?:src|test)\/members\//.test(file),
  );
  const opening = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /from '[./\w]*\/(?:rig|fixtures\/members)\.ts'/.test(text);
  });
  assert(opening.length > 20);
  // It plays on both engines by itself.
  const missing = opening.filter((file) => !onPostgres.includes(file));
  assert.deepEqual(missing, ['test/members/account-sequences.test.ts']);
});

/** The test files that each row of the document links to, by its number. */
function tableRows(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(root, 'docs/threats.md'), 'utf8');
  return new Map(
    Array.from(text.matchAll(/^\| (T\d+) .*$/gm), ([row, number]) => [
      number!,
      Array.from(row.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g), ([, file]) => file!).sort(),
    ]),
  );
}

/** The test files with a title such as `T19, T20: …`, by each of its numbers. */
function titledTests(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const titles = text.matchAll(/\btest\(\s*['"`]((?:T\d+(?:, )?)+):/g);
    for (const number of new Set(Array.from(titles, ([, list]) => list!.split(', ')).flat())) {
      found.set(number, [...(found.get(number) ?? []), file]);
    }
  }
  return found;
}
