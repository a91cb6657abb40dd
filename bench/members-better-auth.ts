import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer, runSql } from '../test/postgres/server.ts';
import { heapFlags } from './heap-flags.ts';
import { startService } from './members-service.ts';
import { familyMicroseconds, peakMegabytes, processorMicroseconds } from './process-facts.ts';
import { load, type Load } from './wrk.ts';

/**
 * Compares session checks and sign-ups with better-auth from npm, alternating in one run with one client: `node
 * bench/members-better-auth.ts [SECONDS] [ROUNDS] [sqlite|postgres]`. Needs wrk, taskset and a registry. Each service
 * has one core and the client another, so that garbage collection never slows its own client. Not like for like:
 * better-auth answers a user's whole record and signs its cookies; hashing of passwords, its costliest part, is taken
 * out. Both run in a process of their own, without rate limits, and write to SQLite by node:sqlite, WAL and synchronous
 * FULL; or to a database each of one PostgreSQL server with its syncs, which shares the core of the client. Its cookie
 * cache stays off, which is the default: with it an ended session stays valid for minutes.
 */
const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 3);
const isPostgres = process.argv[4] === 'postgres';
const library = 'better-auth';
const version = '1.6.34';
const driver = 'pg@8.23.1';
const port = 47_991;
const origin = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  execFileSync(
    'npm',
    ['i', '--no-audit', '--no-fund', '--prefix', folder, `${library}@${version}`, driver],
    {
      stdio: 'ignore',
    },
  );
  const manifest = readFileSync(join(folder, 'node_modules/better-auth/package.json'), 'utf8');
  // The manifest of any package on npm.
  const installed = JSON.parse(manifest) as { version: string };
  print(
    `better-auth ${installed.version} in production mode, Node ${process.version} (ours with ${heapFlags.join(' ')})`,
  );
  print(
    `64 connections, medians of ${rounds} rounds of ${seconds} s in turn, a core for the server and one for the client; not like for like`,
  );
  await using server = isPostgres ? await PostgresServer.start({ isDurable: true }) : null;
  // Its processes for connections start later, on the same core.
  if (server !== null) pin(server.pid, 1);
  await using ours = await openOurs(server);
  await using theirs = await openTheirs(server);
  for (const { pid } of [ours, theirs]) pin(pid, 0);
  for (const name of ['check', 'signUp'] as const) await compare(name, ours, theirs, server);
  print(`peak memory ${peakMegabytes(ours.pid)} MB, better-auth ${peakMegabytes(theirs.pid)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Side extends AsyncDisposable {
  readonly pid: number;
  readonly check: Target;
  readonly signUp: Target;
}

type Target = Pick<Load, 'url' | 'headers' | 'body'>;
type Server = PostgresServer | null;

interface Measurement {
  readonly perSecond: number;
  /** Processor time of one request, in the service and in the database's server. */
  readonly microseconds: number;
}

async function compare(
  name: 'check' | 'signUp',
  ours: Side,
  theirs: Side,
  server: Server,
): Promise<void> {
  const all: [own: Measurement, other: Measurement][] = [];
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    const pair: [Measurement, Measurement] = [
      await measure(ours, name, server),
      await measure(theirs, name, server),
    ];
    if (round > 0) all.push(pair);
  }
  const [perSecond, theirPerSecond] = [0, 1].map((at) =>
    median(all.map((pair) => pair[at]!.perSecond)),
  );
  const [each, theirEach] = [0, 1].map((at) => median(all.map((pair) => pair[at]!.microseconds)));
  const times = all.map(([own, other]) => own.perSecond / other.perSecond);
  print(
    `${name.padEnd(8)}${Math.round(perSecond!)}/s, better-auth ${Math.round(theirPerSecond!)}/s: ${median(times).toFixed(1)} times ` +
      `(rounds ${times.map((one) => one.toFixed(1)).join(', ')}); processor each ${each!.toFixed(1)} and ` +
      `${theirEach!.toFixed(1)} µs: ${(theirEach! / each!).toFixed(1)} times`,
  );
}

async function measure(side: Side, name: 'check' | 'signUp', server: Server): Promise<Measurement> {
  const used = () =>
    processorMicroseconds(side.pid) + (server === null ? 0 : familyMicroseconds(server.pid));
  const before = used();
  const { perSecond } = await load({ ...side[name], seconds, folder, core: 1 });
  return { perSecond, microseconds: (used() - before) / (perSecond * seconds) };
}

function pin(pid: number, core: number): void {
  const flags = ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)];
  execFileSync('taskset', flags, { stdio: 'ignore' });
}

async function openOurs(server: Server): Promise<Side> {
  const service = await startService(folder, server === null ? {} : { DATABASE_URL: server.url });
  const { url, headers, cookie, pid } = service;
  const body = '{"email":"b{n}@example.com","platform":"demo","local_user_id":"{n}"}';
  return {
    pid,
    check: { url: `${url}/auth/me`, headers: { cookie } },
    signUp: { url: `${url}/members/register`, headers, body },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function openTheirs(server: Server): Promise<Side> {
  if (server !== null) await runSql(server.url, 'CREATE DATABASE better_auth');
  writeFileSync(join(folder, 'server.mjs'), serverText(server));
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const headers = { 'content-type': 'application/json', origin };
  const url = `${origin}/api/auth/sign-up/email`;
  const body = '{"email":"b{n}@example.com","password":"password12","name":"b"}';
  const user = { method: 'POST', headers, body: body.replace('{n}', '') };
  await (await fetch(url, user)).arrayBuffer();
  const signedIn = await fetch(`${origin}/api/auth/sign-in/email`, user);
  await signedIn.arrayBuffer();
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  return {
    pid: child.pid!,
    check: { url: `${origin}/api/auth/get-session`, headers: { cookie } },
    signUp: { url, headers, body },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function serverText(server: Server): string {
  const database =
    server === null
      ? `import { DatabaseSync } from 'node:sqlite';
const database = new DatabaseSync('better-auth.db');
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');`
      : `import { Pool } from 'pg';
const database = new Pool({ connectionString: '${Object.assign(new URL(server.url), { pathname: 'better_auth' }).href}' });`;
  return `
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { betterAuth } from '${library}';
import { getMigrations } from '${library}/db/migration';
import { toNodeHandler } from '${library}/node';
${database}
const options = {
  database,
  secret: randomBytes(32).toString('hex'),
  baseURL: '${origin}',
  emailAndPassword: { enabled: true, autoSignIn: false, password: { hash: async (p) => p, verify: async () => true } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
};
await (await getMigrations(options)).runMigrations();
const handler = toNodeHandler(betterAuth(options));
createServer((incoming, outgoing) => handler(incoming, outgoing)).listen(${port}, '127.0.0.1', () => console.log('ready'));
`;
}
