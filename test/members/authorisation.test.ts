import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminContract } from '../../src/contract/admin.ts';
import type { GuardedRoute } from '../../src/contract/route.ts';
import { membersContract } from '../../src/contract/members.ts';
import { createAdminApi } from '../../src/admin/api/app.ts';
import {
  sendRequest,
  sendAsServer,
  openFixture,
  sessionCookie,
  type MembersFixture,
} from '../fixtures/members.ts';
import { scopes } from '../../src/contract/enumerations.ts';
import { revokeKey } from '../../src/members/keys.ts';
import { setPlatformDisabled } from '../../src/members/platforms.ts';
import { openOperators } from '../fixtures/operators.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * Expected code of a refusal, or `ok`, for each kind of caller of a route. Bodies are valid, so a refusal can only
 * concern the caller.
 */
const forServers = {
  anonymous: 'missing_api_key',
  'unknown key': 'invalid_api_key',
  'revoked key': 'revoked_api_key',
  'key without the scope': 'insufficient_scope',
  'key of a disabled platform': 'platform_disabled',
  'page of a platform': 'browser_call_refused',
  'page of a platform with a session': 'browser_call_refused',
  'page with a key': 'browser_call_refused',
  'page of a stranger': 'browser_call_refused',
} as const;
const forBoth = {
  ...forServers,
  'page of a platform': 'session_required',
  'page of a platform with a session': 'ok',
  'page of a stranger': 'csrf_rejected',
} as const;
/** A read checks the session before the origin, which its handler checks. */
const readByPages = { 'page of a stranger': 'session_required' } as const;
const forPages = {
  anonymous: 'csrf_rejected',
  'unknown key': 'csrf_rejected',
  'revoked key': 'csrf_rejected',
  'key without the scope': 'csrf_rejected',
  'key of a disabled platform': 'csrf_rejected',
  'page of a platform': 'ok',
  'page of a platform with a session': 'ok',
  'page with a key': 'ok',
  'page of a stranger': 'csrf_rejected',
  'key of the platform': 'csrf_rejected',
  'key of another platform': 'csrf_rejected',
  'operator’s key': 'csrf_rejected',
} as const;
const forAnyone = Object.fromEntries(Object.keys(forPages).map((caller) => [caller, 'ok']));

const matrix: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  register: { ...forServers, ...platformOnly('platform_mismatch') },
  // Refusals of a batch are in the places of its entries.
  registerBatch: { ...forServers, ...platformOnly('ok') },
  reconcile: { ...forServers, ...platformOnly('platform_mismatch') },
  changeMembership: { ...forServers, ...platformOnly('platform_mismatch') },
  endMembership: { ...forServers, ...platformOnly('platform_mismatch') },
  leave: { ...forServers, ...platformOnly('platform_mismatch') },
  exportMember: { ...forServers, ...platformOnly('platform_mismatch') },
  eraseMember: { ...forServers, ...platformOnly('platform_mismatch') },
  event: { ...forBoth, ...platformOnly('platform_mismatch') },
  eventBatch: { ...forBoth, ...platformOnly('ok') },
  cardIssued: { ...forServers, ...platformOnly('platform_mismatch') },
  issue: { ...forServers, ...platformOnly('platform_mismatch') },
  verify: { ...forServers, ...platformOnly('platform_mismatch') },
  revoke: { ...forServers, ...platformOnly('platform_mismatch') },
  lookup: { ...forBoth, ...platformOnly('platform_mismatch') },
  member: { ...forServers, ...platformOnly('platform_mismatch') },
  entitlements: { ...forServers, ...platformOnly('platform_mismatch') },
  grantEntitlement: { ...forServers, ...platformOnly('platform_mismatch') },
  revokeEntitlement: { ...forServers, ...platformOnly('platform_mismatch') },
  consents: { ...forServers, ...platformOnly('platform_mismatch') },
  giveConsent: { ...forServers, ...platformOnly('platform_mismatch') },
  withdrawConsent: { ...forServers, ...platformOnly('platform_mismatch') },
  crossPlatform: { ...forBoth, ...readByPages, ...platformOnly('ok') },
  northStar: { ...forBoth, ...readByPages, ...platformOnly('ok') },
  me: forAnyone,
  logout: forPages,
};

function platformOnly(other: string) {
  return { 'key of the platform': 'ok', 'key of another platform': other, 'operator’s key': 'ok' };
}

const rows = Object.entries<GuardedRoute>(membersContract);

test('every row of the contract has its row in the matrix, for every kind of caller', () => {
  assert.deepEqual(Object.keys(matrix).sort(), rows.map(([name]) => name).sort());
  for (const expected of Object.values(matrix)) {
    assert.deepEqual(Object.keys(expected).sort(), Object.keys(forPages).sort());
  }
});

