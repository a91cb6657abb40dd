import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { demoKey } from './tried-service.ts';

test('a service that prints no key in time is refused with its likely cause: it has members', async () => {
  const output = new PassThrough();
  await assert.rejects(demoKey(output, AbortSignal.abort()), /data folder without members/);
  assert.equal(output.destroyed, true);
});

test('the key is read from a line in parts, and a service that ends without one is refused', async () => {
  const output = new PassThrough();
  output.write('demo, shown once:  svck_a');
  const key = demoKey(output);
  output.write('b\n');
  assert.equal(await key, 'svck_ab');
  const ended = new PassThrough();
  ended.end('port in use');
  await assert.rejects(demoKey(ended), /ended before it printed its key:\nport in use/);
});
