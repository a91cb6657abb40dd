import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limits } from '../kernel/http/limits.ts';
import { messageLines } from './message-lines.ts';

test('lines that are not messages get JSON-RPC errors, and messages pass', async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const cases: [string, number | null, unknown?][] = [
    [ping, null],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', null],
    ['', null],
    ['{"jsonrpc":', -32_700],
    ['hello', -32_700],
    ['{}', -32_600],
    ['7', -32_600],
    ['[]', -32_600],
    [`[${ping}]`, -32_600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600, 1],
    ['{"jsonrpc":"2.0","id":"a","method":5}', -32_600, 'a'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ['x'.repeat(limits.bodyBytesMax + 1), -32_600],
  ];
  for (const [line, code, id = null] of cases) {
    const { passed, refused } = await read([Buffer.from(`${line}\n`)]);
    const isPassed = code === null && line !== '';
    assert.deepEqual(passed, isPassed ? [line] : [], line.slice(0, 60));
    const expected = code === null ? [] : [[id, code]];
    assert.deepEqual(
      refused.map((refusal) => [refusal.id, refusal.error.code]),
      expected,
    );
    for (const { error } of refused) assert.doesNotMatch(error.message, /[[{]/);
  }
});

test('a message may be as long as a body, and a longer one does not affect the next line', async () => {
  const [longest, tooLong] = [padded(limits.bodyBytesMax), padded(limits.bodyBytesMax + 1)];
  const { passed, refused } = await read([Buffer.from(`${tooLong}\n${longest}\n`)]);
  assert.deepEqual(passed, [longest]);
  assert.equal(refused.length, 1);
});

/** A message of a length in bytes. */
function padded(bytes: number): string {
  const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"';
  return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
}

test('the last line needs no line feed', async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  assert.deepEqual((await read([Buffer.from(`${ping}\n${ping}`)])).passed, [ping, ping]);
  assert.equal((await read([Buffer.from('{"json')])).refused[0]!.error.code, -32_700);
});

test('lines are the same however the input is cut into chunks', async () => {
  const line = fc.constantFrom(
    '{"jsonrpc":"2.0","id":"강남","method":"ping"}',
    '{"jsonrpc":"2.0","method":"x"}',
    'no JSON',
    '[1]',
    '',
  );
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), cuts, async (lines, at) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      assert.deepEqual(await read(chunks), await read([bytes]));
    }),
    { numRuns: 100 },
  );
});

type Refusal = Parameters<Parameters<typeof messageLines>[1]>[0];

async function read(chunks: readonly Buffer[]) {
  const refused: Refusal[] = [];
  const passed: string[] = [];
  const input = (async function* () {
    yield* chunks;
  })();
  for await (const { line } of messageLines(input, (refusal) => refused.push(refusal)))
    passed.push(line.toString().slice(0, -1));
  return { passed, refused };
}
