import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { addAgents } from '../../src/agents/http.ts';
import { tools } from '../../src/contract/tools.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { openPolicy } from '../../src/kernel/http/response-policy.ts';
import { Router } from '../../src/kernel/http/router.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../../src/lookup/store/snapshot.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { callTool, connectAgent, generations } from './connect.ts';
import { checkTask } from './agent-task.ts';
import { sampleTasks } from './sample-tasks.ts';

const maru = resolve(import.meta.dirname, '../../bin/maru.ts');
const folder = temporaryFolder();
const data = join(folder.path, 'data');
await copyFirstStart(data);
const holder = new StoreHolder();
void holder.replace(new SnapshotStore(data, currentId(data)!));
const router = new Router(createServerContext(silentLog), openPolicy);
addAgents(router, { holder, settings: { MARU_BASE_URL: null } });
after(async () => {
  await holder[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('every known answer is reached in at most 3 calls and 6,000 tokens', async () => {
  const clients = await Promise.all(generations.map((each) => connectAgent(router, each)));
  const failures: string[] = [];
  for (const [at, task] of sampleTasks.entries()) {
    await checkTask(clients[at % clients.length]!, task).catch((error: unknown) => {
      failures.push(error instanceof Error ? error.message : String(error));
    });
  }
  assert.deepEqual(failures, []);
});

test('./maru mcp answers over standard input and output as /mcp does', async (t) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [maru, 'mcp'],
    env: { MARU_DATA: data, MARU_LOG: 'silent', MARU_BASE_URL: 'http://localhost' },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  await client.connect(transport);
  const { tools: listedTools } = await client.listTools();
  assert.equal(listedTools.length, Object.keys(tools).length);
  const input = { axis: 'gen_restdeinfo', where: '명칭 = 설날 and 날짜 = 2026' };
  const overStdio = await callTool(client, 'query_records', input);
  const overHttp = await callTool(await connectAgent(router), 'query_records', input);
  assert.deepEqual(overStdio.structured, overHttp.structured);
});

test('./maru mcp answers every line of a pipe, a malformed one with an error of the protocol', () => {
  const input = { axis: 'gen_restdeinfo', limit: 0 };
  const lines = [
    { id: 1, method: 'tools/call', params: { name: 'query_records', arguments: input } },
    { id: 2, method: 'tools/call', params: {} },
    { id: 3, method: 5 },
    { id: 4, method: 'tools/destroy' },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const { status, stdout } = spawnSync(process.execPath, [maru, 'mcp'], {
    input: [...lines, '{"jsonrpc":', ''].join('\n'),
    env: { MARU_DATA: data, MARU_LOG: 'silent' },
    encoding: 'utf8',
  });
  assert.equal(status, 0);
  const answers = stdout.trimEnd().split('\n').map(readAnswer);
  const byId = new Map(answers.map(({ id, ...answer }) => [id, answer]));
  assert.match(JSON.stringify(byId.get(1)), /192 records of the dataset gen_restdeinfo match/);
  assert.deepEqual(byId.get(2)?.error, {
    code: -32_602,
    message: 'Invalid parameters: name: Invalid input: expected string, received undefined.',
  });
  for (const [id, code] of [
    [3, -32_600],
    [4, -32_601],
    [null, -32_700],
  ] as const) {
    assert.equal(byId.get(id)?.error?.code, code, stdout);
  }
});

function readAnswer(line: string) {
  // The ids and codes are compared with the ids and codes of the requests.
  return JSON.parse(line) as { id: number | null; error?: { code: number; message: string } };
}
