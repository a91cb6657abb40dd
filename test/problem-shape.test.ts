import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { problems, type ProblemCode } from '../src/contract/problems.ts';
import { openOperators, signInFirst } from './fixtures/operators.ts';
import { createAdminSite } from '../src/admin/pages/site.ts';
import { createServerContext } from '../src/kernel/http/server-context.ts';
import { startServer, type RunningServer } from '../src/kernel/http/server.ts';
import { silentLog } from '../src/kernel/log.ts';
import { createLookupApp } from '../src/lookup/app.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { setUp } from './fixtures/lookup-app.ts';
import { openFixture, type MembersFixture } from './fixtures/members.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A request, and the code of the problem that answers it. */
type Case = readonly [code: ProblemCode, path: string, init?: RequestInit];

const long = 'x'.repeat(9_000);
const json = { 'content-type': 'application/json' };

/** Refused before any route is found. */
const everywhere: readonly Case[] = [
  ['uri_too_long', `/api/axes?q=${long}`],
  ['headers_too_large', '/api/axes', { headers: { 'x-long': 'x'.repeat(40_000) } }],
];

const lookupCases: readonly Case[] = [
  ...everywhere,
  ['not_found', '/api/nothing'],
  ['not_found', '/api/export/nothing.csv'],
  ['format_unsuitable', '/api/export/gen_restdeinfo.geojson'],
  ['method_not_allowed', '/api/axes', { method: 'POST' }],
  ['missing_parameter', '/api/data/axis'],
  ['missing_parameter', '/api/data/axis?axis=gen_restdeinfo&sigungu=강남구'],
  ['invalid_parameter', '/api/data/axis?axis=gen_restdeinfo&limit=-1'],
  ['invalid_parameter', '/api/data/search?q=%22%22'],
  ['invalid_parameter', '/api/region?sido=%B0%AD%B3%B2'],
  ['unknown_axis', '/api/data/axis?axis=nothing'],
  ['bad_request', '/api/export/%ff.csv'],
];

test('every refusal of the lookup listener is a problem of one shape', async () => {
  await using server = await startServer({ router: setUp().router, ...loopback });
  for (const each of lookupCases) await assertProblem(server, each);
});

test('the lookup listener answers problems without a snapshot and when a store fails', async () => {
  const empty = createLookupApp({
    holder: new StoreHolder(),
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
  });
  await using server = await startServer({ router: empty, ...loopback });
  await assertProblem(server, ['no_snapshot', '/api/axes']);
  const { router, store } = setUp();
  store.page = () => Promise.reject(new Error('secret'));
  await using failing = await startServer({ router, ...loopback });
  await assertProblem(failing, ['internal', '/api/data/axis?axis=gen_restdeinfo']);
});

function post(headers: Record<string, string>, body: string): RequestInit {
  return { method: 'POST', headers, body };
}

function memberCases({ keys }: MembersFixture): readonly Case[] {
  const key = { ...json, 'x-api-key': keys.books };
  const page = { ...json, origin: 'https://books.example.com', 'x-svc-client': 'test' };
  return [
    ...everywhere,
    ['not_found', '/members'],
    ['method_not_allowed', '/members/register'],
    ['missing_api_key', '/members/register', post(json, '{}')],
    ['invalid_api_key', '/members/register', post({ ...json, 'x-api-key': 'x' }, '{}')],
    ['browser_call_refused', '/members/register', post({ ...key, ...page }, '{}')],
    ['unsupported_media_type', '/auth/sso/verify', post({ 'x-api-key': keys.books }, '{}')],
    ['malformed_json', '/auth/sso/verify', post(key, '[')],
    ['body_too_large', '/auth/sso/verify', post(key, `"${'x'.repeat(70_000)}"`)],
    ['validation_failed', '/auth/sso/verify', post(key, '{"token":1}')],
    ['validation_failed', '/members/register/batch', post(key, '{"registrations":[1]}')],
    ['invalid_email', '/members/register', post(key, '{"platform":"books"}')],
    ['platform_mismatch', '/members/register', post(key, '{"platform":"cards"}')],
    ['unknown_platform', '/members/register', post(key, '{"platform":"nothing"}')],
    ['member_not_found', '/members/svc_x', { headers: key }],
    ['bad_request', '/members/%ff', { headers: key }],
    ['csrf_rejected', '/auth/logout', post({ ...page, origin: 'https://evil.test' }, '{}')],
    ['session_required', '/members/events', post(page, '{}')],
  ];
}

