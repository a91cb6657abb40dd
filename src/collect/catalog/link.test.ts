import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogType, HeldAxis } from '../../data/axis.ts';
import { linkCatalog } from './link.ts';

function held(code: string, type: CatalogType, portalId: string | null): HeldAxis {
  return {
    axis: {
      code,
      title: code,
      titleEn: null,
      type,
      portalId,
      provider: null,
      keyFields: [],
      origin: 'file',
      sourceModified: null,
      collectedAt: '2026-07-31T00:00:00Z',
      updateCycle: null,
      license: null,
      sourceUrl: null,
    },
    rows: 0,
    fields: [],
    schemaFingerprint: '',
    regions: [],
    hasCoordinates: false,
  };
}

test('an axis belongs to the dataset of its number and type, a file also to a standard dataset', () => {
  const axes = [
    held('gen_b', 'API', '15000001'),
    held('gen_a', 'API', '15000001'),
    held('file_15000001', 'FILE', '15000001'),
    held('file_15000002', 'FILE', '15000002'),
    held('file_0', 'FILE', null),
  ];
  const entries = [
    { id: 'API:15000001', portalId: '15000001', type: 'API' },
    { id: 'FILE:15000001', portalId: '15000001', type: 'FILE' },
    { id: 'STD:15000002', portalId: '15000002', type: 'STD' },
    { id: 'LINKED:15000002', portalId: '15000002', type: 'LINKED' },
  ] as const;
  assert.deepEqual(
    [...linkCatalog(entries, axes)],
    [
      ['API:15000001', ['gen_a', 'gen_b']],
      ['FILE:15000001', ['file_15000001']],
      ['STD:15000002', ['file_15000002']],
    ],
  );
});
