import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAxis } from '../../../test/build-axis.ts';
import { openFixture, sendRequest } from '../../../test/fixtures/members.ts';
import { openOperators, signInAs, signInFirst } from '../../../test/fixtures/operators.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { axisFolder, fileNames } from '../../data/snapshot/layout.ts';
import { BuildLock } from '../../data/snapshot/lock.ts';
import { currentId, snapshotFolder } from '../../data/snapshot/snapshots.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { silentLog } from '../../kernel/log.ts';
import { createAdminSite } from '../pages/site.ts';

test('an owner rolls a snapshot back with a reason, and the audit log has both ids', async () => {
  await using stack = new AsyncDisposableStack();
  const { data, fixture, send, first, second } = await openScene(stack);
  const { body: difference } = await send('GET', `/api/snapshots/${first}/difference`);
  assert.deepEqual(difference, {
    from: first,
    to: second,
    items: [
      {
        axis: 'file_1',
        change: 'records',
        rows_from: 1,
        rows_to: 2,
        fields_added: [],
        fields_removed: [],
      },
    ],
  });
  const rolled = await send('POST', `/api/snapshots/${first}/rollback`, { reason: 'wrong rows' });
  assert.deepEqual([rolled.status, rolled.body], [200, { from: second, to: first }]);
  assert.equal(currentId(data), first);
  const { body: listed } = await send('GET', '/api/datasets');
  const [dataset] = listed['items'] as { axis: string; rows: number }[];
  assert.deepEqual([dataset?.axis, dataset?.rows], ['file_1', 1]);
  const entries = await fixture.context.store.read.audit.after(0, 200);
  const { actor, subject, reason, detail } = entries.at(-1)!;
  assert.deepEqual(
    [actor, subject, reason, JSON.parse(detail)],
    ['operator:hana', first, 'wrong rows', { from: second }],
  );
});

test('a rollback that is refused changes neither the snapshot nor the audit log', async () => {
  await using stack = new AsyncDisposableStack();
  const { data, fixture, send, first, second } = await openScene(stack);
  const before = (await fixture.context.store.read.audit.head())!.seq;
  const refusal = async (id: string, role?: 'privacy') => {
    const path = `/api/snapshots/${id}/rollback`;
    const { status, body } = await send('POST', path, { reason: 'a test' }, role);
    return [status, body['code']];
  };
  assert.deepEqual(await refusal(first, 'privacy'), [403, 'insufficient_role']);
  assert.deepEqual(await refusal(second), [409, 'snapshot_is_current']);
  for (const id of ['20200101-0001', '..', '%2e%2e%2fmembers', 'x'.repeat(500)]) {
    const [status] = await refusal(id);
    assert.equal(status, 404, id);
  }
  {
    using _lock = new BuildLock(data);
    assert.deepEqual(await refusal(first), [409, 'snapshot_busy']);
  }
  const records = join(snapshotFolder(data, first), axisFolder('file_1'), fileNames.records);
  appendFileSync(records, ' ');
  assert.deepEqual(await refusal(first), [409, 'snapshot_damaged']);
  assert.equal(currentId(data), second);
  assert.equal((await fixture.context.store.read.audit.head())!.seq, before);
});

/** An operator's site over a data folder with two snapshots. */
async function openScene(stack: AsyncDisposableStack) {
  const data = stack.use(temporaryFolder()).path;
  const fixture = stack.use(await openFixture(data));
  const first = buildAxis(data, 'file_1', [['가', null]]);
  const second = buildAxis(data, 'file_1', [
    ['가', null],
    ['나', null],
  ]);
  const operators = await openOperators(fixture.context, data);
  const tokens = {
    owner: await signInFirst(operators),
    privacy: await signInAs(fixture.context, operators, 'privacy'),
  };
  const server = createServerContext(silentLog);
  const router = createAdminSite({ context: fixture.context, server, operators, data });
  const send = (
    method: string,
    path: string,
    body?: object,
    role: keyof typeof tokens = 'owner',
  ) => {
    const headers = { host: '127.0.0.1:3001', cookie: `__Host-maru_admin=${tokens[role]}` };
    return sendRequest({ router }, method, path, headers, body);
  };
  return { data, fixture, send, first, second };
}
