import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommanderError } from 'commander';
import { collectCommand } from '../../bin/collect.ts';
import { buildCatalog, testEntry } from '../build-catalog.ts';
import { sampleKey } from '../../sample/keys.ts';
import { startSamplePortal } from '../../sample/portal.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { maru } from './maru.ts';

test('files and axes are collected by one command, listed, reported, and one version is chosen', async () => {
  using folder = temporaryFolder();
  await using portal = await startSamplePortal();
  const environment = { MARU_SERVICE_KEY: sampleKey, MARU_PORTAL_GATEWAY: portal.url };
  const run = (...words: string[]) => maru(['collect', ...words], folder.path, environment);
  const list = join(folder.path, 'list.txt');
  writeFileSync(list, '# 주차장\n990000001\nfile_990000019 # its agency has it\n');
  const { code, output } = await run('--list', list, '--history');
  assert.equal(code, 1, output);
  assert.match(output, /published {2}file_990000001 {2}620 rows/);
  assert.match(output, /failed .*file_990000019.*\[agency_hosted 1\]\n.*maru load FILE/);
  const versions = await run('versions', 'file_990000001');
  assert.match(versions.output, /^\* 20260831-\w{8} .*\n {2}20250831-/);
  const older = /20250831-\w{8}/.exec(versions.output)?.[0] ?? '';
  const requested = portal.requests.length;
  const chosen = await run('file_990000001', '--hold', older);
  assert.equal(chosen.code, 0, chosen.output);
  assert.equal(portal.requests.length, requested);
  assert.match((await run('versions', 'file_990000001')).output, /^\* 20250831-/m);
  const report = await run('report');
  assert.match(report.output, /done {9}file_990000001 .* 605 rows/);
  assert.match(report.output, /failed {7}file_990000019 /);
  const again = await run('nec_code', 'file_990000001', '--json');
  assert.equal(again.code, 0, again.output);
  assert.match(again.output, /"code": "nec_code"[^]*"code": "file_990000001"/);
});

test('a query of the catalog selects files, and a dry run sends no request', async () => {
  using folder = temporaryFolder();
  await using portal = await startSamplePortal();
  const titles = ['공영주차장 현황', '도서관 현황', '노외주차장 목록'];
  buildCatalog(
    folder.path,
    titles.map((title, at) => testEntry({ type: 'FILE', portalId: `99000000${at + 1}`, title })),
  );
  const environment = { MARU_PORTAL_GATEWAY: portal.url };
  const run = (...words: string[]) => maru(['collect', ...words], folder.path, environment);
  const dry = await run('--catalog', '주차장', '--dry-run');
  assert.equal(dry.code, 0, dry.output);
  assert.match(dry.output, /^file_990000001 {2}공영주차장 현황/m);
  assert.match(dry.output, /2 would be collected; 0 of known size, 0 bytes. No request was sent./);
  assert.equal(portal.requests.length, 0);
  const { code, output } = await run('--catalog', '주차장', '--limit', '1');
  assert.equal(code, 0, output);
  assert.match(output, /2 FILE entries match; the best 1 are collected/);
  assert.match(output, /1 axis, [\d,]+ rows/);
});

test('contradicting options are refused as wrong use', async () => {
  const wrong = [
    ['--limit', '3', 'file_1'],
    ['--catalog', '주차장', '--limit', '0'],
    ['file_1', '--via', 'window'],
    ['file_1', '--as-of', 'yesterday'],
    ['file_1', '--as-of', '2026-02-31'],
    ['file_1', '--as-of', '2026-01-01', '--hold', '20260101-00000000'],
    ['file_1', '--history', '--hold', '20260101-00000000'],
    ['file_1', '--history', '--via', 'odcloud'],
    ['nec_code', '--history'],
    ['file_1234567890123'],
    [],
  ];
  for (const words of wrong) {
    const command = collectCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
    const ended = command.parseAsync(['node', 'collect', ...words]);
    await assert.rejects(ended, CommanderError, words.join(' '));
  }
});
