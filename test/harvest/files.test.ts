import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  collectedDatasets,
  isDatasetDue,
  scheduleOf,
} from '../../src/harvest/datasets/due-datasets.ts';
import { VersionStore } from '../../src/harvest/datasets/version-store.ts';
import { loadFiles } from '../../src/ingest/load/load.ts';
import { dayMs } from '../../src/data/korean-time.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { Runs } from '../../src/harvest/runs/runs.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';
import { sampleFileNumbers, sampleFiles } from './sample-files.ts';

test('every file of the portal is collected; other datasets fail with a reason and advice', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const numbers = sampleFiles.map(({ number }) => number);
  const { axes } = await collectDatasets(folder.path, numbers, { gateway: portal.url });
  assert.deepEqual(
    axes.filter(({ outcome }) => outcome === 'published').map(({ code }) => code),
    sampleFileNumbers.map((number) => `file_${number}`),
  );
  const refused = axes.filter(({ outcome }) => outcome === 'failed');
  assert.deepEqual(
    refused.map(({ findings }) => findings[0]?.kind),
    ['agency_hosted', 'restricted'],
  );
  for (const { message } of refused) assert.match(message ?? '', /maru load FILE --axis/);
  using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
  assert.deepEqual(
    [...opened.axes.keys()],
    sampleFileNumbers.map((number) => `file_${number}`),
  );
  for (const { axis, rows } of opened.axes.values()) {
    assert.equal(axis.origin, 'sample');
    assert.notEqual(axis.sourceModified, null);
    assert.equal(axis.portalId, axis.code.slice('file_'.length));
    assert.ok(rows > 0, axis.code);
  }
  assert.equal(opened.axes.get('file_990000001')?.axis.updateCycle, 'P1Y');
});

test('a file that did not change is neither downloaded, nor read, nor published again', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const options = { gateway: portal.url };
  let bytes = 0;
  const { axes, snapshot } = await collectDatasets(folder.path, ['990000001'], {
    ...options,
    onProgress: (step) => {
      bytes = Math.max(bytes, step.bytes);
    },
  });
  assert.equal(axes[0]?.requests, 3);
  assert.equal(bytes, new VersionStore(folder.path, '990000001').versions()[0]?.bytes);
  const before = hashesOf(folder.path, ['file_990000001']);
  const requested = portal.requests.length;
  const clock = testClock(noon + 40 * dayMs);
  const again = await collectDatasets(folder.path, ['990000001'], { ...options, clock });
  assert.deepEqual(
    again.axes.map(({ outcome, rows }) => [outcome, rows]),
    [['unchanged', axes[0].rows]],
  );
  assert.equal(again.snapshot, null);
  assert.equal(currentId(folder.path), snapshot);
  using jobs = openJobs(folder.path);
  const runs = new Runs(jobs, () => clock.now());
  assert.equal(runs.lastDone('file_990000001', 'sample')?.moment, noon + 40 * dayMs);
  const steps = portal.requests.slice(requested).map(({ address }) => address.split('/').at(-1));
  assert.deepEqual(steps, ['fileData.do', 'selectFileDataDownload.do']);
  assert.deepEqual(hashesOf(folder.path, ['file_990000001']), before);
});

test('the history is stored and listed, and an older version is served on request', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const code = 'file_990000001';
  const options = { gateway: portal.url };
  const report = await collectDatasets(folder.path, ['990000001'], {
    ...options,
    datasetOptions: { history: true },
  });
  assert.equal(report.axes[0]?.rows, 620);
  const store = new VersionStore(folder.path, '990000001');
  const dates = store.versions().map(({ date }) => date);
  assert.deepEqual(dates, ['2026-08-31', '2025-08-31', '2024-08-31']);
  const requested = portal.requests.length;
  for (const [asOf, rows, date] of [
    ['2026-08-30', 605, '2025-08-31'],
    ['2024-12-31', 590, '2024-08-31'],
    ['2099-01-01', 620, '2026-08-31'],
  ] as const) {
    const stored = await collectDatasets(folder.path, ['990000001'], {
      ...options,
      client: null,
      accept: true,
      datasetOptions: { choice: { asOf } },
    });
    assert.equal(stored.axes[0]?.rows, rows);
    assert.equal(new StoredAxes(folder.path).served(code)?.axis.sourceModified, date);
  }
  const none = await collectDatasets(folder.path, ['990000001'], {
    ...options,
    client: null,
    datasetOptions: { choice: { asOf: '2000-01-01' } },
  });
  assert.match(none.axes[0]?.message ?? '', /No version up to 2000-01-01 .*--history/);
  assert.equal(portal.requests.length, requested, 'A stored version was requested again.');
});

