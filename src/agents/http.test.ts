import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Router } from '../kernel/http/router.ts';
import { request } from '../../test/fixtures/inject.ts';
import { setUp } from '../../test/fixtures/lookup-app.ts';
import { fixtureStore, fixtureToday } from '../../test/fixtures/lookup.ts';
import { callTool, connectAgent, generations } from '../../test/agents/connect.ts';
import { limits } from '../kernel/http/limits.ts';
import { tools } from '../contract/tools.ts';
import { addAgents } from './http.ts';

test('clients of both generations list the tools and read the overview', async () => {
  const { router } = serving();
  for (const generation of generations) {
    const client = await connectAgent(router, generation);
    assert.match(client.getInstructions() ?? '', /Search before you conclude/);
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      Object.keys(tools),
    );
    for (const { annotations } of listed.tools) assert.equal(annotations?.readOnlyHint, true);
    const { contents } = await client.readResource({ uri: 'maru://overview' });
    assert.match(JSON.stringify(contents), /2 datasets with 66 records/);
    const dataset = await client.readResource({ uri: 'maru://dataset/file_15012896' });
    assert.match(JSON.stringify(dataset.contents), /전국 주차장 표준데이터/);
    await assert.rejects(client.readResource({ uri: 'maru://dataset/nowhere' }));
    const { text } = await callTool(client, 'query_records', { axis: 'file_15012896', limit: 1 });
    assert.match(text, /Records 1–1 of 60/);
    await client.close();
  }
});

test('results of 2026-07-28 may be cached by everyone for a time', async () => {
  const { router } = serving();
  const response = await post(router, rpc('tools/list', {}), modernHeaders('tools/list'));
  const { result } = (await response.json()) as { result: Readonly<Record<string, unknown>> };
  assert.equal(result['cacheScope'], 'public');
  assert.equal(result['ttlMs'], 3_600_000);
});

test('a foreign host or origin gets 403 without CORS headers', async () => {
  const { router } = serving();
  const foreign = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
  ];
  for (const headers of foreign) {
    const response = await post(router, rpc('ping'), { ...legacyHeaders, ...headers });
    assert.equal(response.status, 403, JSON.stringify(headers));
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    await assertRpcError(response);
  }
  const own = [
    { host: 'localhost:3000' },
    { host: '127.0.0.1:80' },
    { host: '[::1]:3000' },
    { host: 'maru.example' },
    { origin: 'http://localhost:6274' },
    { origin: 'https://maru.example' },
  ];
  for (const headers of own) {
    const response = await post(router, rpc('ping'), { ...legacyHeaders, ...headers });
    assert.equal(response.status, 200, JSON.stringify(headers));
  }
});

