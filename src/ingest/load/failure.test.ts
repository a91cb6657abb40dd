import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { FileRefused } from '../files/refused.ts';
import { failureOf } from './failure.ts';

test('a refusal keeps its code, and any other error is internal', () => {
  assert.equal(
    failureOf(new FileRefused('empty', { ko: '없습니다.', en: 'Nothing.' })).code,
    'empty',
  );
  assert.equal(failureOf(new Error('no')).code, 'internal');
  assert.match(failureOf('no').message.en, /: no$/);
  assert.match(failureOf('no').message.ko, /오류 내용: no$/);
});

// Only Linux has this device.
if (existsSync('/dev/full'))
  test('a full disk has a code of its own', () => {
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
