import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { namesWithInitials } from './known-names.ts';
import { rewritesWithResults } from './rewrites.ts';

test('initial consonants suggest regions, with 시 added only to cities: 서울시, not 경남시', () => {
  const store = fixtureStore();
  assert.ok(namesWithInitials('ㅅㅇㅅ', store).includes('서울시'));
  const names = namesWithInitials('ㄱㄴ', store);
  assert.ok(names.includes('경남'), names.join());
  assert.ok(!namesWithInitials('ㄱㄴㅅ', store).includes('경남시'));
});

test('a query without results loses its region before its topic', async () => {
  const searched = { store: fixtureStore(), scope: 'catalog', count: countOf } as const;
  const [first] = await rewritesWithResults('해운대구 주차장', searched);
  assert.deepEqual(first, { text: '주차장', reason: 'words' });
});

async function countOf({ text }: { readonly text: string }): Promise<number> {
  return Number(['해운대구', '주차장'].includes(text));
}
