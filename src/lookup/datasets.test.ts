import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testAxis, testFields } from '../../test/build-axis.ts';
import { MemoryStore } from '../../test/fixtures/memory-store.ts';
import { parseQuery } from '../data/korean/terms.ts';
import { namedDatasets } from './datasets.ts';
import { nothingFound } from './store/store.ts';

test('datasets of a word in thousands of titles are compared between other turns', async () => {
  const count = 3_000;
  const axes = Array.from({ length: count }, (_, at) => {
    const code = `file_${10_000 + at}`;
    // The shortest titles are the best, and those of one length are in the order of their codes.
    const title = `${'가'.repeat(1 + ((count - at) % 300))} 주차장`;
    return {
      stored: {
        axis: { ...testAxis(code), title },
        rows: 0,
        fields: testFields,
        schemaFingerprint: '',
        regions: [],
        hasCoordinates: false,
      },
      rows: [],
    };
  });
  const builtAt = '2026-11-21T01:02:03.000Z';
  const snapshot = {
    id: '20261121-0001',
    builtAt,
    previous: null,
    schemaVersion: 1,
    indexBytes: 0,
  };
  const store = new MemoryStore({ snapshot, axes });
  let turns = 0;
  let pending = setImmediate(function count() {
    turns++;
    pending = setImmediate(count);
  });
  const named = await namedDatasets(parseQuery('주차장'), nothingFound, store);
  clearImmediate(pending);
  const best = axes.filter(({ stored }) => stored.axis.title === '가 주차장').slice(0, 8);
  assert.deepEqual(
    named.map(({ axis }) => axis),
    best.map(({ stored }) => stored.axis.code),
  );
  assert.ok(turns >= 5, `${turns} turns`);
});
