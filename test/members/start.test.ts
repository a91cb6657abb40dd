import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openMembers } from '../../bin/open-members.ts';
import { MembersService } from '../../bin/serve-members.ts';
import { ProgressLine } from '../../bin/terminal.ts';
import { createLog } from '../../src/kernel/log.ts';
import { readSettings } from '../../src/kernel/settings.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { register } from '../../src/members/register.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { maru, program, startMembers, urlOf } from './started.ts';

const run = promisify(execFile);

test('the first start prints a working key and where the first token is, the second no key', async () => {
  using folder = temporaryFolder();
  let key = '';
  {
    await using first = await startMembers(folder.path);
    assert.match(first.output, /DEVELOPMENT/);
    assert.match(first.output, /first operator, for 24 hours, in {2}\S+first-operator\.token/);
    assert.doesNotMatch(first.output, /svci_/);
    key = /svck_\w+/.exec(first.output)![0];
    const user = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(user) };
    const answer = await fetch(`${urlOf(first, 'Members')}/members/register`, request);
    assert.equal(answer.status, 201);
    await answer.arrayBuffer();
    const admin = await fetch(urlOf(first, 'Operators'));
    assert.equal(admin.status, 401);
    assert.match(await admin.text(), /일회용 토큰/);
    // The command line works on the same store while it is served.
    const kid = key.split('_')[2]!;
    await maru(folder.path, 'key', 'revoke', kid, '--reason', 'a test');
    const refused = await fetch(`${urlOf(first, 'Members')}/members/register`, request);
    assert.equal(((await refused.json()) as { code: string }).code, 'revoked_api_key');
  }
  await using second = await startMembers(folder.path);
  assert.doesNotMatch(second.output, /svck_/);
});

for (const [days, removed] of [
  ['4', 0],
  ['2', 1],
] as const) {
  test(`MARU_EVENT_DAYS=${days} removes ${removed} events of three days ago`, async (t) => {
    using folder = temporaryFolder();
    const settings = readSettings({ MARU_DATA: folder.path, MARU_EVENT_DAYS: days, PORT: '0' });
    {
      await using opened = await openMembers(settings);
      const context = { ...opened.context, now: () => Date.now() - 3 * 86_400_000 };
      const operator = { actor: 'operator:test', reason: 'a test' };
      const declared = readPlatformConfiguration({ platforms: [{ code: 'books' }] });
      const [platform] = await declarePlatforms(context, declared, operator);
      const caller = { kid: 'test', platform: platform!, scopes: [] };
      const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
      await register(context, caller, user);
    }
    t.mock.timers.enable({ apis: ['setInterval'] });
    {
      const log = createLog({ level: 'silent', pretty: false });
      await using _service = await MembersService.open({
        settings,
        log,
        progress: new ProgressLine(),
      });
      t.mock.timers.tick(60_000);
    }
    await using opened = await openMembers(settings);
    const runs = await opened.context.store.read.jobs.all();
    assert.equal(runs.find(({ name }) => name === 'old_events')?.removed, removed);
  });
}

test('a configuration declares platforms at each start, and a wrong one exits with 78', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'platforms.json');
  const codes = ['books', 'cards', 'forum', 'music', 'games', 'maps', 'news', 'travel', 'health'];
  const platforms = codes.map((code) => ({ code, origins: [`https://${code}.example.com`] }));
  writeFileSync(file, JSON.stringify({ platforms }));
  {
    await using started = await startMembers(folder.path, { MARU_MEMBERS_CONFIG: file });
    assert.doesNotMatch(started.output, /svck_/);
  }
  const listed = JSON.parse(await maru(folder.path, 'platform', 'list', '--json')) as {
    code: string;
  }[];
  assert.deepEqual(
    listed.map(({ code }) => code),
    codes,
  );
  writeFileSync(file, '{"platforms":[{"code":"Not A Code"}]}');
  const refused = await runMaru(folder.path, ['serve', 'members'], { MARU_MEMBERS_CONFIG: file });
  assert.equal(refused.status, 78);
  assert.match(refused.errors, /MARU_MEMBERS_CONFIG/);
});

test('a members service has its docs, and its first page redirects to them', async () => {
  using folder = temporaryFolder();
  await using started = await startMembers(folder.path);
  const url = /Docs +(http\S+)\/docs/.exec(started.output)![1]!;
  const first = await fetch(`${url}/`, { redirect: 'manual' });
  assert.equal(first.status, 302);
  const docs = await fetch(new URL(first.headers.get('location')!, url));
  assert.equal(docs.status, 200);
  const html = await docs.text();
  for (const [, target] of html.matchAll(/(?:href|src)="(\/[^"#]*)"/g)) {
    const answer = await fetch(`${url}${target!.replaceAll('&amp;', '&')}`);
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, target);
  }
});

test('development mode is not served to other machines', async () => {
  using folder = temporaryFolder();
  const environment = { MARU_DATA: folder.path, PORT: '0', HOST: '0.0.0.0' };
  await assert.rejects(
    run(process.execPath, [program, 'serve', 'members'], { env: environment }),
    (error: { code?: number; stderr?: string }) =>
      error.code === 78 && /open to other machines/.test(error.stderr ?? ''),
  );
});

test('platforms, keys, members, audit and backup work at the command line', async () => {
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
  assert.match(await maru(data, 'audit', 'verify'), /intact: 3 rows/);
  await maru(data, 'backup', join(folder.path, 'copy', 'members'));
  assert.match(await maru(join(folder.path, 'copy'), 'platform', 'list'), /books/);
  assert.match(await maru(join(folder.path, 'copy'), 'audit', 'verify'), /intact: 3 rows/);
  await assert.rejects(
    maru(data, 'member', 'find', 'absent@example.com'),
    /no member with this address/,
  );
  await assert.rejects(maru(data, 'backup', join(folder.path, 'copy')), /exists/);
});

test('platform add prints which pages may call, and which no longer', async () => {
  using folder = temporaryFolder();
  const [first, second, third] = ['first', 'second', 'third'].map(
    (name) => `https://${name}.example.com`,
  );
  const add = (...options: string[]) => maru(folder.path, 'platform', 'add', 'books', ...options);
  assert.match(await add('--origin', first!), /^Added books in .*members\.\n.*Next: /s);
  const wider = await add('--add-origin', second!, first!);
  assert.match(wider, /^Changed books in .*\n {2}https:\/\/first.*\n {2}https:\/\/second\S+\n$/s);
  const other = await add('--origin', third!);
  assert.match(other, /No longer: https:\/\/first\.\S+ https:\/\/second\./);
  assert.match(
    await maru(folder.path, 'platform', 'list'),
    /] {2}https:\/\/third\.example\.com\n$/,
  );
});

test('an unknown platform code is refused with the folder and its platforms', async () => {
  using folder = temporaryFolder();
  assert.match(
    await maru(folder.path, 'platform', 'list'),
    /no platform in .*members yet.*MARU_DATA/,
  );
  const issue = (): Promise<string> => maru(folder.path, 'key', 'issue', 'demo');
  await assert.rejects(issue(), /no platform demo in .*members, which has none.*MARU_DATA/s);
  await maru(folder.path, 'platform', 'add', 'books');
  await assert.rejects(issue(), /no platform demo in .*members, which has books\./s);
});

test('a store without its secret does not start with a new one', async () => {
  using folder = temporaryFolder();
  await maru(folder.path, 'platform', 'add', 'books');
  rmSync(join(folder.path, 'members/members.secret'));
  await assert.rejects(maru(folder.path, 'audit', 'verify'), /members\.secret is missing.*backup/s);
});
