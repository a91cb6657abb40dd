import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFolder } from '../../src/harvest/runs/earlier-runs.ts';
import { storedTable } from '../../src/harvest/datasets/paged-table.ts';
import { standardOperations } from '../../src/harvest/datasets/standard-operation.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';

const parking = '990000001';
const park = '15012890';

test('a file and the portal’s table of it are one axis with the same records', async () => {
  using byFile = temporaryFolder();
  using byPages = temporaryFolder();
  await using portal = await portalAtNoon();
  const numbers = [parking, '990000002', '990000008'];
  const codes = numbers.map((number) => `file_${number}`);
  await collectDatasets(byFile.path, numbers, { gateway: portal.url });
  const { axes } = await collectDatasets(byPages.path, numbers, {
    gateway: portal.url,
    datasetOptions: { upstream: 'odcloud', hasKey: true },
  });
  assert.deepEqual(
    axes.map(({ outcome }) => outcome),
    ['published', 'published', 'published'],
  );
  assert.deepEqual(hashesOf(byPages.path, codes), hashesOf(byFile.path, codes));
  const [one, two] = [byFile, byPages].map(({ path }) => new StoredAxes(path).served(codes[0]!)!);
  assert.deepEqual(
    two!.fields.map(({ name, label, role }) => [name, label, role]),
    one!.fields.map(({ name, label, role }) => [name, label, role]),
  );
  assert.equal(two!.axis.sourceModified, one!.axis.sourceModified);
  assert.equal(two!.axis.title, one!.axis.title);
});

test('with a key, api.odcloud.kr replaces a download that fails', async () => {
  using folder = temporaryFolder();
  using keyless = temporaryFolder();
  await using portal = await portalAtNoon({
    faults: [{ fault: 'maintenance', only: 'www.data.go.kr' }],
  });
  const options = { gateway: portal.url };
  const without = await collectDatasets(keyless.path, [parking], options);
  assert.equal(without.axes[0]?.outcome, 'failed');
  const { axes } = await collectDatasets(folder.path, [parking], {
    ...options,
    datasetOptions: { hasKey: true },
  });
  assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
  assert.equal(axes[0].rows, 620);
  const requested = portal.requests.length;
  const again = await collectDatasets(folder.path, [parking], { ...options, client: null });
  assert.equal(again.axes[0]?.rows, 620);
  assert.equal(portal.requests.length, requested);
});

test('if both upstreams fail, the first one’s reason is reported and the next run tries it again', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'maintenance', only: '.kr' }] });
  const options = { gateway: portal.url, datasetOptions: { hasKey: true } };
  const both = await collectDatasets(folder.path, [parking], options);
  assert.match(both.axes[0]?.message ?? '', /fileData\.do: .*maintenance/);
  portal.setFaults([
    { fault: 'maintenance', only: 'api.odcloud.kr' },
    { fault: 'html_page', only: 'infuser' },
  ]);
  const { axes } = await collectDatasets(folder.path, [parking], options);
  assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
});

test('a missing table, an unknown key and a spent quota each have their advice', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ keys: { perDay: 0 } });
  const datasetOptions = { upstream: 'odcloud', hasKey: true } as const;
  const options = { gateway: portal.url, datasetOptions };
  const none = await collectDatasets(folder.path, ['990000006'], options);
  assert.equal(none.axes[0]?.outcome, 'failed');
  const wrong = await collectDatasets(folder.path, ['990000002'], {
    ...options,
    serviceKey: 'another',
  });
  assert.match(wrong.axes[0]?.message ?? '', /odcloud_-4.*Check MARU_SERVICE_KEY/);
  const spent = await collectDatasets(folder.path, [parking], options);
  assert.equal(spent.axes[0]?.outcome, 'parked');
  assert.equal(spent.axes[0].parkedUntil, '2026-11-21T15:10:00.000Z');
});

for (const fault of ['retired', 'text_not_found'] as const) {
  test(`standard data whose operation is gone (${fault}) is collected from its file`, async () => {
    using folder = temporaryFolder();
    await using portal = await portalAtNoon({ faults: [{ fault, only: 'tn_pubr_' }] });
    const options = { gateway: portal.url, datasetOptions: { hasKey: true } };
    const { axes } = await collectDatasets(folder.path, [park], options);
    assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
    assert.equal(axes[0].rows, 400);
    const again = await collectDatasets(folder.path, [park], { ...options, client: null });
    assert.equal(again.axes[0]?.rows, 400, JSON.stringify(again.axes));
  });
}

test('standard data without a key is collected from its file', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const { axes } = await collectDatasets(folder.path, [park], { gateway: portal.url });
  assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
  assert.equal(axes[0].rows, 400);
  assert.ok(portal.requests.every(({ address }) => !address.includes('tn_pubr_')));
});

test('advice on a retired operation of standard data names its page and its file', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'retired', only: 'tn_pubr_' }] });
  const datasetOptions = { hasKey: true, upstream: 'standard' } as const;
  const { axes } = await collectDatasets(folder.path, [park], {
    gateway: portal.url,
    datasetOptions,
  });
  assert.equal(axes[0]?.outcome, 'failed');
  assert.match(axes[0].message ?? '', /15012890\/standard\.do .*file_15012890 --via download/);
});

test('standard data is stored by its number, under the Korean names of its file', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const code = `file_${park}`;
  const options = { gateway: portal.url, datasetOptions: { hasKey: true } };
  const { axes } = await collectDatasets(folder.path, [park], options);
  assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
  assert.equal(axes[0].rows, 400);
  assert.equal(storedTable({ folder: runFolder(folder.path, code, 1) })?.upstream, 'standard');
  const stored = new StoredAxes(folder.path).served(code)!;
  const names = stored.fields.map(({ name }) => name);
  for (const name of ['관리번호', '공원명', '소재지지번주소', '위도', '경도', '제공기관명']) {
    assert.ok(names.includes(name), names.join());
  }
  assert.equal(stored.axis.type, 'STD');
  assert.match(stored.axis.sourceUrl ?? '', /standard\.do$/);
  assert.ok(stored.regions.length > 0);
  const pages = portal.requests.filter(({ address }) => address.includes('tn_pubr_'));
  assert.ok(pages.every(({ query }) => query.get('numOfRows') === '1000'));
});

test('a dataset without a standard operation is refused with advice', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const datasetOptions = { upstream: 'standard', hasKey: true } as const;
  const { axes } = await collectDatasets(folder.path, [parking], {
    gateway: portal.url,
    datasetOptions,
  });
  assert.match(axes[0]?.message ?? '', /no operation .*Remove --via/);
});

test('every standard operation is valid, and no two share a number or an operation', () => {
  const confidences = ['read', 'general', 'unsure'];
  for (const each of standardOperations) {
    assert.match(each.number, /^15\d{6}$/);
    assert.match(each.operation, /^tn_pubr_[a-z_]+_api$/);
    assert.match(each.title, /^전국.+표준데이터$/);
    assert.ok(confidences.includes(each.numberConfidence), each.number);
    assert.ok(confidences.includes(each.operationConfidence), each.number);
  }
  for (const name of ['number', 'operation'] as const) {
    assert.equal(
      new Set(standardOperations.map((each) => each[name])).size,
      standardOperations.length,
    );
  }
});
