import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { sampleKey } from '../../sample/keys.ts';
import type { FaultSetting } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';
import { atNoon, maru } from './maru.ts';

const spellings = [sampleKey, encodeURIComponent(sampleKey), sampleKey.slice(4, 24)];

const pagedDatasets = [
  ['odcloud', '990000001'],
  ['standard', '15012890'],
] as const;

test('no file, log or error contains the key under any fault', async () => {
  const faults: FaultSetting[][] = [
    [{ fault: 'mix', rate: 0.5 }],
    [{ fault: 'unregistered_key' }],
    [{ fault: 'text_unauthorized' }],
    [{ fault: 'retired' }],
    [{ fault: 'quota', fromPage: 2 }],
  ];
  for (const setting of faults) {
    using folder = temporaryFolder();
    const scale = isLongForm ? {} : { std_library: 100 };
    await using portal = await portalAtNoon({ faults: setting, scale });
    let written = '';
    const write = (text: string): void => void (written += text);
    const codes = ['std_library', 'gen_area2', 'nec_code'];
    const report = await collectFrom(folder.path, codes, { gateway: portal.url, write });
    assert.ok(written.length > 0);
    written += JSON.stringify(report);
    for (const [upstream, number] of pagedDatasets) {
      const datasetOptions = { upstream, hasKey: true };
      const options = { gateway: portal.url, write, datasetOptions };
      written += JSON.stringify(await collectDatasets(folder.path, [number], options));
    }
    for (const spelling of spellings) assert.ok(!written.includes(spelling), setting[0]!.fault);
    for (const path of readdirSync(folder.path, { recursive: true, encoding: 'utf8' })) {
      const text = textsIn(join(folder.path, path));
      for (const spelling of spellings) assert.ok(!text.includes(spelling), path);
    }
  }
});

test('without a key the command explains how to get one, and exits as wrong use', async () => {
  using folder = temporaryFolder();
  const { code, output } = await maru(['collect', '--all'], folder.path, {});
  assert.equal(code, 2);
  assert.match(output, /MARU_SERVICE_KEY is not set: sign up at https:\/\/www\.data\.go\.kr/);
});

test('a refused key ends the command with exit code 1 and advice, without the key', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const wrong = 'Wrong+Key/0123456789abcdefghij==';
  const { code, output } = await maru(['collect', 'nec_code'], folder.path, {
    MARU_SERVICE_KEY: wrong,
    MARU_PORTAL_GATEWAY: portal.url,
  });
  assert.equal(code, 1);
  assert.match(output, /Check MARU_SERVICE_KEY/);
  assert.ok(!output.includes(wrong) && !output.includes(encodeURIComponent(wrong)));
});

test('a spent quota ends the command with exit code 0 and the time of its resumption', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'quota' }] });
  const { code, output } = await maru(['collect', 'nec_code'], folder.path, atNoon(portal));
  assert.equal(code, 0, output);
  assert.match(
    output,
    /1 waiting for the quota: the same command resumes them from 2026-11-21T15:(?:0[5-9]|1[0-4]):/,
  );
  portal.setFaults([]);
  const again = await maru(['collect', 'nec_code'], folder.path, atNoon(portal));
  assert.match(again.output, /quota_spent/);
  const words = ['collect', 'nec_code', '--ignore-quota'];
  const ignoring = await maru(words, folder.path, atNoon(portal));
  assert.match(ignoring.output, /Published as snapshot/);
});

test('data of a sample portal is marked as sample, by --sample or by its key', async () => {
  await using portal = await portalAtNoon();
  const gateway = { MARU_PORTAL_GATEWAY: portal.url };
  const commands = [
    [['--sample'], {}],
    [[], { ...gateway, MARU_SERVICE_KEY: sampleKey }],
    [[], { ...gateway, MARU_SERVICE_KEY: encodeURIComponent(sampleKey) }],
  ] as const;
  for (const [words, environment] of commands) {
    using folder = temporaryFolder();
    const { code, output } = await maru(
      ['collect', 'nec_code', '--json', ...words],
      folder.path,
      environment,
    );
    assert.equal(code, 0, output);
    assert.match(output, /"outcome": "published"/);
    const id = readFileSync(join(folder.path, 'current'), 'utf8').trim();
    const axis = join(folder.path, 'snapshots', id, 'axes/nec_code/axis.json');
    assert.match(readFileSync(axis, 'utf8'), /"origin": "sample"/);
  }
});

/** The bytes of a file and of its decompressed zstd frames as text. */
function textsIn(path: string): string {
  if (path.endsWith('/responses.db')) return responsesIn(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return '';
  }
  let text = bytes.toString('latin1');
  for (let at = bytes.indexOf(zstdMagic); at >= 0; at = bytes.indexOf(zstdMagic, at + 1)) {
    try {
      text += zstdDecompressSync(bytes.subarray(at)).toString('latin1');
    } catch {
      // These four bytes are not the start of a frame.
    }
  }
  return text;
}

/** Keys and bodies of stored responses, read by SQL, since a body may be spread over several pages of the file. */
function responsesIn(path: string): string {
  using database = new DatabaseSync(path);
  const rows = database.prepare('SELECT key, body FROM responses').all();
  return rows
    .map(({ key, body }) => `${String(key)} ${zstdDecompressSync(body as Uint8Array).toString()}`)
    .join('\n');
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
