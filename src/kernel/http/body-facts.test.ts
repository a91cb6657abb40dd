import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { silentLog } from '../log.ts';
import { BodyFactsCache } from './body-facts.ts';
import type { RepeatableBody } from './result.ts';
import { openPolicy } from './response-policy.ts';
import { Router } from './router.ts';
import { createServerContext } from './server-context.ts';
import { startServer } from './server.ts';

test('a body is not written to its end if its client has gone', async () => {
  const facts = new BodyFactsCache();
  let isGone = false;
  let pieces = 0;
  const endless = async function* () {
    for (;;) {
      pieces++;
      isGone = pieces === 3;
      yield Buffer.from('a');
    }
  };
  await assert.rejects(
    facts.write('a', endless, () => isGone),
    { name: 'AbortError' },
  );
  assert.equal(pieces, 3);
  const whole = await facts.write('a', bodyPieces, isNeverGone);
  assert.deepEqual([whole?.length, [...whole!.starts]], [5, [0, 2]]);
  assert.equal(facts.get('a'), whole);
});

test('a ninth body gets no facts while eight are being written', async () => {
  const facts = new BodyFactsCache();
  const gate = Promise.withResolvers<void>();
  const waiting = async function* () {
    await gate.promise;
    yield* bodyPieces();
  };
  const first = Array.from({ length: 8 }, (_, at) => facts.write(`${at}`, waiting, isNeverGone));
  const again = facts.write('0', waiting, isNeverGone);
  assert.equal(await facts.write('8', waiting, isNeverGone), null);
  gate.resolve();
  for (const each of [...first, again]) assert.equal((await each)?.length, 5);
});

test('a long body is streamed without a length the first time, and has one from then on', async () => {
  const router = new Router(createServerContext(silentLog), openPolicy);
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  let released = 0;
  const validity = {
    tag: 'a',
    lastModified: null,
    isDaily: false,
    cacheControl: 'no-cache',
    vary: 'Accept-Encoding',
  };
  const body: RepeatableBody = {
    type: 'text/plain',
    headers: {},
    trailerNames: [],
    trailers: () => ({}),
    isDigested: true,
    isSeekable: false,
    expectedMs: 60_000,
    write: bodyPieces,
    validity,
    release: () => released++,
  };
  router.add('/long', { read: () => null, handle: () => body });
  const fetchLong = () => fetch(`${server.address}/long`);
  const first = await fetchLong();
  assert.equal(first.headers.get('content-length'), null);
  assert.equal(await first.text(), 'abcde');
  const second = await fetchLong();
  assert.equal(second.headers.get('content-length'), '5');
  const digest = createHash('sha256').update('abcde').digest('base64');
  assert.equal(second.headers.get('repr-digest'), `sha-256=:${digest}:`);
  assert.equal(await second.text(), 'abcde');
  assert.equal(released, 2);
});

function isNeverGone(): boolean {
  return false;
}

async function* bodyPieces(): AsyncGenerator<Buffer, void> {
  yield Buffer.from('ab');
  yield Buffer.from('cde');
}
