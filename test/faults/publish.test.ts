import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import {
  currentId,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../../src/data/snapshot/snapshots.ts';
import { verifyFolder } from '../../src/data/snapshot/verify.ts';
import { buildAxis } from '../build-axis.ts';

test('a kill at any change of the disk leaves a whole snapshot serving, the old one or the new', () => {
  const data = mkdtempSync(join(tmpdir(), 'maru-chaos-'));
  try {
    buildAxis(data, 'file_1', [['처음', '그대로 있는 기록']]);
    buildAxis(data, 'file_2', [['처음', '바뀔 기록']]);
    let wasOld = 0;
    let isDone = false;
    for (let call = 1; !isDone; call++) {
      assert.ok(call < 500, 'The program never came to its end.');
      const before = currentId(data)!;
      const run = spawnSync(
        process.execPath,
        ['--import', pathOf('kill-at-call.ts'), pathOf('build-once.ts'), data, `${call}번`],
        { env: { ...process.env, KILL_AT_CALL: String(call) }, encoding: 'utf8' },
      );
      isDone = run.status === 0;
      assert.ok(isDone || run.signal === 'SIGKILL', run.stderr);
      const after = currentId(data)!;
      for (const id of snapshotIds(data)) {
        verifyFolder(snapshotFolder(data, id), readManifest(data, id), { hashes: true });
      }
      using opened = OpenedSnapshot.open(data, after);
      assert.deepEqual([...opened.axes.keys()], ['file_1', 'file_2']);
      const held = opened.part('file_2').records.record(0).toString();
      if (after === before) wasOld++;
      else assert.match(held, new RegExp(`${call}번`));
    }
    assert.ok(wasOld > 10, 'Most kills come before the pointer is replaced.');
    const names = readdirSync(join(data, 'snapshots')).filter((name) =>
      name.startsWith('.building'),
    );
    assert.deepEqual(names, [], 'What a killed build left is removed by the next.');
    assert.ok(snapshotIds(data).length <= 5);
  } finally {
    rmSync(data, { recursive: true });
  }
});

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