test('several tables of one file are stored side by side, and each is published when it changes', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const number = '990000001';
  const options = { gateway: portal.url };
  await collectDatasets(folder.path, [number], options);
  const store = new VersionStore(folder.path, number);
  const path = store.pathOf(store.versions()[0]!);
  const write = (days: number): void => {
    const months = '년도,1월,2월\n2022,3,4\n2023,1,2\n2024,5,6\n';
    writeFileSync(path, `강수일수\n${months}\n평년 비교\n구분,일수\n평년,${days}\n최다,20\n`);
  };
  const read = async () => {
    const { axes } = await collectDatasets(folder.path, [number], {
      ...options,
      client: null,
      accept: true,
    });
    using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
    const stored = [...opened.axes.values()].map(({ axis, rows }) => [
      axis.portalId,
      axis.title,
      rows,
    ]);
    return {
      outcome: axes[0]?.outcome,
      stored,
      hashes: hashesOf(folder.path, [...opened.axes.keys()]),
    };
  };
  write(10);
  const first = await read();
  assert.equal(first.outcome, 'published');
  assert.deepEqual(
    first.stored.map(([portalId, , rows]) => [portalId, rows]),
    [
      [number, 2],
      [number, 3],
    ],
  );
  assert.equal((await read()).outcome, 'unchanged');
  write(11);
  const second = await read();
  assert.deepEqual([second.outcome, second.stored], ['published', first.stored]);
  assert.notDeepEqual(second.hashes, first.hashes);
});

test('a loss in one table keeps the data of all tables of its file; the finding names the table', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const number = '990000001';
  const options = { gateway: portal.url };
  await collectDatasets(folder.path, [number], options);
  const store = new VersionStore(folder.path, number);
  const path = store.pathOf(store.versions()[0]!);
  const write = (years: number, stations: number): void => {
    const main = `강수일수\n년도,일수\n${numberedRows(years, '20')}`;
    writeFileSync(path, `${main}\n관측소\n지점,고도\n${numberedRows(stations, '관측소')}`);
  };
  const read = async (accept = false) => {
    const datasetOptions = { ...options, client: null, accept };
    const { axes } = await collectDatasets(folder.path, [number], datasetOptions);
    using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
    const { outcome, findings } = axes[0]!;
    const rows = [...opened.axes.values()].map((axis) => axis.rows);
    return { outcome, rows, losses: findings.filter(({ kind }) => kind === 'rows_lost') };
  };
  write(40, 10);
  assert.deepEqual((await read(true)).rows, [10, 40]);
  write(41, 5);
  const sideLoss = await read();
  assert.deepEqual([sideLoss.outcome, sideLoss.rows], ['kept', [10, 40]]);
  assert.match(sideLoss.losses[0]!.detail, /\(관측소\): 5 of 10 records are gone/);
  assert.equal((await read()).outcome, 'kept', 'the same responses are no second run');
  write(15, 11);
  const main = await read();
  assert.deepEqual([main.outcome, main.rows], ['kept', [10, 40]]);
  assert.match(main.losses[0]!.detail, /^25 of 40 records are gone/);
  write(15, 5);
  assert.deepEqual((await read(true)).rows, [5, 15]);
});

test('a table that its file no longer has stays served, with a finding in each run', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const number = '990000001';
  const options = { gateway: portal.url, accept: true };
  await collectDatasets(folder.path, [number], options);
  const store = new VersionStore(folder.path, number);
  const path = store.pathOf(store.versions()[0]!);
  const read = async (stored?: { client: null }) => {
    const { axes } = await collectDatasets(folder.path, [number], { ...options, ...stored });
    using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
    const gone = axes[0]!.findings.filter(({ kind }) => kind === 'tables_gone');
    return { gone: gone.map(({ detail }) => detail), stored: opened.axes.size };
  };
  const main = `강수일수\n년도,일수\n${numberedRows(40, '20')}`;
  writeFileSync(path, `${main}\n관측소\n지점,고도\n${numberedRows(10, '관측소')}`);
  assert.deepEqual(await read({ client: null }), { gone: [], stored: 2 });
  writeFileSync(path, main);
  // The stored file, then the portal's file, which is not read again in the last run.
  for (const { gone, stored } of [await read({ client: null }), await read(), await read()]) {
    assert.equal(stored, 2);
    assert.match(gone.join(), /^The file no longer has .*\(관측소\) \(file_0\d{9}\); /);
  }
});

function numberedRows(count: number, name: string): string {
  return Array.from({ length: count }, (_, at) => `${name}${at},${at}\n`).join('');
}

