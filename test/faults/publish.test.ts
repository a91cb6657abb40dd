import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packsOf } from '../../src/data/snapshot/layout.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import {
  currentId,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../../src/data/snapshot/snapshots.ts';
import { verifyFolder } from '../../src/data/snapshot/verify.ts';
import { buildAxis, testFields } from '../build-axis.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a kill at any change of the disk leaves a whole snapshot serving, the old one or the new', () => {
  killAtEachCall(128);
});

test('a kill at any change of the disk leaves a whole snapshot while packs are written', () => {
  killAtEachCall(2);
});

/** Kills builds after which `looseMax` small axes become a pack. */
function killAtEachCall(looseMax: number): void {
  using folder = temporaryFolder();
  const [data, copies] = [join(folder.path, 'data'), join(folder.path, 'copies')];
  const publish = (code: string, rows: readonly (readonly string[])[], to = data) =>
    buildAxis(to, code, rows, null, testFields, {}, looseMax);
  publish('file_1', [['처음', '그대로 있는 기록']]);
  const before = publish('file_2', [['처음', '바뀔 기록']]);
  assert.equal(packsOf(readManifest(data, before)).length, looseMax === 2 ? 1 : 0);
  const killed = join(folder.path, 'killed');
  cpSync(data, killed, { recursive: true });

  const run = build(data, looseMax, 'copy-at-calls.ts', { COPIED_FOLDER: data, COPIES: copies });
  assert.equal(run.status, 0, run.stderr);
  const calls = readdirSync(copies).length;
  const isOld: boolean[] = [];
  for (let call = 1; call <= calls; call++) {
    const copy = join(copies, String(call));
    isOld.push(assertWhole(copy, before));
    publish('file_2', [['다음', '다시 만든 기록']], copy);
    assertClean(copy);
  }
  assert.ok(isOld.filter(Boolean).length > 10, 'Most kills come before the pointer is replaced.');
  assert.ok(!isOld.slice(isOld.indexOf(false)).includes(true), 'The pointer is replaced once.');

  // Each process is killed in the folder that the previous one left.
  const everyCall = Array.from({ length: calls }, (_, at) => at + 1);
  for (const call of isLongForm ? everyCall : [calls >> 1, calls - 1]) {
    const served = currentId(killed)!;
    const kill = { KILL_AT_CALL: String(call) };
    const { signal, stderr } = build(killed, looseMax, 'kill-at-call.ts', kill);
    assert.equal(signal, 'SIGKILL', stderr);
    assertWhole(killed, served);
  }
  publish('file_2', [['다음', '다시 만든 기록']], killed);
  assertClean(killed);
}

/** Asserts that every snapshot is whole and the served one complete; returns true if `before` is still served. */
function assertWhole(data: string, before: string): boolean {
  const after = currentId(data)!;
  for (const id of snapshotIds(data)) {
    verifyFolder(snapshotFolder(data, id), readManifest(data, id), { hashes: true });
  }
  using opened = OpenedSnapshot.open(data, after);
  assert.deepEqual([...opened.axes.keys()], ['file_1', 'file_2']);
  const record = opened.part('file_2').records.record(0).toString();
  if (after !== before) assert.match(record, /새로/);
  return after === before;
}

/** Asserts that nothing is left of a killed build. */
function assertClean(data: string): void {
  const names = readdirSync(join(data, 'snapshots'));
  assert.deepEqual(
    names.filter((name) => name.startsWith('.building')),
    [],
  );
  assert.ok(snapshotIds(data).length <= 5);
}

/** Runs a build in a process with another program loaded before it. */
function build(
  data: string,
  looseMax: number,
  loaded: string,
  environment: Record<string, string>,
) {
  const program = [pathOf('build-once.ts'), data, '새로', String(looseMax)];
  const words = ['--import', pathOf(loaded), ...program];
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, words, { env, encoding: 'utf8' });
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
