import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { demoKey } from './tried-service.ts';

test('a service that prints no key, as one with members does, is refused after a while', async () => {
  const output = new PassThrough();
  await assert.rejects(demoKey(output, AbortSignal.abort()), /data folder without members/);
  assert.equal(output.destroyed, true);
});

test('the key is read where its line arrives in parts, and a service that ended has none', async () => {
  const output = new PassThrough();
  output.write('demo, shown once:  svck_a');
  const key = demoKey(output);
  output.write('b\n');
  assert.equal(await key, 'svck_ab');
  const ended = new PassThrough();
  ended.end('port in use');
  await assert.rejects(demoKey(ended), /ended before it printed its key:\nport in use/);
});
