import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../kernel/problem.ts';
import { Attempts } from './attempts.ts';

const unknownAddress = (address: string) => ({ key: `address ${address}`, isKnown: false });
const browser = { key: 'device a', isKnown: true };
const fails = async () => null;
const succeeds = async () => 'done';
const breaks = () => Promise.reject(new Error('no disk'));

function openAttempts() {
  const clock = { now: 0 };
  const attempts = new Attempts(() => clock.now);
  const codeOf = (source: typeof browser, attempt: () => Promise<string | null>) =>
    attempts.run(source, attempt).then(
      () => 'ok',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );
  return { clock, attempts, codeOf };
}

test('waits double from the third failure up to five minutes; failures are forgotten in an hour', async () => {
  const { clock, attempts, codeOf } = openAttempts();
  const waits: number[] = [];
  for (let count = 0; count < 14; count++) {
    assert.equal(await codeOf(unknownAddress('a'), fails), 'session_required');
    if (count < 2) continue;
    await assert.rejects(attempts.run(unknownAddress('a'), succeeds), (error) => {
      assert.ok(error instanceof Problem);
      waits.push(error.retryAfterS!);
      return error.code === 'rate_limited';
    });
    clock.now += waits.at(-1)! * 1_000;
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  clock.now += 3_600_000;
  for (let count = 0; count < 3; count++)
    assert.equal(await codeOf(unknownAddress('a'), fails), 'session_required');
  assert.equal(await codeOf(unknownAddress('a'), succeeds), 'rate_limited');
});

test('at most 4,096 sources are stored, the latest failures among them', async () => {
  const { attempts, codeOf } = openAttempts();
  for (let count = 0; count < 5_000; count++) await codeOf(unknownAddress(String(count)), fails);
  assert.equal(attempts.sourceCount, 4_096);
  for (let count = 0; count < 2; count++) await codeOf(unknownAddress('4999'), fails);
  assert.equal(await codeOf(unknownAddress('4999'), succeeds), 'rate_limited');
});

test('many unknown addresses at once do not block a known browser', async () => {
  const { codeOf } = openAttempts();
  const { promise, resolve } = Promise.withResolvers<null>();
  const waiting = Array.from({ length: 20 }, (_, at) =>
    codeOf(unknownAddress(String(at)), () => promise),
  );
  const own = codeOf(browser, succeeds);
  resolve(null);
  assert.equal(await own, 'ok');
  const codes = await Promise.all(waiting);
  assert.equal(codes.filter((code) => code === 'session_required').length, 16);
  assert.equal(codes.filter((code) => code === 'rate_limited').length, 4);
});

test('an error in an attempt does not count as a failure and leaves the source usable', async () => {
  const { codeOf } = openAttempts();
  for (let count = 0; count < 5; count++)
    assert.equal(await codeOf(unknownAddress('a'), breaks), 'Error: no disk');
  assert.equal(await codeOf(unknownAddress('a'), succeeds), 'ok');
});
