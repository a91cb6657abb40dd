import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface CatalogReport {
  readonly snapshot: string | null;
  readonly summary: { readonly total: number; readonly origin: string };
  readonly parts: readonly { readonly part: string; readonly outcome: string }[];
}

test('`catalog collect` and `demand collect` read the sample portal and appear in the report', async () => {
  using folder = temporaryFolder();
  const catalog = await runMaru(folder.path, ['catalog', 'collect', '--sample', '--json']);
  assert.equal(catalog.status, 0, catalog.errors);
  const { summary, parts, snapshot } = JSON.parse(catalog.output) as CatalogReport;
  assert.deepEqual([summary.total, summary.origin], [857, 'sample']);
  assert.ok(snapshot !== null && parts.every(({ outcome }) => outcome === 'published'));
  const list = join(folder.path, 'words.txt');
  writeFileSync(list, '주차장, 공영주차장\n도서관\n');
  const demand = await runMaru(folder.path, ['demand', 'collect', '--sample', '--keywords', list]);
  assert.equal(demand.status, 0, demand.errors);
  assert.match(demand.output, /7 keywords relative to 지도 = 100, 0 below the resolution/);
  const runs = JSON.parse((await runMaru(folder.path, ['collect', 'report', '--json'])).output) as {
    axis: string;
    state: string;
  }[];
  assert.deepEqual(
    runs.map(({ axis, state }) => [axis, state]),
    ['catalog_api', 'catalog_linked', 'catalog_list', 'demand'].map((axis) => [axis, 'done']),
  );
});

test('wrong use ends with exit code 2 and advice', async () => {
  using folder = temporaryFolder();
  const wrong = [
    [['catalog', 'collect', 'everything'], /Allowed choices are list, api, linked/],
    [['demand', 'collect'], /MARU_NAVER_ID is not set: register an application/],
    [['demand', 'collect', '--sample', '--anchors', ' ,지도'], /--anchors takes 1 to 20 words/],
  ] as const;
  for (const [words, output] of wrong) {
    const { status, errors } = await runMaru(folder.path, words);
    assert.equal(status, 2, errors);
    assert.match(errors, output);
  }
  const idOnly = await runMaru(folder.path, ['demand', 'collect'], { MARU_NAVER_ID: 'someone' });
  assert.equal(idOnly.status, 2);
  assert.match(idOnly.errors, /^MARU_NAVER_SECRET is not set/);
  const service = await runMaru(folder.path, ['demand', 'collect'], { MARU_NAVER_DOOR: 'back' });
  assert.match(service.errors, /MARU_NAVER_DOOR must be one of hub, legacy/);
});

test('a failed collection exits with 1 and one sentence, and publishes nothing', async () => {
  using folder = temporaryFolder();
  const unreachable = {
    MARU_PORTAL_GATEWAY: 'http://127.0.0.1:9',
    MARU_NAVER_ID: 'a',
    MARU_NAVER_SECRET: 'b',
  };
  const nothing = await runMaru(folder.path, ['demand', 'collect'], unreachable);
  assert.equal(nothing.status, 1);
  assert.match(
    nothing.output,
    /There is no catalog with keywords: give a list with --keywords FILE/,
  );
  const never = await runMaru(folder.path, ['catalog', 'collect', 'linked', '--reparse']);
  assert.equal(never.status, 1);
  assert.match(
    never.errors,
    /catalog_linked was never collected here: collect it without --reparse/,
  );
  assert.match(never.output, /Nothing was published/);
});
