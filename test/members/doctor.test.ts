import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyChecks } from '../../bin/doctor-remote.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { openService } from '../sdk/rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMembers, urlOf } from './started.ts';

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Runs the doctor as on another host than the service's, and returns its checks. */
async function examine(
  data: string,
  url: string,
  args: readonly string[],
): Promise<readonly Check[]> {
  const words = ['doctor', '--json', ...args];
  const { output } = await runMaru(data, words, { MARU_MEMBERS_URL: url });
  return JSON.parse(output) as Check[];
}

test('the doctor checks key, login, cookies and session, and names the step that fails', async () => {
  using folder = temporaryFolder();
  await using started = await startMembers(folder.path);
  const url = urlOf(started, 'Members');
  const key = /svck_\w+/.exec(started.output)![0];
  const user = JSON.stringify({ email: 'a@example.com', platform: 'demo', local_user_id: 'u-1' });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = (path: string) => fetch(url + path, { method: 'POST', headers, body: user });
  await (await post('/members/register')).arrayBuffer();
  await using stack = new AsyncDisposableStack();
  const platform = createServer((request, response) => {
    void (async () => {
      const issued = await post('/auth/sso/issue');
      await issued.arrayBuffer();
      const cookies = issued.headers.getSetCookie();
      const type = request.headers['content-type'] ?? '';
      const relayed = {
        '/login': cookies,
        '/form': type === 'application/x-www-form-urlencoded' ? cookies : [],
        '/json': type === 'application/json' ? cookies : [],
        '/joined': cookies.join(', '),
        '/changed': cookies.map((cookie) => cookie.replace('; HttpOnly', '')),
      }[request.url ?? ''];
      response.setHeader('set-cookie', relayed ?? []).end();
    })();
  });
  stack.defer(() => {
    platform.closeAllConnections();
    platform.close();
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  const here = join(folder.path, 'platform');
  const file = join(folder.path, 'key');
  writeFileSync(file, `${key}\n`);
  const login = (path: string) => ['--login', `http://127.0.0.1:${port}${path}`];
  const good = await examine(here, url, [
    '--platform',
    'demo',
    '--key-file',
    file,
    ...login('/login'),
  ]);
  assert.deepEqual(
    good.filter(({ ok }) => !ok),
    [],
  );
  for (const [path, body] of [
    ['/form', 'email=a%40example.com'],
    ['/json', '{"email":"a@example.com"}'],
  ] as const) {
    const posted = await examine(here, url, [...login(path), '--login-body', body]);
    assert.ok(
      posted.some(({ check, ok }) => check === 'relay' && ok),
      path,
    );
  }
  for (const name of [
    'cookie domain',
    'clock',
    'browsers',
    'strangers',
    'relay',
    'scope sso:issue',
  ]) {
    assert.ok(
      good.some(({ check }) => check === name),
      name,
    );
  }
  assert.equal(existsSync(here), false, 'the doctor makes no store');
  assert.doesNotMatch(JSON.stringify(good), /svck_/);
  const faults: [string[], RegExp][] = [
    [login('/joined'), /relay each Set-Cookie/],
    [login('/changed'), /svc_sso lost HttpOnly/],
    [login('/none'), /answers 200: 0 Set-Cookie headers of svc_sso: if the login succeeded, relay/],
    [
      ['--platform', 'demo', '--origin', 'https://stranger.example.com'],
      /may not call the members service: run .\/maru platform add demo --add-origin https:\/\/stranger\.example\.com$/,
    ],
  ];
  for (const [args, reason] of faults) {
    const [bad, ...more] = (await examine(here, url, args)).filter(({ ok }) => !ok);
    assert.match(bad?.detail ?? '', reason);
    assert.deepEqual(more, []);
  }
  writeFileSync(file, key.replace(/.$/, '!'));
  const wrong = await examine(here, url, ['--platform', 'demo', '--key-file', file]);
  assert.match(wrong.find(({ ok }) => !ok)?.detail ?? '', /invalid_api_key/);
});

test('the doctor names the scope that a key lacks', async () => {
  using folder = temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const { address, issue } = await openService(stack);
  const file = join(folder.path, 'key');
  const failed = async (scopes: Parameters<typeof issue>[1]) => {
    writeFileSync(file, await issue('books', scopes));
    const checks = await keyChecks(address, 'books', file);
    return checks.filter(({ ok }) => !ok).map(({ check }) => check);
  };
  const all = ['members:register', 'events:write', 'sso:issue', 'sso:verify'] as const;
  assert.deepEqual(await failed([...all, 'members:privacy']), []);
  assert.deepEqual(await failed(all), ['scope members:privacy']);
  assert.deepEqual(
    await failed([...all, 'members:privacy', 'members:read', 'members:entitle']),
    [],
  );
  const checks = await keyChecks(address, 'books', file);
  assert.deepEqual(
    checks.filter(({ detail }) => !detail.endsWith('accepts the key')),
    [],
  );
});

test('the doctor does not take an answer of another service for an accepted key', async () => {
  using folder = temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const stranger = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"none"}');
  });
  stack.defer(() => {
    stranger.closeAllConnections();
    stranger.close();
  });
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const file = join(folder.path, 'key');
  writeFileSync(file, 'svck_demo_a_b\n');
  const url = `http://127.0.0.1:${port}`;
  const checks = await keyChecks(url, 'demo', file);
  assert.equal(checks.length, 7);
  for (const { ok, detail } of checks) {
    assert.deepEqual(
      [ok, /answers 404: no answer of a members service/.test(detail)],
      [false, true],
    );
  }
});

test('the doctor names the setting it needs when no service answers', async () => {
  using folder = temporaryFolder();
  const [bad] = (await examine(folder.path, 'http://localhost:1', [])).filter(({ ok }) => !ok);
  assert.match(bad?.detail ?? '', /localhost:1: .*Give the doctor the PORT or MARU_MEMBERS_URL/);
});
