import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const places = ['src/members', 'test/members', 'test/browser', 'test/sdk'];
/** How many threats the members service is built against. */
const threats = 35;

test('every threat to the members service has a test that names it', () => {
  const named = new Set<number>();
  for (const place of places) {
    const files = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.test.ts'))) {
      const text = readFileSync(join(root, place, file), 'utf8');
      const titles = text.matchAll(/\btest\(\s*['`]((?:T\d+(?:, )?)+):/g);
      for (const [, numbers] of titles) {
        for (const number of numbers!.split(', ')) named.add(Number(number.slice(1)));
      }
    }
  }
  const missing = Array.from({ length: threats }, (_, at) => at + 1).filter((at) => !named.has(at));
  assert.deepEqual(missing, []);
});
