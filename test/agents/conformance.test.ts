import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { addAgents } from '../../src/agents/http.ts';
import { openPolicy } from '../../src/kernel/http/response-policy.ts';
import { Router } from '../../src/kernel/http/router.ts';
import { startServer } from '../../src/kernel/http/server.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { fixtureStore } from '../fixtures/lookup.ts';

/** The scenarios of the protocol's own suite that need none of its demonstration tools, prompts and resources. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'dns-rebinding-protection',
];

test('every scenario of the conformance suite that fits the server passes', async () => {
  const holder = new StoreHolder();
  await holder.replace(fixtureStore());
  const router = new Router(createServerContext(silentLog), openPolicy);
  addAgents(router, { holder, settings: { MARU_BASE_URL: null } });
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  const suite = resolve(import.meta.dirname, '../../node_modules/.bin/conformance');
  const args = [suite, 'server', '--url', `${server.address}/mcp`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const output = await text(child.stdout);
  const passed = [...output.matchAll(/^✓ ([\w-]+):/gm)].map(([, name]) => name);
  assert.deepEqual(passed, scenarios);
});
