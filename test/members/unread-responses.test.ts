import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMembers, urlOf } from './started.ts';

const connections = isLongForm ? 50 : 10;
const requestsEach = 500;
/** Measured: 1.2 for each connection, and 45 without the turn of `listenerOf`. */
const megabytesPerConnectionMax = 3;
/** Keeps what could be collected out of the measure. */
const smallHeap = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

test('clients that pipeline requests and read no answer take 3 MB each at most', async () => {
  using folder = temporaryFolder();
  await using started = await startMembers(folder.path, {}, smallHeap);
  const { hostname, port } = new URL(urlOf(started, 'Members'));
  await using stack = new AsyncDisposableStack();
  const page = `http://${hostname}:${port}/openapi.json`;
  // Lets the service reach its usual size.
  for (let at = 0; at < 200; at++) await (await fetch(page)).arrayBuffer();
  const idle = megabytesOf(started.pid);
  const text = `GET /openapi.json HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket: Socket = stack.adopt(connect(Number(port), hostname), (one) => {
        one.destroy();
      });
      socket.pause();
      await once(socket, 'connect');
      await new Promise((sent) => socket.write(text.repeat(requestsEach), sent));
    }),
  );
  // Another client is answered all the time, until the service has read everything it wants to.
  for (let at = 0; at < 200; at++) await (await fetch(page)).arrayBuffer();
  const taken = megabytesOf(started.pid) - idle;
  assert(taken <= connections * megabytesPerConnectionMax, `${taken} MB above idle`);
});

/** Resident memory of a process. */
function megabytesOf(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(Number(kilobytes) / 1024);
}
