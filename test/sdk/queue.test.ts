import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  createQueue,
  type DeliveryFault,
  type QueuedItem,
  type Queue,
} from '../../sdk/src/queue.ts';

/** A queue over a map, with results and a clock that the test sets. */
function openQueue(context: TestContext, fault: () => DeliveryFault | null) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const items = new Map<string, QueuedItem>();
  const sent: string[][] = [];
  const queue = createQueue({
    shelf: {
      list: () => [...items.values()],
      put: (each) => void items.set(each.id, each),
      drop: (id) => void items.delete(id),
    },
    batchMax: 2,
    batchBytesMax: 1_000,
    countMax: 5,
    failuresMax: Infinity,
    send: (batch) => {
      sent.push(batch.map(({ id }) => id));
      return Promise.resolve(batch.map(fault));
    },
  });
  const pass = async (ms: number): Promise<number> => {
    context.mock.timers.tick(ms);
    // A failed round takes a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return sent.length;
  };
  return { queue, sent, pass };
}

function put(queue: Queue, id: string): void {
  queue.add({ id, at: 0, body: {} });
}

const away = { retryable: true, waitMs: 0 };

test('attempts are made after 1 s, then after half to all of 1 s, 2 s, 4 s … 5 min', async (context) => {
  const { queue, pass } = openQueue(context, () => away);
  put(queue, 'a');
  assert.equal(await pass(999), 0);
  assert.equal(await pass(1), 1);
  for (let failures = 0; failures < 14; failures++) {
    const wholeMs = Math.min(1_000 * 2 ** failures, 300_000);
    assert.equal(await pass(wholeMs / 2 - 1), failures + 1, `${wholeMs} ms`);
    assert.equal(await pass(wholeMs / 2 + 1), failures + 2, `${wholeMs} ms`);
  }
});

test('the queue waits as long as the service requires', async (context) => {
  const { queue, pass } = openQueue(context, () => ({ ...away, waitMs: 60_000 }));
  put(queue, 'a');
  assert.equal(await pass(1_000), 1);
  assert.equal(await pass(59_999), 1);
  assert.equal(await pass(1), 2);
});

test('new items wait with the others, and resume sends all', async (context) => {
  let fault: DeliveryFault | null = away;
  const { queue, sent, pass } = openQueue(context, () => fault);
  put(queue, 'a');
  for (let round = 0; round < 10; round++) await pass(300_000);
  const tries = sent.length;
  put(queue, 'b');
  assert.equal(await pass(10_000), tries);
  fault = null;
  queue.resume();
  assert.equal(await pass(0), tries + 1);
  assert.deepEqual(sent.at(-1), ['a', 'b']);
  assert.deepEqual(await queue.flush(0), { delivered: 2, pending: 0 });
});

test('a fault of one item stops that item alone, any other fault ends the round', async (context) => {
  const own = openQueue(context, () => ({ ...away, own: true }));
  for (const id of ['a', 'b', 'c']) put(own.queue, id);
  await own.queue.flush(0);
  await own.pass(0);
  assert.deepEqual(own.sent, [['a', 'b'], ['c']]);
  context.mock.timers.reset();
  const all = openQueue(context, () => away);
  for (const id of ['a', 'b', 'c']) put(all.queue, id);
  await all.queue.flush(0);
  await all.pass(0);
  assert.deepEqual(all.sent, [['a', 'b']]);
});

test('a closed queue stores items and sends none', async (context) => {
  const { queue, pass } = openQueue(context, () => null);
  const closing = queue.close(1_000);
  await pass(0);
  assert.deepEqual(await closing, { delivered: 0, pending: 0 });
  put(queue, 'a');
  queue.resume();
  assert.equal(await pass(1_000_000), 0);
});

test('with any faults in any order, every item is delivered exactly once', async () => {
  const outcome = fc.constantFrom('delivered', 'away', 'own', 'refused');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(outcome, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
      async (plans) => {
        const items = new Map<string, QueuedItem>();
        const deliveries = new Map<string, number>();
        const lost: string[] = [];
        const next = plans.map((plan) => [...plan]);
        const queue = createQueue({
          shelf: {
            list: () => [...items.values()],
            put: (each) => void items.set(each.id, each),
            drop: (id) => void items.delete(id),
          },
          batchMax: 2,
          batchBytesMax: 1_000,
          countMax: 100,
          failuresMax: 1,
          send: (batch) =>
            Promise.resolve(
              batch.map(({ id }) => {
                const result = next[Number(id)]!.shift() ?? 'delivered';
                if (result === 'delivered') deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
                if (result === 'delivered') return null;
                return { retryable: result !== 'refused', waitMs: 0, own: result === 'own' };
              }),
            ),
          onLost: ({ id }) => void lost.push(id),
        });
        plans.forEach((_, index) => put(queue, String(index)));
        let pending = plans.length;
        for (let round = 0; pending > 0 && round < 100; round++) {
          ({ pending } = await queue.flush(1_000));
        }
        await queue.close(0);
        assert.equal(pending, 0);
        assert.equal(deliveries.size + lost.length, plans.length);
        assert.ok([...deliveries.values()].every((times) => times === 1));
      },
    ),
    { numRuns: 100 },
  );
});
