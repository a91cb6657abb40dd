import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { benchData } from './bench-data.ts';

/**
 * The wait of a page while other clients search: processor time that the server spends between the request and the
 * answer, which other work on the machine does not bend, and the time by the clock. Each client sends its next query
 * when the last is answered. A second checkout is measured in turn: `search-load.ts ROOT`. Linux only.
 */
const seconds = 6;
const roots = [resolve(import.meta.dirname, '..'), ...process.argv.slice(2)];
let seed = 0;

const syllables = [
  ...'가나다라마바사아자차카타파하고노도로모보소오조초코토포호구누두루무부수우주추',
];
const words = ['주차장', '서울', '구', '아파트', '강남구', '1', '초등학교', '시 도', '2021', 'sk'];
const loads: Record<string, { clients: number; query: () => string }> = {
  'no search': { clients: 0, query: () => '' },
  'mixed, 8 clients': { clients: 8, query: mixed },
  'mixed, 64 clients': { clients: 64, query: mixed },
  'a new long word each, 64': { clients: 64, query: longWord },
  'runs of zeros, 64': { clients: 64, query: () => '0'.repeat(4 + random(6)) },
};

process.stdout.write(
  `${' '.repeat(30)}page: processor ms p50, p99, worst; clock ms p50, p99, worst; searches, processor each\n`,
);
for (const [name, load] of Object.entries(loads)) {
  for (const [at, root] of roots.entries())
    await measure(`${name}${at === 0 ? '' : ' *'}`, root, load);
}

async function measure(
  name: string,
  root: string,
  { clients, query }: { clients: number; query: () => string },
): Promise<void> {
  seed = 20_261_122;
  const port = 47_330;
  const environment = { MARU_DATA: benchData, MARU_LOG: 'warning', PORT: String(port) };
  const server = spawn(join(root, 'maru'), ['serve', 'lookup'], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  try {
    const client = clientOf(port);
    const { items } = JSON.parse(await client.whenReady('/api/axes')) as {
      items: { code: string; rows: number }[];
    };
    const largest = items.toSorted((a, b) => b.rows - a.rows)[0]!;
    const until = performance.now() + seconds * 1_000;
    let answers = 0;
    const spentBefore = processorMs(server.pid!);
    const searching = Array.from({ length: clients }, async () => {
      const searcher = clientOf(port);
      while (performance.now() < until) {
        await searcher.get(`/api/data/search?q=${encodeURIComponent(query())}`);
        answers++;
      }
    });
    const processor: number[] = [];
    const clock: number[] = [];
    await delay(300);
    while (performance.now() < until) {
      const [spent, started] = [processorMs(server.pid!), performance.now()];
      await client.get(`/api/data/axis?axis=${largest.code}&offset=${random(largest.rows)}`);
      clock.push(performance.now() - started);
      processor.push(processorMs(server.pid!) - spent);
      await delay(5);
    }
    await Promise.all(searching);
    const row = [
      name.padEnd(30),
      ...spread(processor),
      ...spread(clock),
      `${Math.round(answers / seconds)}/s`,
      answers === 0 ? '' : `${((processorMs(server.pid!) - spentBefore) / answers).toFixed(2)} ms`,
    ];
    process.stdout.write(`${row.map((cell) => cell.padStart(8)).join('')}\n`);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

/** Formats p50, p99 and maximum in ms. */
function spread(values: number[]): string[] {
  values.sort((a, b) => a - b);
  return [0.5, 0.99, 1].map((share) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(1),
  );
}

/** Processor time of a process’s main thread (proc(5), schedstat). */
function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function clientOf(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = (path: string): Promise<string> =>
    new Promise((resolveBody, reject) => {
      get({ port, path, agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('end', () => {
          if (answer.statusCode === 200) resolveBody(text);
          else reject(new Error(`${path} answered ${answer.statusCode}.`));
        });
      }).on('error', reject);
    });
  return {
    get: body,
    async whenReady(path: string): Promise<string> {
      for (let tries = 0; tries < 600; tries++) {
        try {
          return await body(path);
        } catch {
          await delay(50);
        }
      }
      throw new Error('The server did not start within 30 seconds.');
    },
  };
}

function mixed(): string {
  const word = words[random(words.length)]!;
  return random(2) === 0 ? word : `${word} ${syllables[random(syllables.length)]!}`;
}

function longWord(): string {
  return (
    Array.from({ length: 4 + random(5) }, () => syllables[random(syllables.length)]!).join('') +
    random(1_000)
  );
}

function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
