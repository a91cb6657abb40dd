import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openTables } from './open.ts';
import { readWhole } from '../../../test/read-whole.ts';

/** Reads a file of many batches and does something to it after the first. */
async function readWhile(path: string, change: () => void): Promise<void> {
  writeFileSync(path, `이름,값\n${'가람,1\n'.repeat(50_000)}`);
  let isChanged = false;
  for await (const { batches } of openTables(path, {}, () => undefined)) {
    for await (const { rows } of batches) {
      assert.ok(rows.length >= 0);
      if (!isChanged) change();
      isChanged = true;
    }
  }
}

test('a file that grows, shrinks or goes away while it is read is refused', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'data.csv');
  const changed = { code: 'changed', message: /data\.csv changed while it was read/ };
  await assert.rejects(
    readWhile(path, () => appendFileSync(path, '나루,2\n')),
    changed,
  );
  await assert.rejects(
    readWhile(path, () => truncateSync(path, 100)),
    changed,
  );
  await assert.rejects(
    readWhile(path, () => rmSync(path)),
    changed,
  );
  await readWhile(path, () => undefined);
});

test('a pipe, a device and a folder are refused at once, without waiting', async () => {
  using folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  const inside = join(folder.path, 'folder.csv');
  mkdirSync(inside);
  await assert.rejects(readWhole(pipe), { code: 'not_a_file', message: /pipe\.csv is a pipe/ });
  await assert.rejects(readWhole('/dev/null'), { code: 'not_a_file', message: /is a device/ });
  await assert.rejects(readWhole(inside), { code: 'not_a_file', message: /is a folder/ });
});

test('a socket is refused', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'socket.csv');
  const server = createServer().listen(path);
  await once(server, 'listening');
  await assert.rejects(readWhole(path), { code: 'not_a_file', message: /is a socket/ });
  server.close();
});

test('a missing file is refused with the reason', async () => {
  await assert.rejects(readWhole('/no/such.csv'), {
    code: 'unreadable',
    message: '/no/such.csv: there is no such file or folder (ENOENT).',
  });
});