test('malformed messages get errors of the protocol without a stack', async () => {
  const { router } = serving();
  const bodies: [string, unknown, number?][] = [
    ['broken JSON', '{"jsonrpc":'],
    ['no JSON', 'hello'],
    ['no message', '{}'],
    ['another protocol', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['an empty batch', '[]'],
    ['an unknown method', rpc('tools/destroy')],
    ['an unknown tool', rpc('tools/call', { name: 'rm', arguments: {} })],
    ['a call without a name', rpc('tools/call', {})],
    ['too much', JSON.stringify({ pad: 'x'.repeat(limits.bodyBytesMax) })],
    ['bytes', new Uint8Array([0xff, 0xfe, 0x00])],
  ];
  for (const [title, body] of bodies) {
    const response = await post(router, body as string, legacyHeaders);
    await assertRpcError(response, title);
  }
  const wrongVersion = { ...legacyHeaders, 'mcp-protocol-version': '1999-01-01' };
  await assertRpcError(await post(router, rpc('tools/list', {}), wrongVersion), 'wrong version');
  const get = await request(router, '/mcp');
  assert.equal(get.status, 405);
  await assertRpcError(get, 'GET');
});

test('invalid parameters get -32602 with their paths, without a dump of the validator', async () => {
  const { router } = serving();
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  for (const [method, params, path] of [
    ['initialize', { ...client, protocolVersion: 5 }, 'protocolVersion'],
    ['initialize', { protocolVersion: '2025-06-18', capabilities: {} }, 'clientInfo'],
    ['resources/read', { uri: 4 }, 'uri'],
    ['tools/call', {}, 'name'],
  ] as const) {
    const text = await (await post(router, rpc(method, params), legacyHeaders)).text();
    const { id, error } = JSON.parse(text.replace(/^event: message\ndata: /, '')) as {
      id: number;
      error: { code: number; message: string };
    };
    assert.deepEqual([id, error.code], [1, -32_602], text);
    assert.match(error.message, new RegExp(`^Invalid parameters: ${path}: [^{[]+\\.$`));
  }
});

test('a request of 2026-07-28 with wrong or missing headers is refused', async () => {
  const { router } = serving();
  const { 'mcp-method': _method, ...withoutMethod } = modernHeaders('tools/list');
  for (const [headers, code] of [
    [withoutMethod, -32_020],
    [modernHeaders('ping'), -32_020],
    [{ ...modernHeaders('tools/list'), 'mcp-protocol-version': '2025-06-18' }, -32_020],
  ] as const) {
    const response = await post(router, rpc('tools/list', {}), headers);
    assert.equal(response.status, 400, JSON.stringify(headers));
    const { error } = (await response.json()) as { error: { code: number } };
    assert.equal(error.code, code);
  }
  const batch = await post(router, `[${rpc('tools/list', {})}]`, modernHeaders('tools/list'));
  assert.equal(batch.status, 400);
  assert.match(await batch.text(), /"code":-32600,"message":"[^"]* has no batches/);
});

test('a cursor of another snapshot is an error of the tool that names the reason', async () => {
  const { router, holder } = serving();
  const client = await connectAgent(router);
  const given = { axis: 'file_15012896', limit: 2 };
  const { structured } = await callTool(client, 'query_records', given);
  await holder.replace(fixtureStore('20261122-0001'));
  const cursor = structured['cursor'];
  const { text, isError } = await callTool(client, 'query_records', { ...given, cursor });
  assert.equal(isError, true);
  assert.match(text, /^The cursor was changed, or belongs to another snapshot/);
});

test('a batch of many calls is refused or bounded, never a failure', async () => {
  const { router } = serving();
  const batch = JSON.stringify(
    Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
  );
  const response = await post(router, batch, legacyHeaders);
  assert.ok(response.status < 500, String(response.status));
  assert.doesNotMatch(await response.text(), /at .*\.ts:\d+/);
});

/** The lookup service with `/mcp` over the fixture. */
function serving() {
  const { router, holder } = setUp();
  const settings = { MARU_BASE_URL: 'https://maru.example' };
  addAgents(router, { holder, settings, today: () => fixtureToday });
  return { router, holder };
}

const legacyHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

function modernHeaders(method: string) {
  return { ...legacyHeaders, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
}

function rpc(method: string, params?: object): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const isModern = method === 'tools/list' && params !== undefined;
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    ...(params === undefined ? {} : { params: isModern ? { ...params, _meta: meta } : params }),
  });
}

function post(router: Router, body: string, headers: Record<string, string>): Promise<Response> {
  return request(router, '/mcp', { method: 'POST', body, headers });
}

async function assertRpcError(response: Response, title?: string): Promise<void> {
  const text = await response.text();
  const json = text.replace(/^event: message\ndata: /, '');
  const { error } = JSON.parse(json) as { error?: { code: number; message: string } };
  assert.ok(error !== undefined && error.code < 0 && error.message !== '', `${title} ${text}`);
  assert.doesNotMatch(text, /\.ts:\d+|node_modules|at \w+ \(/, title);
}
