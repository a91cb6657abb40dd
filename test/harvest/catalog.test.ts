import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { dueParts } from '../../src/harvest/catalog/due.ts';
import { storedCatalog } from '../../src/harvest/catalog/stored-catalog.ts';
import { openCatalogLookup } from '../../src/ingest/load/catalog-lookup.ts';
import { storedFindings } from '../../src/harvest/runs/findings.ts';
import { dayMs } from '../../src/data/korean-time.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { Runs } from '../../src/harvest/runs/runs.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { faultTable, type FaultSetting } from '../../sample/faults/schedule.ts';
import { buildAxis } from '../build-axis.ts';
import { addCatalog, testEntry } from '../build-catalog.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { catalogFrom, catalogText } from './collecting-catalog.ts';
import { testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { triedFaults } from './tried-faults.ts';

const published = [
  ['list', 'published', null],
  ['api', 'published', null],
  ['linked', 'published', null],
];

function outcomes({ parts }: Awaited<ReturnType<typeof catalogFrom>>) {
  return parts.map(({ part, outcome, message }) => [part, outcome, message]);
}

/** Pace of the sample portal: its hangs end soon, so that no test waits for the timeout of a download. */
const pace = { dripMs: 1, hangMs: 50 };

test('the whole catalog is collected: the list file, the meta API, and LINKED from the web list', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const report = await catalogFrom(folder.path, { gateway: portal.url });
  assert.deepEqual(outcomes(report), published);
  const stored = storedCatalog(folder.path);
  const { byType, origin, date, parts } = stored!.summary;
  assert.deepEqual(byType, { API: 118, FILE: 443, LINKED: 260, STD: 36 });
  assert.deepEqual([origin, date], ['sample', '2026-10-31']);
  assert.deepEqual(
    parts?.map(({ part, entries, kept }) => [part, entries, kept]),
    [
      ['list', 597, false],
      ['api', 597, false],
      ['linked', 260, false],
    ],
  );
  const linked = [...stored!.entries()].find(({ type }) => type === 'LINKED')!;
  assert.match(linked.id, /^LINKED:9904\d{5}$/);
  assert.ok(linked.title.endsWith('(예시)') && linked.keywords.includes('예시'));
  assert.ok(linked.views !== null && linked.modified !== null && linked.formats.length === 1);
});

/** Small lists; the web list has three pages. */
const catalog = isLongForm ? {} : { API: 30, FILE: 60, LINKED: 110, STD: 10 };

test('every temporary fault, alone and mixed, ends in the catalog of a faultless run', async (t) => {
  using plain = temporaryFolder();
  {
    await using portal = await portalAtNoon({ catalog });
    await catalogFrom(plain.path, { gateway: portal.url });
  }
  const expected = catalogText(plain.path);
  const settings: FaultSetting[] = [
    { fault: 'mix', rate: 0.6 },
    ...triedFaults('catalog', 'temporary').map((fault) => ({
      fault,
      // A fault that replaces answers must let some requests succeed; one that alters an answer need not.
      rate: 'replace' in faultTable[fault] ? 0.9 : 1,
    })),
  ];
  for (const setting of settings) {
    await t.test(setting.fault, async () => {
      using folder = temporaryFolder();
      await using portal = await portalAtNoon({ catalog, faults: [setting], pace });
      const report = await catalogFrom(folder.path, { gateway: portal.url });
      assert.deepEqual(outcomes(report), published);
      assert.equal(catalogText(folder.path), expected);
      assert.ok(portal.requests.some(({ fault }) => fault !== null));
    });
  }
});

test('a web list with ten items a page is read completely', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'list_ten_a_page' }] });
  const report = await catalogFrom(folder.path, {
    gateway: portal.url,
    parts: ['linked'],
  });
  assert.equal(report.summary?.byType.LINKED, 260);
  assert.equal(portal.requests.length, 26);
});

test('a failed part keeps its previous entries, marked as kept; the other parts are published', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ catalog });
  await catalogFrom(folder.path, { gateway: portal.url });
  const before = catalogText(folder.path);
  portal.setFaults([{ fault: 'maintenance', only: 'selectDataSetList' }]);
  const report = await catalogFrom(folder.path, { gateway: portal.url });
  assert.deepEqual(
    report.parts.map(({ outcome }) => outcome),
    ['published', 'published', 'failed'],
  );
  assert.match(
    report.parts[2]!.message ?? '',
    /selectDataSetList\.do: the page has no list of datasets/,
  );
  assert.equal(catalogText(folder.path), before);
  assert.deepEqual(
    storedCatalog(folder.path)?.summary.parts?.map(({ part, kept }) => [part, kept]),
    [
      ['list', false],
      ['api', false],
      ['linked', true],
    ],
  );
  using jobs = openJobs(folder.path);
  const findings = storedFindings(jobs).map(({ axis, kind }) => [axis, kind]);
  assert.deepEqual(findings, [['catalog_linked', 'not_collected']]);
});

test('a key without permission for the meta API is recognised by a repeated first page', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({
    catalog: { FILE: 1200 },
    faults: [{ fault: 'odcloud_first_page' }],
  });
  const { parts } = await catalogFrom(folder.path, { gateway: portal.url });
  assert.deepEqual(
    parts.map(({ outcome }) => outcome),
    ['published', 'failed', 'published'],
  );
  assert.match(parts[1]!.message ?? '', /Apply for the dataset .*15077093/);
});

test('without a key the catalog is made of the list file and the web list', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const report = await catalogFrom(folder.path, { gateway: portal.url, client: null });
  assert.deepEqual(
    report.parts.map(({ outcome }) => outcome),
    ['published', 'skipped', 'published'],
  );
  assert.equal(report.summary?.total, 857);
});

