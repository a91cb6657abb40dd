import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { register } from '../../src/members/register.ts';
import { logOut } from '../../src/members/session.ts';
import { issueSso } from '../../src/members/sso.ts';
import { deliverDue } from '../../src/members/webhook-delivery.ts';
import { addWebhookEndpoint, signedHeaders } from '../../src/members/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { membersRig, operator } from './rig.ts';
import { startMembers, urlOf } from './started.ts';

const user = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };

test('T14, T15: a revocation or logout everywhere in one process takes effect in all', async () => {
  using folder = temporaryFolder();
  await using first = await startMembers(folder.path);
  await using second = await startMembers(folder.path);
  const services = [first, second].map((started) => urlOf(started, 'Members'));
  const key = /svck_\w+/.exec(first.output)![0];
  const post = async (service: string, path: string, body: object, more: object = {}) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
    return fetch(service + path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const issue = async (service: string) => {
    const issued = await post(service, '/auth/sso/issue', user);
    await issued.arrayBuffer();
    return issued.headers.getSetCookie()[0]!.split(';')[0]!;
  };
  const registered = await post(services[0]!, '/members/register', user);
  const { svc_uid } = (await registered.json()) as { svc_uid: string };
  const cookie = await issue(services[0]!);
  assert.deepEqual(await Promise.all(services.map((one) => isIn(one, cookie))), [true, true]);
  const revoked = await post(services[0]!, '/auth/sso/revoke', { svc_uid });
  assert.deepEqual(await revoked.json(), { revoked: 1 });
  const requests = Array.from({ length: 100 }, (_, at) => isIn(services[at % 2]!, cookie));
  assert.deepEqual(new Set(await Promise.all(requests)), new Set([false]));

  const cookies = await Promise.all([0, 1, 0, 1, 0].map((at) => issue(services[at]!)));
  const page = { cookie: cookies[0]!, 'sec-fetch-site': 'same-origin', 'x-svc-client': 'test' };
  const headers = { 'content-type': 'application/json', ...page };
  const body = JSON.stringify({ scope: 'all' });
  const out = await fetch(`${services[1]!}/auth/logout`, { method: 'POST', headers, body });
  assert.equal(out.status, 200, await out.text());
  const left = services.flatMap((one) => cookies.map((each) => isIn(one, each)));
  assert.deepEqual(new Set(await Promise.all(left)), new Set([false]));
});

test('T15: two processes that send the outbox deliver each signed message once', async () => {
  await using rig = await membersRig();
  await using other = await rig.place.open();
  const otherContext = { ...rig.context, store: other, platforms: new PlatformDirectory(other) };
  const url = 'https://hooks.example.com/';
  const { secret } = await addWebhookEndpoint(rig.context, url, ['session.revoked'], operator);
  const books = await rig.caller('books');
  const tokens: string[] = [];
  for (let at = 0; at < 20; at++) {
    const member = {
      ...user,
      platform: 'books',
      email: `asha${at}@example.com`,
      local_user_id: at,
    };
    await register(rig.context, books, member);
    tokens.push((await issueSso(rig.context, books, member)).token);
  }
  await Promise.all(
    tokens.map((token, at) => logOut(at % 2 === 0 ? rig.context : otherContext, [token], 'all')),
  );
  const received: string[] = [];
  const send = async (_url: string, headers: Readonly<Record<string, string>>, body: string) => {
    const id = headers['webhook-id']!;
    const signed = signedHeaders(secret, id, Math.floor(rig.clock.now / 1_000), body);
    assert.equal(headers['webhook-signature'], signed['webhook-signature']);
    received.push(id);
    return 204;
  };
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all([deliverDue(rig.context, send), deliverDue(otherContext, send)]);
  }
  assert.deepEqual([received.length, new Set(received).size], [20, 20]);
});

async function isIn(service: string, cookie: string): Promise<boolean> {
  const answer = await fetch(`${service}/auth/me`, { headers: { cookie } });
  return ((await answer.json()) as { authenticated: boolean }).authenticated;
}
