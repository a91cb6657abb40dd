import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileErrorSentence } from './file-error.ts';

test('an error of the file system is a sentence that names the path', () => {
  assert.throws(
    () => readFileSync('/no/such/file'),
    (error) => {
      assert.equal(
        fileErrorSentence(error),
        '/no/such/file: there is no such file or folder (ENOENT).',
      );
      assert.equal(
        fileErrorSentence(error, 'data.csv'),
        'data.csv: there is no such file or folder (ENOENT).',
      );
      return true;
    },
  );
});

test('an error that is not of the file system gives null', () => {
  assert.equal(fileErrorSentence(new Error('no')), null);
  assert.equal(fileErrorSentence('ENOENT'), null);
});
