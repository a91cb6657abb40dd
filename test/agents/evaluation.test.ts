import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
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
    args: [resolve(import.meta.dirname, '../../bin/maru.ts'), 'mcp'],
    env: { MARU_DATA: data, MARU_LOG: 'silent', MARU_BASE_URL: 'http://localhost' },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  await client.connect(transport);
  const { tools: listed } = await client.listTools();
  assert.equal(listed.length, Object.keys(tools).length);
  const given = { axis: 'gen_restdeinfo', where: '명칭 = 설날 and 날짜 = 2026' };
  const overStdio = await callTool(client, 'query_records', given);
  const overHttp = await callTool(await connectAgent(router), 'query_records', given);
  assert.deepEqual(overStdio.structured, overHttp.structured);
  const named = await answerOf(transport, { id: 'raw', method: 'tools/call', params: {} });
  assert.deepEqual(named['error'], {
    code: -32_602,
    message: 'Invalid parameters: name: Invalid input: expected string, received undefined.',
  });
  const refused = await answerOf(transport, { id: 'raw', method: 5 });
  assert.deepEqual(refused['error'], {
    code: -32_600,
    message: 'The line is no message of JSON-RPC 2.0.',
  });
});

/** The answer to a message that the client itself would not send. */
function answerOf(
  transport: StdioClientTransport,
  message: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
  const deliver = transport.onmessage;
  transport.onmessage = (received) => {
    if ('id' in received && received.id === 'raw') resolve({ ...received });
    else deliver?.(received);
  };
  // It is sent as it is, in spite of its type.
  void transport.send({ jsonrpc: '2.0', ...message } as never);
  return promise;
}
