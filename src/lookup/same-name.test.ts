import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { sameNameTarget } from './same-name.ts';

test('a hit that stands for several records links to all records of its name', () => {
  const store = fixtureStore();
  const stored = store.axes.get('gen_restdeinfo')!;
  const place = { sido: '서울', sigungu: undefined };
  const target = sameNameTarget({ more: 2 }, stored, { dateName: "강남역의 '날'" }, place);
  const { searchParams } = new URL(target!, 'http://maru');
  assert.equal(searchParams.get('sido'), '서울');
  assert.equal(searchParams.get('where'), "dateName = '강남역의 ''날'''");
  assert.equal(searchParams.get('axis'), 'gen_restdeinfo');
});

test('a hit that stands for itself, or has no name, has no such link', () => {
  const stored = fixtureStore().axes.get('gen_restdeinfo')!;
  assert.equal(sameNameTarget({ more: 0 }, stored, { dateName: '설날' }, nowhere), null);
  assert.equal(sameNameTarget({ more: 1 }, stored, { dateName: null }, nowhere), null);
});

const nowhere = { sido: undefined, sigungu: undefined };