test('a list that lost a type or a third of its entries is published only in the second run', async () => {
  using folder = temporaryFolder();
  {
    await using portal = await portalAtNoon();
    await catalogFrom(folder.path, { gateway: portal.url });
  }
  const before = catalogText(folder.path);
  await using portal = await portalAtNoon({ catalog: { LINKED: 100 } });
  const kept = await catalogFrom(folder.path, { gateway: portal.url, parts: ['linked'] });
  assert.equal(kept.parts[0]?.outcome, 'kept');
  assert.match(
    kept.parts[0]?.message ?? '',
    /160 of 260 LINKED datasets are gone.*--reparse --accept/,
  );
  assert.equal(catalogText(folder.path), before);
  const again = await catalogFrom(folder.path, { gateway: portal.url, parts: ['linked'] });
  assert.equal(again.parts[0]?.outcome, 'published');
  assert.equal(again.summary?.byType.LINKED, 100);
  assert.equal(again.summary?.total, 697);
});

test('rejected data is published from stored responses by --reparse --accept', async () => {
  using folder = temporaryFolder();
  {
    await using portal = await portalAtNoon({ catalog });
    await catalogFrom(folder.path, { gateway: portal.url });
  }
  await using portal = await portalAtNoon({ catalog: { LINKED: 0 } });
  const kept = await catalogFrom(folder.path, { gateway: portal.url, parts: ['linked'] });
  assert.equal(kept.parts[0]?.findings[0]?.kind, 'no_records');
  const requested = portal.requests.length;
  const from = { gateway: portal.url, parts: ['linked'], reparse: true, accept: true } as const;
  const accepted = await catalogFrom(folder.path, from);
  assert.equal(accepted.summary?.byType.LINKED, 0);
  assert.equal(portal.requests.length, requested);
});

test('each part is due by its own cycle, counted separately for each origin', async () => {
  using folder = temporaryFolder();
  const clock = testClock();
  await using portal = await portalAtNoon({ catalog });
  using jobs = openJobs(folder.path);
  const runs = new Runs(jobs, () => clock.now());
  const due = () => dueParts(runs, 'sample', clock.now());
  assert.deepEqual(due(), ['list', 'api', 'linked']);
  await catalogFrom(folder.path, { gateway: portal.url, clock });
  assert.deepEqual(due(), []);
  clock.pass(dayMs);
  assert.deepEqual(due(), ['api']);
  clock.pass(6 * dayMs);
  assert.deepEqual(due(), ['list', 'api']);
  clock.pass(23 * dayMs);
  assert.deepEqual(due(), ['list', 'api', 'linked']);
  assert.deepEqual(dueParts(runs, 'portal', clock.now()), ['list', 'api', 'linked']);
});

test('a part is put into the catalog that others published while it was collected', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ catalog });
  const from = { gateway: portal.url, origin: 'portal' } as const;
  await catalogFrom(folder.path, from);
  const entry = testEntry({ type: 'FILE', portalId: '15099001', title: '새 목록' });
  const publishOthers = (): void => {
    addCatalog(folder.path, [entry]);
    // So many that the snapshot in which the session began is removed.
    for (let at = 0; at < 6; at++) buildAxis(folder.path, 'file_1', [[`${at}`, null]]);
  };
  const parts = ['linked'] as const;
  const { summary } = await catalogFrom(folder.path, { ...from, parts, onSource: publishOthers });
  assert.deepEqual([summary?.byType.FILE, summary?.byType.LINKED], [1, catalog.LINKED ?? 260]);
  assert.match(catalogText(folder.path), /새 목록/);
});

test('a stopped collection publishes nothing, and resumes without repeating a request', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const gateway = portal.url;
  const stop = new AbortController();
  const stopped = catalogFrom(folder.path, {
    gateway,
    signal: stop.signal,
    onProgress: ({ code, requests }) => {
      if (code === 'catalog_linked' && requests === 3) stop.abort(new Error('Stopped.'));
    },
  });
  await assert.rejects(stopped, /Stopped\./);
  assert.equal(storedCatalog(folder.path), null);
  const { summary } = await catalogFrom(folder.path, { gateway });
  assert.equal(summary?.total, 857);
  // Each is requested once: three steps of the file, one page of the API, seven of the web list.
  assert.equal(portal.requests.length, 11);
});

test('a spent quota parks the meta API until ten past midnight in Korea', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ catalog, keys: { perDay: { 'odcloud 15077093': 0 } } });
  const { parts } = await catalogFrom(folder.path, { gateway: portal.url });
  assert.equal(parts[1]?.outcome, 'parked');
  assert.equal(parts[1]?.parkedUntil, '2026-11-21T15:10:00.000Z');
});

test('the catalog lookup of a load finds no entries of a sample catalog', async () => {
  await using portal = await portalAtNoon({ catalog });
  for (const origin of ['sample', 'portal'] as const) {
    using folder = temporaryFolder();
    await catalogFrom(folder.path, { gateway: portal.url, client: null, parts: ['list'], origin });
    using lookup = openCatalogLookup(folder.path, currentId(folder.path));
    assert.equal(lookup.byNumber('990100000')?.type, origin === 'sample' ? undefined : 'FILE');
  }
});

test('sample entries never replace a catalog of real entries', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ catalog });
  await catalogFrom(folder.path, { gateway: portal.url, origin: 'portal' });
  const { parts, snapshot } = await catalogFrom(folder.path, { gateway: portal.url });
  assert.ok(parts.every(({ outcome }) => outcome === 'skipped'));
  assert.equal(snapshot, null);
  assert.equal(
    readdirSync(`${folder.path}/snapshots`).filter((name) => /^\d/.test(name)).length,
    1,
  );
});
