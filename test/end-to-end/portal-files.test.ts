import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadReport } from '../../src/ingest/load/load.ts';
import { realData as files, realDataTest } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runMaru, serveMaru } from './run-maru.ts';

realDataTest('real files of the portal load in one command, and every axis is served', async () => {
  using data = temporaryFolder();
  // The folder `load` has large files, which are for the benchmark.
  const folders = readdirSync(files).filter((name) => name !== 'load' && !name.includes('.'));
  const ran = await runMaru(data.path, [
    'load',
    ...folders.map((name) => join(files, name)),
    '--json',
  ]);
  assert.equal(ran.status, 0, ran.errors);
  const report = JSON.parse(ran.output) as LoadReport;
  assert.deepEqual(
    report.notHeld.filter(({ code }) => code === 'internal'),
    [],
  );
  const list = readdirSync(join(files, 'portal-catalog-2022'))[0]!;
  const catalog = join(files, 'portal-catalog-2022', list);
  assert.equal((await runMaru(data.path, ['catalog', 'load', catalog])).status, 0);

  await using server = await serveMaru(data.path);
  const getJson = async (path: string): Promise<Answer> => {
    const response = await fetch(server.address + path);
    assert.equal(response.status, 200, path);
    return (await response.json()) as Answer;
  };
  const axes = await getJson('/api/axes');
  const loaded = axes.items.filter(({ code }) => code!.startsWith('file_'));
  assert.equal(loaded.length, report.axes.length);
  const regions = new Map<string, number>();
  for (const { axis, rows } of (await getJson('/api/region?sido=서울')).items)
    regions.set(axis!, rows!);
  assert.ok(regions.size > 10);
  for (const { code, rows } of loaded) {
    const page = await getJson(`/api/data/axis?axis=${code}&limit=500`);
    assert.equal(page.total, rows);
    const { items: fields } = await getJson(`/api/data/fields?axis=${code}`);
    for (const { label } of fields) assert.match(label!, /\S/);
    for (const row of page.items) {
      assert.deepEqual(Object.keys(row).toSorted(), fields.map(({ name }) => name!).toSorted());
      assert.ok(!Object.values(row).includes(''), `${code} holds an empty string`);
    }
    const inSeoul = await getJson(`/api/data/axis?axis=${code}&sido=서울&limit=0`);
    assert.equal(inSeoul.total, regions.get(code!) ?? 0, code);
    const found = await getJson(`/api/data/search?q=서울&axis=${code}&limit=0`);
    assert.ok(found.total >= 0);
  }
  assert.equal(
    (await getJson('/api/catalog/search?q=주차장&type=std')).items.every(
      ({ type }) => type === 'STD',
    ),
    true,
  );
  const stats = await getJson('/api/stats');
  assert.equal(
    stats.rows!.total,
    axes.items.reduce((sum, { rows }) => sum + rows!, 0),
  );
});

interface Answer {
  readonly total: number;
  readonly rows?: { readonly total: number };
  readonly items: readonly {
    readonly [name: string]: unknown;
    readonly code?: string;
    readonly axis?: string;
    readonly name?: string;
    readonly label?: string;
    readonly type?: string;
    readonly rows?: number;
  }[];
}
