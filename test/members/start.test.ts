import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const program = join(root, 'bin/maru.ts');
const run = promisify(execFile);

/** A started service with what it told its operator. */
interface Started extends AsyncDisposable {
  readonly told: string;
}

async function start(folder: string, environment: Record<string, string> = {}): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, [program, 'serve', 'members'], {
    env: { MARU_DATA: folder, PORT: '0', MARU_LOG: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  for await (const chunk of child.stderr!) {
    told += String(chunk);
    if (/Operators +http\S+\n/.test(told)) break;
  }
  assert.match(told, /Operators/, told);
  return {
    told,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      assert.equal(child.exitCode, 0);
    },
  };
}

async function maru(folder: string, ...given: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...given], {
    env: { MARU_DATA: folder },
  });
  return stdout;
}

function urlOf({ told }: Started, name: string): string {
  return new RegExp(`${name} +(http\\S+)`).exec(told)![1]!;
}

test('a first start prints a key that works and a token for the operator, and a second start neither key', async () => {
  using folder = temporaryFolder();
  let key = '';
  {
    await using first = await start(folder.path);
    assert.match(first.told, /DEVELOPMENT/);
    assert.match(first.told, /svci_[a-z2-7]+/);
    key = /svck_\w+/.exec(first.told)![0];
    const user = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(user) };
    const answer = await fetch(`${urlOf(first, 'Members')}/members/register`, asked);
    assert.equal(answer.status, 201);
    await answer.arrayBuffer();
    const admin = await fetch(urlOf(first, 'Operators'));
    assert.equal(admin.status, 401);
    assert.match(await admin.text(), /일회용 토큰/);
    // The command line works on the same store while it is served.
    const kid = key.split('_')[2]!;
    await maru(folder.path, 'key', 'revoke', kid, '--reason', 'a test');
    const refused = await fetch(`${urlOf(first, 'Members')}/members/register`, asked);
    assert.equal(((await refused.json()) as { code: string }).code, 'revoked_api_key');
  }
  await using second = await start(folder.path);
  assert.doesNotMatch(second.told, /svck_/);
});

test('a configuration declares platforms at each start, and what is wrong with one ends with 78', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'platforms.json');
  const codes = ['books', 'cards', 'forum', 'music', 'games', 'maps', 'news', 'travel', 'health'];
  const platforms = codes.map((code) => ({ code, origins: [`https://${code}.example.com`] }));
  writeFileSync(file, JSON.stringify({ platforms }));
  {
    await using started = await start(folder.path, { MARU_MEMBERS_CONFIG: file });
    assert.doesNotMatch(started.told, /svck_/);
  }
  const listed = JSON.parse(await maru(folder.path, 'platform', 'list', '--json')) as {
    code: string;
  }[];
  assert.deepEqual(
    listed.map(({ code }) => code),
    codes,
  );
  writeFileSync(file, '{"platforms":[{"code":"Not A Code"}]}');
  const environment = { MARU_DATA: folder.path, PORT: '0', MARU_MEMBERS_CONFIG: file };
  await assert.rejects(
    run(process.execPath, [program, 'serve', 'members'], { env: environment }),
    (error: { code?: number; stderr?: string }) =>
      error.code === 78 && /MARU_MEMBERS_CONFIG/.test(error.stderr ?? ''),
  );
});

test('members are not served to other machines in development', async () => {
  using folder = temporaryFolder();
  const environment = { MARU_DATA: folder.path, PORT: '0', HOST: '0.0.0.0' };
  await assert.rejects(
    run(process.execPath, [program, 'serve', 'members'], { env: environment }),
    (error: { code?: number; stderr?: string }) =>
      error.code === 78 && /open to other machines/.test(error.stderr ?? ''),
  );
});

test('platforms, keys, members, audit and backup at the command line', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  await maru(data, 'platform', 'add', 'books', '--origin', 'https://books.example.com');
  const issued = JSON.parse(
    await maru(data, 'key', 'issue', 'books', '--scope', 'stats:read', '--json'),
  ) as { kid: string; key: string };
  assert.match(issued.key, /^svck_live_/);
  const rotated = JSON.parse(await maru(data, 'key', 'rotate', issued.kid, '--json')) as {
    kid: string;
  };
  const keys = await maru(data, 'key', 'list');
  assert.ok(keys.includes(rotated.kid) && keys.includes(issued.kid));
  assert.ok(!keys.includes(issued.key.slice(-20)));
  assert.match(await maru(data, 'audit', 'verify'), /whole: 3 rows/);
  await maru(data, 'backup', join(folder.path, 'copy', 'members'));
  assert.match(await maru(join(folder.path, 'copy'), 'platform', 'list'), /books/);
  assert.match(await maru(join(folder.path, 'copy'), 'audit', 'verify'), /whole: 3 rows/);
  await assert.rejects(maru(data, 'member', 'find', 'nobody@example.com'), /No member/);
  await assert.rejects(maru(data, 'backup', join(folder.path, 'copy')), /exists/);
});

test('a store whose secret is gone is not opened with another', async () => {
  using folder = temporaryFolder();
  await maru(folder.path, 'platform', 'add', 'books');
  rmSync(join(folder.path, 'members/members.secret'));
  await assert.rejects(maru(folder.path, 'audit', 'verify'), /members\.secret is missing.*backup/s);
});
