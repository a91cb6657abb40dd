import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinitions } from '../../src/harvest/operations/definitions.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { sampleFileCodes } from '../../sample/files/datasets.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { sampleFileNumbers } from './sample-files.ts';

test('a first start stores 69 axes and sample files, and marks invented data as sample', async () => {
  using folder = temporaryFolder();
  await copyFirstStart(folder.path);
  const files = sampleFileNumbers.map((number) => `file_${number}`);
  assert.ok(files.length >= 15);
  assert.deepEqual(files, sampleFileCodes);
  const expectedCodes = [...axisDefinitions.map(({ code }) => code), ...files];
  using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
  assert.deepEqual([...opened.axes.keys()].toSorted(), expectedCodes.toSorted());
  assert.deepEqual(
    expectedCodes.filter((code) => (opened.axes.get(code)?.rows ?? 0) === 0),
    [],
  );
  const origins = new Map([...opened.axes].map(([code, { axis }]) => [code, axis.origin]));
  assert.equal(origins.get('gen_restdeinfo'), 'file');
  assert.equal(origins.get('std_library'), 'sample');
  assert.ok(files.every((code) => origins.get(code) === 'sample'));
  assert.equal([...origins.values()].filter((origin) => origin === 'portal').length, 0);
  const { summary } = opened.catalog!;
  assert.equal(summary.origin, 'sample');
  assert.ok(Object.values(summary.byType).every((entries) => entries > 0));
  const demand = opened.demand!;
  assert.equal(demand.origin, 'sample');
  assert.match(demand.method.source, /^SAMPLE DATA/);
  assert.ok(demand.items.some(({ axes: linked }) => linked.length > 0));
  const { collectors } = opened.manifest;
  assert.equal(collectors?.failed, 0);
  const unlabelled = [...opened.axes.values()]
    .flatMap(({ fields }) => fields)
    .filter(({ label }) => label === '');
  assert.deepEqual(unlabelled, []);
});