test('only rows of the contracts are served, besides sign-in, sign-out, OpenAPI and metrics', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const operators = await openOperators(fixture.context, folder.path);
  const admin = createAdminApi({ ...fixture, operators, data: folder.path });
  const otherPaths = [
    '/api/sign-in',
    '/api/sign-in/passkey',
    '/api/sign-out',
    '/openapi.json',
    '/metrics',
  ];
  const operatorPaths = Object.values(adminContract).map(({ path }) => path);
  for (const [router, paths] of [
    [fixture.router, rows.map(([, { path }]) => path)],
    [admin.router, [...operatorPaths, ...otherPaths]],
  ] as const) {
    assert.deepEqual(router.paths.toSorted(), [...new Set<string>(paths)].sort());
  }
});

for (const [name, row] of rows) {
  test(`${row.method} ${row.path} answers each kind of caller by the matrix`, async () => {
    const callers = Object.entries(matrix[name]!);
    const refused = callers.filter(([, expected]) => expected !== 'ok');
    const admitted = callers.filter(([, expected]) => expected === 'ok');
    // A refusal changes nothing, so one service refuses them all; each admitted call gets a new one.
    for (const some of [refused, ...admitted.map((caller) => [caller])]) {
      await assertAnswers(name, row, some);
    }
  });
}

/** Sends the call of a row for each caller to one new service, and compares the answers with the expected ones. */
async function assertAnswers(
  name: string,
  row: GuardedRoute,
  callers: readonly (readonly [caller: string, expected: string])[],
): Promise<void> {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const scene = await setUp(fixture);
  const path = row.path
    .replace('{svc_uid}', scene.uid)
    .replace('{platform}', 'cards')
    .replace('{code}', 'archive')
    .replace('{purpose}', 'mail');
  const query = row.parameters['platform']?.kind === 'raw' ? '?platform=cards' : '';
  for (const [caller, expected] of callers) {
    const { headers } = await scene.as(caller, row);
    const body = scene.bodies[name];
    const answer = await sendRequest(fixture, row.method, path + query, headers, body);
    const actual = answer.status < 300 ? 'ok' : String(answer.body['code']);
    assert.equal(actual, expected, `${caller}: ${answer.text}`);
  }
}

/** A member on the platform `cards`, with a session and valid bodies for it. */
async function setUp(fixture: MembersFixture) {
  const user = { email: 'asha@example.com', platform: 'cards', local_user_id: 'c-1' };
  const { cards } = fixture.keys;
  const registered = await sendAsServer(fixture, 'POST', '/members/register', cards, user);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', cards, user);
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(issued);
  const event = { svc_uid: uid, platform: 'cards', event: 'visit' };
  const bodies: Record<string, object> = {
    register: user,
    registerBatch: { registrations: [user] },
    reconcile: { platform: 'cards', hashes: [] },
    changeMembership: { local_user_id: 'c-2', expected_local_user_id: 'c-1' },
    endMembership: {},
    leave: { local_user_id: 'c-1', platform: 'cards' },
    event,
    eventBatch: { events: [event] },
    cardIssued: { svc_uid: uid, platform: 'cards', event_id: 'card-1' },
    issue: user,
    verify: { token: cookie.slice('svc_sso='.length), platform: 'cards' },
    revoke: { svc_uid: uid, platform: 'cards' },
    lookup: { svc_uid: uid, platform: 'cards' },
    grantEntitlement: {},
    giveConsent: {},
    withdrawConsent: {},
    logout: {},
  };
  const as = async (caller: string, row: GuardedRoute) => ({
    headers: await headersOf(fixture, caller, row, cookie),
  });
  return { uid, bodies, as };
}

const operator = { actor: 'operator:test', reason: 'the test' };

async function headersOf(
  fixture: MembersFixture,
  caller: string,
  row: GuardedRoute,
  cookie: string,
): Promise<Record<string, string>> {
  const page = { origin: 'https://cards.example.com', 'x-svc-client': 'test' };
  switch (caller) {
    case 'anonymous':
      return {};
    case 'unknown key':
      return { 'x-api-key': fixture.keys.cards.replace(/.$/, 'x') };
    case 'revoked key': {
      const key = await fixture.issue('cards', scopes);
      await revokeKey(fixture.context, key.split('_')[2]!, operator);
      return { 'x-api-key': key };
    }
    case 'key without the scope': {
      const others = scopes.filter((scope) => scope !== row.scope);
      return { 'x-api-key': await fixture.issue('cards', others) };
    }
    case 'key of a disabled platform': {
      await setPlatformDisabled(fixture.context, 'weak', true, operator);
      return { 'x-api-key': fixture.keys.weak };
    }
    case 'key of the platform':
      return { 'x-api-key': fixture.keys.cards };
    case 'key of another platform':
      return { 'x-api-key': fixture.keys.books };
    case 'operator’s key':
      return { 'x-api-key': fixture.keys.operator };
    case 'page of a platform':
      return page;
    case 'page of a platform with a session':
      return { ...page, cookie };
    case 'page with a key':
      return { ...page, 'x-api-key': fixture.keys.cards };
    case 'page of a stranger':
      return { ...page, origin: 'https://evil.example.com' };
    default:
      throw new Error(`There is no caller ${caller}.`);
  }
}
