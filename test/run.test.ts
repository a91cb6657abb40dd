import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serverFolder } from './postgres/installation.ts';
import { runSql } from './postgres/server.ts';
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

test('a stopped process ends its server of PostgreSQL and removes the files of it', async () => {
  using folder = serverFolder();
  const module = JSON.stringify(join(import.meta.dirname, 'postgres/server.ts'));
  const script = `import { PostgresServer } from ${module}; console.log((await PostgresServer.start()).url)`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  await runSql(url, 'SELECT 1');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [143, null]);
  // The server ends at once, but after the process.
  while (await isAnswered(url)) await pause(5);
  assert.deepEqual(readdirSync(folder.path), []);
});

async function isAnswered(url: string): Promise<boolean> {
  try {
    await runSql(url, 'SELECT 1');
    return true;
  } catch {
    return false;
  }
}
