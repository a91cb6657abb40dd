import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runMaru, serveMaru, type ServingMaru } from './run-maru.ts';

test('processes on one port are replaced under load without a failed request', async () => {
  using folder = temporaryFolder();
  await copyFirstStart(folder.path);
  await using server = await serveMaru(folder.path, {}, ['lookup', '--processes', '2']);
  const log = new Log(server.process.stdout!);
  // The first of the two lets the server listen.
  while (!(await metricsOf(server)).includes('process="2"')) await pause(pauseMs);
  using load = new Load(`${server.address}/api/stats`);
  await load.answered(50);
  server.process.kill('SIGHUP');
  const lines = await log.until('processes_replaced');
  const started = lines.filter(({ event }) => event === 'process_started').slice(-2);
  assert.deepEqual(numbersOf(started), [1, 2]);
  await load.answered(50);
  assert.deepEqual(load.faults, []);
  load[Symbol.dispose]();

  const metrics = await metricsOf(server);
  for (const number of [1, 2]) {
    assert.match(metrics, new RegExp(`maru_axes\\{process="${number}"\\} [1-9]`));
  }

  process.kill(Number(started[0]!['pid']), 'SIGKILL');
  const ended = (await log.until('process_ended')).at(-1)!;
  assert.deepEqual([ended['process'], ended['signal']], [1, 'SIGKILL']);
  assert.equal((await fetch(`${server.address}/healthz`)).status, 200);
  assert.deepEqual(numbersOf((await log.until('process_started')).slice(-1)), [1]);

  // A replacement that is starting ends too.
  server.process.kill('SIGHUP');
  server.process.kill('SIGTERM');
  assert.deepEqual(await once(server.process, 'exit'), [0, null]);
  await assert.rejects(fetch(`${server.address}/healthz`));
});

test('processes are refused for members, and above 64, with exit code 2', async () => {
  using folder = temporaryFolder();
  const members = await runMaru(folder.path, ['serve', 'members', '--processes', '2']);
  assert.equal(members.status, 2);
  assert.match(members.errors, /--processes is for lookup and web/);
  const many = await runMaru(folder.path, ['serve', 'lookup', '--processes', '65']);
  assert.equal(many.status, 2);
  assert.match(many.errors, /from 1 to 64/);
});

async function metricsOf({ address }: ServingMaru): Promise<string> {
  return (await fetch(`${address}/metrics`)).text();
}

/** Between two requests of a client, so that the load takes no processor time from the processes that start. */
const pauseMs = isLongForm ? 0 : 25;

type LogLine = Readonly<Record<string, unknown>>;

function numbersOf(lines: readonly LogLine[]): readonly unknown[] {
  return lines.map((line) => line['process']);
}

/** Lines that a process logs from now on. */
class Log {
  readonly #lines: AsyncIterator<string>;

  constructor(output: NodeJS.ReadableStream) {
    this.#lines = createInterface(output)[Symbol.asyncIterator]();
  }

  /** The next lines, up to one with the event. */
  async until(event: string): Promise<readonly LogLine[]> {
    const lines: LogLine[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      assert.ok(done !== true, `The log ended before ${event}.`);
      // Each line of the log is an object.
      const line = JSON.parse(value) as LogLine;
      lines.push(line);
      if (line['event'] === event) return lines;
    }
  }
}

/** Clients that send request after request, with kept connections and with new ones. */
class Load implements Disposable {
  readonly faults: string[] = [];
  readonly #url: string;
  readonly #agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  #isStopped = false;
  #answers = 0;
  #wanted: { readonly count: number; readonly resolve: () => void } | null = null;

  constructor(url: string) {
    this.#url = url;
    for (const agent of this.#agents) for (let at = 0; at < 4; at++) this.#request(agent);
  }

  /** Resolves after so many more answers. */
  answered(more: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted = { count: this.#answers + more, resolve };
    return promise;
  }

  #request(agent: Agent): void {
    if (this.#isStopped) return;
    const again = (fault: string | null): void => {
      if (fault !== null && !this.#isStopped) this.faults.push(fault);
      this.#answers++;
      if (this.#wanted !== null && this.#answers >= this.#wanted.count) this.#wanted.resolve();
      setTimeout(() => this.#request(agent), pauseMs);
    };
    get(this.#url, { agent }, (response) => {
      response.resume().once('end', () => {
        again(response.statusCode === 200 ? null : String(response.statusCode));
      });
    }).once('error', (error) => again(error.message));
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    for (const agent of this.#agents) agent.destroy();
  }
}