test('stored files are read again without a request', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const options = { gateway: portal.url };
  await collectDatasets(folder.path, ['990000009'], options);
  const before = hashesOf(folder.path, ['file_990000009']);
  const requested = portal.requests.length;
  const { axes } = await collectDatasets(folder.path, ['990000009'], { ...options, client: null });
  assert.equal(axes[0]?.outcome, 'unchanged');
  assert.equal(axes[0].findings[0]?.kind, 'read_oddly');
  assert.equal(portal.requests.length, requested);
  assert.deepEqual(hashesOf(folder.path, ['file_990000009']), before);
});

test('an older version downloaded by mistake loses rows, and the previous data stays', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const code = 'file_990000014';
  await collectDatasets(folder.path, ['990000014'], { gateway: portal.url });
  const good = hashesOf(folder.path, [code]);
  const store = new VersionStore(folder.path, '990000014');
  const [version] = store.versions();
  const path = store.pathOf(version!);
  const text = readFileSync(path, 'utf8');
  // The file has half of the records, and one field has another name.
  writeFileSync(
    path,
    text
      .replaceAll(/(<record>(?:(?!<record>)[^])*?<\/record>)\s*<record>[^]*?<\/record>/g, '$1')
      .replaceAll('폐교명', '학교명'),
  );
  const options = { gateway: portal.url, client: null };
  const { axes } = await collectDatasets(folder.path, ['990000014'], options);
  assert.equal(axes[0]?.outcome, 'kept');
  const kinds = axes[0].findings.map(({ kind }) => kind);
  assert.ok(kinds.includes('rows_lost') && kinds.includes('fields_missing'), kinds.join());
  assert.deepEqual(hashesOf(folder.path, [code]), good);
  const accepted = await collectDatasets(folder.path, ['990000014'], { ...options, accept: true });
  assert.equal(accepted.axes[0]?.outcome, 'published');
});

test('a file without a record, or one that is not a table, does not replace the previous data', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const code = 'file_990000001';
  await collectDatasets(folder.path, ['990000001'], { gateway: portal.url });
  const good = hashesOf(folder.path, [code]);
  const store = new VersionStore(folder.path, '990000001');
  const path = store.pathOf(store.versions()[0]!);
  for (const [content, kind] of [
    ['주차장명,위도\n', 'no_records'],
    ['', 'no_records'],
    ['%PDF-1.7\n', 'unreadable'],
  ] as const) {
    writeFileSync(path, content);
    const options = { gateway: portal.url, client: null };
    const { axes } = await collectDatasets(folder.path, ['990000001'], options);
    assert.equal(axes[0]?.outcome, 'failed');
    assert.equal(axes[0].findings[0]?.kind, kind);
    assert.deepEqual(hashesOf(folder.path, [code]), good);
    const { quality } = new StoredAxes(folder.path).served(code)!;
    assert.equal(quality?.findings[0]?.kind, kind);
  }
});

test('the first real data replaces the sample files; loaded files stay', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectDatasets(folder.path, ['990000001', '990000003'], { gateway: portal.url });
  const loaded = join(folder.path, 'file_15999999_현황.csv');
  writeFileSync(loaded, '이름,값\n하나,1\n둘,2\n');
  await loadFiles(folder.path, [loaded]);
  await collectFrom(folder.path, ['nec_code'], { gateway: portal.url, origin: 'portal' });
  using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
  assert.deepEqual([...opened.axes.keys()], ['file_15999999', 'nec_code']);
});

test('a dataset is due by the cycle of its provider, a refused one a day later', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const clock = testClock();
  const numbers = ['990000001', '990000003', '990000019'];
  await collectDatasets(folder.path, numbers, { gateway: portal.url, clock });
  using jobs = openJobs(folder.path);
  const runs = new Runs(jobs, () => clock.now());
  const stored = new StoredAxes(folder.path);
  const due = (days: number, origin: 'sample' | 'portal' = 'sample'): string[] =>
    collectedDatasets(runs).filter((code) =>
      isDatasetDue(code, stored, runs, origin, clock.now() + days * dayMs),
    );
  assert.deepEqual(due(0), []);
  assert.deepEqual(due(2), ['file_990000019']);
  assert.deepEqual(due(31), ['file_990000003', 'file_990000019']);
  assert.deepEqual(due(366), ['file_990000001', 'file_990000003', 'file_990000019']);
  // The datasets of the sample portal do not exist on the real one.
  assert.deepEqual(due(366, 'portal'), []);
  assert.deepEqual(['PT0S', 'PT1H', 'P7D', null].map(scheduleOf), ['P1D', 'P1D', 'P7D', 'P1M']);
});
