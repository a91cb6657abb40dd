import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { datasetLimits } from './limits.ts';
import { chosenVersion } from './version-choice.ts';
import { VersionStore, versionKey } from './version-store.ts';

test('versions are listed newest first, and found by key or by day', () => {
  using folder = temporaryFolder();
  const store = new VersionStore(folder.path, '1');
  assert.deepEqual(store.versions(), []);
  for (const date of ['2025-01-31', '2026-01-31', '2024-01-31']) put(store, date, date);
  const dates = store.versions().map(({ date }) => date);
  assert.deepEqual(dates, ['2026-01-31', '2025-01-31', '2024-01-31']);
  assert.equal(chosenVersion(store, '1', null).date, '2026-01-31');
  assert.equal(chosenVersion(store, '1', { asOf: '2026-01-31' }).date, '2026-01-31');
  assert.equal(chosenVersion(store, '1', { asOf: '2026-01-30' }).date, '2025-01-31');
  const { key } = store.versions()[2]!;
  assert.equal(chosenVersion(store, '1', { key }).date, '2024-01-31');
  assert.throws(() => chosenVersion(store, '1', { asOf: '2024-01-30' }), /--history/);
  assert.throws(
    () => chosenVersion(new VersionStore(folder.path, '2'), '2', null),
    /No version of/,
  );
  assert.equal(store.find('../../etc'), null);
});

test('different bytes of a version replace the previous ones, equal bytes stay', () => {
  using folder = temporaryFolder();
  const store = new VersionStore(folder.path, '1');
  const first = put(store, '2026-01-31', 'half');
  const second = put(store, '2026-01-31', 'whole');
  assert.equal(existsSync(store.pathOf(first)), false);
  assert.equal(readFileSync(store.pathOf(second), 'utf8'), 'whole');
  const third = put(store, '2026-01-31', 'whole');
  assert.equal(readFileSync(store.pathOf(third), 'utf8'), 'whole');
  assert.equal(store.versions().length, 1);
});

test('an unfinished version is not listed, and `tidy` deletes it', () => {
  using folder = temporaryFolder();
  const store = new VersionStore(folder.path, '1');
  const part = store.partialPath('20260131-00000000');
  writeFileSync(part, 'half');
  assert.deepEqual(store.versions(), []);
  store.tidy();
  assert.equal(existsSync(part), false);
});

test('`tidy` deletes the oldest versions beyond the bound', () => {
  using folder = temporaryFolder();
  const store = new VersionStore(folder.path, '1');
  for (let at = 0; at < datasetLimits.versionsKept; at++) {
    put(store, new Date(Date.UTC(2020, 0, 2 + at)).toISOString().slice(0, 10), 'x');
  }
  store.tidy();
  assert.equal(store.versions().length, datasetLimits.versionsKept);
  put(store, '2020-01-01', 'x');
  store.tidy();
  assert.equal(store.versions().length, datasetLimits.versionsKept);
  assert.equal(store.versions().at(-1)?.date, '2020-01-02');
});

function put(store: VersionStore, date: string, content: string) {
  const key = versionKey(date, 'uddi:1', `FILE_${date}`);
  writeFileSync(store.partialPath(key), content);
  return store.put(
    {
      key,
      number: '1',
      title: `현황_${date.replaceAll('-', '')}`,
      date,
      detailKey: 'uddi:1',
      attachment: `FILE_${date}`,
      serial: '1',
      extension: 'csv',
      rows: null,
      provider: null,
      cycle: null,
      license: null,
      origin: 'sample',
      takenAt: '2026-11-21T00:00:00.000Z',
      run: 1,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      looks: 1,
    },
    '현황.csv',
  );
}
