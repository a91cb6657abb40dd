import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './members-service.ts';
import { load } from './wrk.ts';

/**
 * Session checks and sign-ups beside better-auth from npm, in one run with one client: `node bench/members-better-auth.ts
 * [SECONDS]`. Needs wrk and a registry. Not like for like: better-auth answers a user's whole record and signs its
 * cookies, and a sign-up there also starts a session; hashing of passwords, its costliest part, is taken out. Both
 * write to SQLite by node:sqlite, WAL and synchronous FULL, in a process of their own.
 */
const seconds = Number(process.argv[2] ?? 4);
const library = 'better-auth';
const version = '1.6.34';
const port = 47_991;
const origin = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  execFileSync(
    'npm',
    ['i', '--no-audit', '--no-fund', '--prefix', folder, `${library}@${version}`],
    {
      stdio: 'ignore',
    },
  );
  const manifest = readFileSync(join(folder, 'node_modules/better-auth/package.json'), 'utf8');
  // The manifest of any package on npm.
  const installed = JSON.parse(manifest) as { version: string };
  process.stdout.write(
    `better-auth ${installed.version}, Node ${process.version}, 64 connections, ${seconds} s each\n`,
  );
  const [ours, theirs] = [await measureOurs(), await measureTheirs()];
  report('session check', ours.check, theirs.check);
  report('sign-up', ours.signUp, theirs.signUp);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Measured {
  readonly check: number;
  readonly signUp: number;
}

async function measureOurs(): Promise<Measured> {
  await using service = await startService(folder);
  const { url, headers, cookie } = service;
  const body = '{"email":"b{n}@example.com","platform":"demo","local_user_id":"{n}"}';
  return {
    check: await rate({ url: `${url}/auth/me`, headers: { cookie } }),
    signUp: await rate({ url: `${url}/members/register`, headers, body }),
  };
}

async function measureTheirs(): Promise<Measured> {
  writeFileSync(join(folder, 'server.mjs'), serverText());
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const headers = { 'content-type': 'application/json', origin };
    const url = `${origin}/api/auth/sign-up/email`;
    const body = '{"email":"b{n}@example.com","password":"password12","name":"b"}';
    const first = body.replace('{n}', '');
    const signedUp = await fetch(url, { method: 'POST', headers, body: first });
    await signedUp.arrayBuffer();
    const cookie = signedUp.headers.getSetCookie()[0]!.split(';')[0]!;
    return {
      check: await rate({ url: `${origin}/api/auth/get-session`, headers: { cookie } }),
      signUp: await rate({ url, headers, body }),
    };
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

async function rate(asked: { url: string; headers: Record<string, string>; body?: string }) {
  await load({ ...asked, seconds: 1, folder });
  return (await load({ ...asked, seconds, folder })).perSecond;
}

function report(name: string, ours: number, theirs: number): void {
  const figures = `${Math.round(ours)}/s, better-auth ${Math.round(theirs)}/s`;
  process.stdout.write(`${name.padEnd(16)}${figures}: ${(ours / theirs).toFixed(1)} times\n`);
}

function serverText(): string {
  return `
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from '${library}';
import { getMigrations } from '${library}/db/migration';
import { toNodeHandler } from '${library}/node';
const database = new DatabaseSync('better-auth.db');
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const options = {
  database,
  secret: randomBytes(32).toString('hex'),
  baseURL: '${origin}',
  emailAndPassword: { enabled: true, password: { hash: async (p) => p, verify: async () => true } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
};
await (await getMigrations(options)).runMigrations();
const handler = toNodeHandler(betterAuth(options));
createServer((incoming, outgoing) => handler(incoming, outgoing)).listen(${port}, '127.0.0.1', () => console.log('ready'));
`;
}
