import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AxisDefinition } from './definition.ts';
import { axisDefinition } from './definitions.ts';
import { pageFacts, settlePages, type PageFacts } from './pages.ts';
import { requestsOf, type AxisRequest } from './requests.ts';

const airport = axisDefinition('airport_bus')!;
const axis: AxisDefinition = { ...airport, paging: { ...airport.paging, pageSize: 3 } };

async function firstRequest(): Promise<AxisRequest> {
  const context = {
    now: 0,
    since: null,
    async *recordsOf() {},
    answerOf: () => Promise.resolve([]),
  };
  const [request] = await Array.fromAsync(requestsOf(axis, context));
  return request!;
}

interface Page {
  total: number | null;
  rows: number[];
}
type Damage = (page: Page, number: number) => Page;

/** Rows 0 to `count`-1 in pages of three; the first answers to a page are damaged. */
async function settle(count: number, damage: Damage, spoiled: (page: number) => number = () => 1) {
  const attempts = new Map<number, number>();
  const kept = new Map<number, number[]>();
  let calls = 0;
  const settled = await settlePages(axis, await firstRequest(), ({ page }): Promise<PageFacts> => {
    calls++;
    const attempt = attempts.get(page) ?? 0;
    attempts.set(page, attempt + 1);
    const rows = Array.from({ length: count }, (_, at) => at).slice((page - 1) * 3, page * 3);
    const whole = { total: count, rows };
    const answer = attempt < spoiled(page) ? damage(whole, page) : whole;
    kept.set(page, answer.rows);
    return Promise.resolve(pageFacts(page, answer.total, answer.rows));
  });
  const rows = [...new Set([...kept.values()].flat())].sort((a, b) => a - b);
  return { ...settled, rows, calls };
}

const damages: Readonly<Record<string, Damage>> = {
  none: (page) => page,
  zero: () => ({ total: 0, rows: [] }),
  growing: (page, number) => ({ ...page, total: (page.total ?? 0) + number }),
  shrinking: (page, number) => ({ ...page, total: Math.max(0, (page.total ?? 0) - number) }),
  shifted: ({ total, rows }, number) => {
    const next = rows.map((row) => row + 1).filter((row) => row < (total ?? 0));
    return { total, rows: number === 1 ? rows : next };
  },
  empty: (page, number) => (number === 1 ? page : { ...page, rows: [] }),
  doubled: (page) => ({ ...page, rows: [...page.rows, ...page.rows.slice(0, 1)] }),
  before: (page, number) =>
    number === 1 ? page : { ...page, rows: page.rows.map((row) => row - 3) },
};

test('pages that agree are asked once, and one more when the last is full', async () => {
  assert.deepEqual(await settle(7, damages['none']!), {
    pages: 3,
    doubts: [],
    rows: [0, 1, 2, 3, 4, 5, 6],
    calls: 3,
  });
  const full = await settle(6, damages['none']!);
  assert.deepEqual([full.pages, full.calls, full.doubts], [2, 3, []]);
});

test('a zero is asked twice before it is believed', async () => {
  const empty = await settle(0, damages['none']!);
  assert.deepEqual([empty.pages, empty.calls, empty.doubts, empty.rows], [1, 2, [], []]);
  assert.deepEqual((await settle(4, damages['zero']!)).rows, [0, 1, 2, 3]);
});

test('whatever damages the first answers, the rows are those of undamaged ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 14 }),
      fc.constantFrom(...Object.keys(damages)),
      fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 }),
      async (count, name, spoiled) => {
        const { rows, doubts } = await settle(count, damages[name]!, (page) => spoiled[page] ?? 0);
        assert.deepEqual(
          rows,
          Array.from({ length: count }, (_, at) => at),
        );
        assert.deepEqual(doubts, []);
      },
    ),
  );
});

test('a source that repeats its oddity is believed, and one that goes on changing is reported', async () => {
  const stubborn = await settle(7, damages['doubled']!, () => 100);
  assert.deepEqual([stubborn.doubts, stubborn.rows.length], [[], 7]);
  let turn = 0;
  const restless = await settle(
    5,
    (page) => ({ ...page, rows: [...page.rows, 100 + ++turn] }),
    () => 100,
  );
  assert.ok(restless.doubts.length > 0);
  assert.ok(restless.calls < 40);
});

test('a service that ignores the page, or counts nothing, comes to an end', async () => {
  const same = await settle(
    9,
    () => ({ total: 9, rows: [0, 1, 2] }),
    () => 100,
  );
  assert.deepEqual(same.rows, [0, 1, 2]);
  const uncounted = await settle(
    7,
    (page) => ({ ...page, total: null }),
    () => 100,
  );
  assert.deepEqual([uncounted.rows.length, uncounted.doubts], [7, []]);
});

function endless({ total }: Page, number: number): Page {
  return { total, rows: [number * 3, number * 3 + 1, number * 3 + 2] };
}

test('a question without an end is stopped at its bound', async () => {
  await assert.rejects(
    settle(3, endless, () => 100),
    /airport_bus goes on after 10000 pages/,
  );
});
