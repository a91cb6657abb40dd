import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleKey } from '../../sample/keys.ts';
import type { SamplePortal } from '../../sample/portal.ts';
import { koreanDay } from '../../src/data/korean-time.ts';
import { createPortalClient } from '../../src/harvest/client/portal-client.ts';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { axisDefinition, axisDefinitions } from '../../src/harvest/operations/definitions.ts';
import { findDifferences } from '../../src/harvest/probe/differences.ts';
import { probeOperations, probeTargets } from '../../src/harvest/probe/probe.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { atNoon, maru } from './maru.ts';

const sampleStandard = ['file_15012896', 'file_15012890'];

test('a probe sends one request to each operation and finds no difference from the sample', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const codes = [...axisDefinitions.map(({ code }) => code), ...sampleStandard];
  const operations = await probe(folder.path, portal, codes);
  const probed = operations.flatMap(({ code }) => code ?? []);
  assert.deepEqual(probed.toSorted(), codes.toSorted());
  assert.deepEqual(
    operations.filter(({ differences }) => differences.length > 0),
    [],
  );
  const paths = portal.requests.map(({ address }) => address);
  const requests = new Map(operations.map(({ operation }) => [operation, 0]));
  for (const path of paths) requests.set(path, (requests.get(path) ?? 0) + 1);
  // Several axes may share an operation, each with its own parameters.
  const axisPaths = axisDefinitions.map(({ path }) => path);
  for (const [path, count] of requests) {
    assert.ok(count <= Math.max(1, axisPaths.filter((each) => each === path).length), path);
  }
  const answered = operations.filter(({ outcome }) => outcome === 'answered');
  assert.ok(answered.length >= 60, `${answered.length} answered.`);
  assert.deepEqual(readdirSync(folder.path), []);
});

test('a probe reports fields, operations and quotas that differ', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  portal.setFaults([
    { fault: 'field_renamed', only: 'gen_area2' },
    { fault: 'text_not_found', only: 'tn_pubr_prkplce' },
    { fault: 'retired', only: 'kma_ncst' },
  ]);
  const codes = ['gen_area2', 'kma_ncst', 'std_library', ...sampleStandard];
  const quota = createMemoryQuota();
  void quota.exhaust(axisDefinition('std_library')!.path, koreanDay(noon));
  const operations = await probe(folder.path, portal, codes, quota);
  const found = operations
    .map(({ code, outcome, differences }) => [
      code,
      outcome,
      ...new Set(differences.map(({ kind }) => kind)),
    ])
    .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));
  assert.deepEqual(found, [
    ['file_15012890', 'answered'],
    ['file_15012896', 'failed', 'operation'],
    ['gen_area2', 'answered', 'fields'],
    ['kma_ncst', 'failed', 'operation'],
    ['std_library', 'not_sent'],
  ]);
  const parking = operations.find(({ code }) => code === 'file_15012896');
  assert.match(parking?.message ?? '', /--via download/);
  assert.deepEqual(
    parking?.assumptions.map(({ kind }) => kind),
    ['number'],
  );
});

test('a short page, other labels, a missing total and a quota header are differences', () => {
  const axis = axisDefinition('gen_largeupjonglist')!;
  const [first, second] = axis.fields;
  const row = { [first!.name]: 'A', [second!.name]: '예시' };
  const columns = [...axis.fields.map(({ label }) => label).slice(1), '다른 이름'];
  const answer = {
    rows: [row],
    total: 7,
    code: '00',
    message: '',
    status: 200,
    isMended: false,
    format: 'json' as const,
    body: Buffer.from(JSON.stringify({ header: { columns } })),
  };
  const page = { columns: [], rows: [['A', '예시']], unknownFields: ['new'], missingFields: [] };
  const headers = { 'x-ratelimit-limit-day': '1000' };
  const kindsOf = (changes: object) =>
    findDifferences(axis, { ...answer, ...changes }, page, headers).map(({ kind }) => kind);
  assert.deepEqual(kindsOf({}), ['page_size', 'fields', 'labels', 'labels', 'quota']);
  assert.deepEqual(kindsOf({ total: null }), ['total', 'fields', 'labels', 'labels', 'quota']);
  const reset = findDifferences(axis, answer, page, { 'x-ratelimit-reset': '60' });
  assert.equal(reset.at(-1)!.kind, 'labels');
});

test('the command stores and publishes nothing, and no later run uses its answers', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const words = ['collect', '--probe', 'nec_code', 'file_15012890'];
  const { code, output } = await maru([...words, '--json'], folder.path, atNoon(portal));
  assert.equal(code, 0, output);
  const { operations } = JSON.parse(output) as { operations: { outcome: string }[] };
  assert.deepEqual(
    operations.map(({ outcome }) => outcome),
    ['answered', 'answered'],
  );
  assert.ok(!existsSync(join(folder.path, 'raw')) && !existsSync(join(folder.path, 'snapshots')));
  assert.ok(!output.includes(sampleKey));
  assert.equal(portal.requests.length, 2);
});

test('every operation of an axis and of the standard data can be probed once', () => {
  const targets = probeTargets();
  assert.equal(new Set(targets.map(({ path, code }) => `${code} ${path}`)).size, targets.length);
  for (const { code } of axisDefinitions) assert.ok(targets.some((each) => each.code === code));
});

function probe(
  data: string,
  portal: SamplePortal,
  codes: readonly string[],
  quota = createMemoryQuota(),
) {
  const client = createPortalClient({
    serviceKey: sampleKey,
    gateway: portal.url,
    quota,
    log: silentLog,
    clock: testClock(),
    limits: { attemptsMax: 1, callsPerSecond: 100_000 },
  });
  const stored = new StoredAxes(data);
  const { signal } = new AbortController();
  return probeOperations(codes, { client, stored, now: noon, signal, onOperation: () => {} });
}