test('every refusal of the members listener is a problem of one shape', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  await using server = await startServer({ router: fixture.router, ...loopback });
  for (const each of memberCases(fixture)) await assertProblem(server, each);
});

test('the JSON of the operator’s listener refuses with problems, its pages with pages', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const operators = await openOperators(fixture.context, folder.path);
  const { context } = fixture;
  const options = { context, server: createServerContext(silentLog), operators, data: folder.path };
  await using server = await startServer({ router: createAdminSite(options), ...loopback });
  const cookie = `__Host-maru_admin=${await signInFirst(operators)}`;
  const signedIn = { ...json, cookie };
  const cases: readonly Case[] = [
    ...everywhere,
    ['session_required', '/api/members'],
    ['session_required', '/api/sign-in', post(json, '{}')],
    ['csrf_rejected', '/api/members', { headers: { origin: 'https://evil.test' } }],
    ['method_not_allowed', '/api/members', post(signedIn, '{}')],
    ['member_not_found', '/api/members/svc_x', { headers: signedIn }],
    ['validation_failed', '/api/keys', post(signedIn, '{}')],
    ['malformed_json', '/api/keys', post(signedIn, '[')],
  ];
  for (const each of cases) await assertProblem(server, each);
  for (const path of ['/members/svc_x', '/actions/nothing']) {
    const response = await fetch(server.address + path, { headers: { cookie } });
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/, path);
    assert.match(await response.text(), /<h1>/, path);
  }
});

test('a request that is not HTTP is answered with a problem on every listener', async () => {
  await using server = await startServer({ router: setUp().router, ...loopback });
  const socket = connect(server.port, '127.0.0.1', () => socket.write('NO HTTP\r\n\r\n'));
  const answer = await text(socket);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;
  assert.match(answer, /^HTTP\/1\.1 400 [^]*\r\nContent-Type: application\/problem\+json/);
  assertBody(body, 'bad_request');
});

const loopback = { host: '127.0.0.1', port: 0 };

async function assertProblem(
  { address }: RunningServer,
  [code, path, init = {}]: Case,
): Promise<void> {
  const response = await fetch(address + path, init);
  const answer = await response.text();
  const { status, headers } = response;
  assert.equal(status, problems[code].status, `${path} ${answer.slice(0, 300)}`);
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, path);
  assert.equal(headers.get('content-language'), 'ko', path);
  assert.equal(headers.get('cache-control'), 'no-store', path);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
  assert.equal(headers.has('www-authenticate'), status === 401, path);
  assert.equal(headers.has('allow'), status === 405, path);
  const body = JSON.parse(answer) as Record<string, unknown>;
  assert.equal(headers.get('x-request-id'), body['requestId'], path);
  assertBody(body, code);
}

/** Asserts the keys of a problem and their order. `suggestions` and `use` are optional. */
function assertBody(body: Record<string, unknown>, code: ProblemCode): void {
  const { status, title } = problems[code];
  const names = Object.keys(body).filter((name) => !['suggestions', 'use'].includes(name));
  const expected = ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors', 'retryable'];
  assert.deepEqual(names, [...expected, 'requestId'], code);
  assert.deepEqual(
    [body['type'], body['title'], body['status'], body['code']],
    [`/docs#problem-${code}`, title.ko, status, code],
  );
  assert.match(String(body['detail']), /[가-힣]/);
  assert.ok(!JSON.stringify(body).includes('secret'));
  assert.equal(body['retryable'], status >= 500);
  // The contract has a list of objects here.
  for (const error of body['errors'] as Record<string, unknown>[]) {
    const keys = Object.keys(error).filter((name) => name !== 'value' && name !== 'allowed');
    const bodyErrorKeys = ['pointer', 'code', 'message', 'fix'];
    assert.deepEqual(keys, 'pointer' in error ? bodyErrorKeys : ['parameter', 'reason'], code);
  }
}
