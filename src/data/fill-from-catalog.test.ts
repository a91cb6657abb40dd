import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { fillFromCatalog } from './fill-from-catalog.ts';
import type { Axis } from './axis.ts';
import type { CatalogEntry } from './catalog.ts';

const stored = fixtureStore().axes.get('file_15012896')!;
const entry = {
  portalId: '15012896',
  type: 'FILE',
  provider: '국토교통부',
  license: { id: 'KOGL-1', name: '공공누리 1유형', url: null },
  modified: '2022-02-22',
  updateCycle: 'P1Y',
  description: '주차장의 위치와 요금입니다.',
  url: 'https://www.data.go.kr/data/15012896/fileData.do',
} as CatalogEntry;
const unknown = { provider: null, license: null, updateCycle: null, sourceUrl: null };
const axisWith = (changes: Partial<Axis>) => ({ ...stored, axis: { ...stored.axis, ...changes } });

test('facts that the source of an axis did not give come from its catalog entry', () => {
  const { axis, listed } = fillFromCatalog(axisWith(unknown), [entry], '2022-06-30');
  assert.deepEqual(axis.provider, { name: '국토교통부', code: null });
  assert.deepEqual(axis.license, entry.license);
  assert.equal(axis.updateCycle, 'P1Y');
  assert.equal(axis.sourceUrl, entry.url);
  assert.equal(axis.sourceModified, stored.axis.sourceModified);
  const { description } = entry;
  const facts = {
    date: '2022-06-30',
    modified: '2022-02-22',
    hasProvider: true,
    hasLicense: true,
    description,
  };
  assert.deepEqual(listed, facts);
});

test('an axis keeps its own facts; a sample or an axis of another provider is unchanged', () => {
  assert.deepEqual(fillFromCatalog(stored, [entry], null).axis, stored.axis);
  for (const own of [
    axisWith({ ...unknown, provider: { name: '마루', code: null } }),
    axisWith({ ...unknown, origin: 'sample' }),
    axisWith({ ...unknown, portalId: null }),
    axisWith({ ...unknown, type: 'API' }),
  ]) {
    assert.equal(fillFromCatalog(own, [entry], null), own);
  }
});
