import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { FileRefused } from '../files/refused.ts';
import { failureOf } from './failure.ts';

test('a refusal keeps its code, a full disk has one of its own, the rest is our fault', (t) => {
  assert.equal(failureOf(new FileRefused('empty', 'Nothing.')).code, 'empty');
  assert.equal(failureOf(new Error('no')).code, 'internal');
  assert.equal(failureOf('no').message, 'no');
  if (process.platform !== 'linux') return t.skip('/dev/full is a device of Linux');
  const full = openSync('/dev/full', 'w');
  try {
    writeSync(full, 'x');
    assert.fail('The device took a byte.');
  } catch (error) {
    assert.equal(failureOf(error).code, 'disk_full');
  } finally {
    closeSync(full);
  }
});
