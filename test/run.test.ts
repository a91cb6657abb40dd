import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

test('a stopped run of tests leaves no process and no temporary file', async () => {
  using folder = temporaryFolder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const words = [join(import.meta.dirname, 'run.ts'), 'test/fixtures/waiting-process.ts'];
  const run = spawn(process.execPath, words, {
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      TMPDIR: folder.path,
      WAITING_PORT: String(port),
    },
    stdio: 'ignore',
  });
  const ended = once(run, 'exit');
  const [waiting] = (await once(server, 'connection')) as [Socket];
  const disconnected = once(waiting.resume(), 'close');
  run.kill('SIGTERM');
  assert.deepEqual(await ended, [143, null]);
  await disconnected;
  assert.deepEqual(readdirSync(folder.path), []);
  server.close();
});
