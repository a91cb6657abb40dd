import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inert } from './csv.ts';

test('a text that a spreadsheet would run as a formula begins with an apostrophe', () => {
  for (const text of ['=1+1', '+82', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    assert.equal(inert(text), `'${text}`);
  }
  for (const text of ['', 'ben', 'a=1', '1-2']) assert.equal(inert(text), text);
});
