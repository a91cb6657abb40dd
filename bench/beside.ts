import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { heapFlags } from './heap-flags.ts';
import type { Service } from './members-service.ts';
import { processorMicroseconds } from './process-facts.ts';
import { load, type Load } from './wrk.ts';

/**
 * Compares the processor time of a request with that in another checkout of this repository, whose dependencies are
 * installed. Both servers run at once and are loaded in turn, in short rounds, so that other work on the machine meets
 * both alike. Prints the median of the ratios, with the lowest and the highest: `node bench/beside.ts OTHER_CHECKOUT
 * FOLDER_OF_FILES [ROUNDS] [PART_OF_A_NAME]`. Needs wrk.
 */
const [other, files, rounds = '9', part = ''] = process.argv.slice(2);
if (other === undefined || files === undefined) {
  throw new Error(
    'Usage: bench/beside.ts OTHER_CHECKOUT FOLDER_OF_FILES [ROUNDS] [PART_OF_A_NAME]',
  );
}
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
const checkouts = [resolve(import.meta.dirname, '..'), resolve(other)];
try {
  await using here = await startTargets(checkouts[0]!, join(folder, 'here'));
  await using there = await startTargets(checkouts[1]!, join(folder, 'there'));
  process.stdout.write(`Node ${process.version}, 64 connections, ${rounds} rounds of a second\n`);
  for (const name of here.targets.keys()) {
    if (!name.includes(part)) continue;
    const sides = [here, there].map(({ targets }) => targets.get(name)!);
    // Until the code of the route is compiled for good.
    for (const side of sides) await load({ ...side, seconds: 3, folder });
    const pairs: [here: number, there: number][] = [];
    for (let round = 0; round < Number(rounds); round++) {
      // The first of a pair changes, because a pause of the machine often begins with a pair.
      const order: readonly (0 | 1)[] = round % 2 === 0 ? [0, 1] : [1, 0];
      const pair: [here: number, there: number] = [0, 0];
      for (const side of order) pair[side] = await microseconds(sides[side]!);
      pairs.push(pair);
    }
    print(name, pairs);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Target extends Pick<Load, 'url' | 'headers' | 'body'> {
  readonly pid: number;
}

interface Targets extends AsyncDisposable {
  readonly targets: ReadonlyMap<string, Target>;
}

/** Starts both services of a checkout, each a process on data of its own. */
async function startTargets(checkout: string, data: string): Promise<Targets> {
  const module = (await import(join(checkout, 'bench/members-service.ts'))) as {
    readonly startService: (folder: string) => Promise<Service>;
  };
  const stack = new AsyncDisposableStack();
  const members = stack.use(await module.startService(join(data, 'members')));
  const lookup = stack.use(await startLookup(checkout, join(data, 'lookup')));
  const targets = new Map([...membersTargets(members), ...(await lookupTargets(lookup))]);
  return { targets, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function membersTargets({ url, headers, uid, cookie, pid }: Service): [string, Target][] {
  const token = /svc_sso=([^;]+)/.exec(cookie)![1]!;
  const event = `{"svc_uid":"${uid}","platform":"demo","event":"visit","event_id":"b{n}"}`;
  const events = Array.from({ length: 100 }, () => event).join(',');
  const again = '{"email":"bench@example.com","platform":"demo","local_user_id":"u"}';
  const user = '{"email":"b{n}@example.com","platform":"demo","local_user_id":"{n}"}';
  const visitor = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const post = (path: string, body: string) => ({ url: url + path, headers, body, pid });
  return [
    ['empty answer', { url: `${url}/healthz`, headers: {}, pid }],
    ['/auth/me', { url: `${url}/auth/me`, headers: { cookie }, pid }],
    ['/auth/me of a page', { url: `${url}/auth/me`, headers: visitor, pid }],
    ['new registrations', post('/members/register', user)],
    ['registrations again', post('/members/register', again)],
    ['single events', post('/members/events', event)],
    ['events in batches of 100', post('/members/events/batch', `{"events":[${events}]}`)],
    ['/auth/sso/verify', post('/auth/sso/verify', `{"token":"${token}"}`)],
    ['/members/lookup', post('/members/lookup', `{"svc_uid":"${uid}"}`)],
  ];
}

interface Lookup extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Loads the files with the checkout’s own command, because the formats of snapshots differ, and serves them. */
async function startLookup(checkout: string, data: string): Promise<Lookup> {
  const program = join(checkout, 'bin/maru.ts');
  const env = { ...process.env, MARU_DATA: data, MARU_LOG: 'info', PORT: '0' };
  const loading = spawn(process.execPath, [...heapFlags, program, 'load', resolve(files!)], {
    env,
    stdio: 'ignore',
  });
  await once(loading, 'exit');
  const child = spawn(process.execPath, [...heapFlags, program, 'serve', 'lookup'], {
    env: { ...env, MARU_LOG: 'warning' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  for await (const chunk of child.stderr) {
    output += String(chunk);
    if (/http:\/\/\S+:\d+/.test(output)) break;
  }
  child.stderr.resume();
  const url = /http:\/\/\S+:\d+/.exec(output)![0].replace('localhost', '127.0.0.1');
  return {
    url,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function lookupTargets({ url, pid }: Lookup): Promise<[string, Target][]> {
  const { items } = (await (await fetch(`${url}/api/axes`)).json()) as {
    readonly items: readonly { readonly code: string; readonly rows: number }[];
  };
  const { code } = items.toSorted((a, b) => b.rows - a.rows)[0]!;
  const page = `${url}/api/data/axis?axis=${code}&limit=20`;
  const plain = { 'accept-encoding': 'identity' };
  const tag = (await fetch(page, { headers: plain })).headers.get('etag')!;
  const search = `${url}/api/data/search?q=${encodeURIComponent('서울 도서관')}`;
  return [
    ['page of 20 rows', { url: page, headers: plain, pid }],
    ['not modified (304)', { url: page, headers: { ...plain, 'if-none-match': tag }, pid }],
    ['search', { url: search, headers: plain, pid }],
    // The same hits as in checkouts where no topic of a dataset counts for its records.
    ['search of records alone', { url: `${search}&match=record`, headers: plain, pid }],
  ];
}

async function microseconds({ pid, ...target }: Target): Promise<number> {
  const before = processorMicroseconds(pid);
  const { perSecond } = await load({ ...target, seconds: 1, folder });
  return (processorMicroseconds(pid) - before) / perSecond;
}

function print(name: string, pairs: readonly (readonly [here: number, there: number])[]): void {
  const ratios = pairs.map(([here, there]) => here / there);
  const [here, there] = [0, 1].map((side) => median(pairs.map((pair) => pair[side]!)));
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const times = `${here!.toFixed(1)} µs, there ${there!.toFixed(1)} µs`;
  process.stdout.write(`${name.padEnd(26)}${median(ratios).toFixed(2)} (${range})  ${times}\n`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
