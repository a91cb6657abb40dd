import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeFormula } from './csv.ts';

test('a text that a spreadsheet would run as a formula gets an apostrophe in front', () => {
  for (const text of ['=1+1', '+82', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    assert.equal(escapeFormula(text), `'${text}`);
  }
  for (const text of ['', 'ben', 'a=1', '1-2']) assert.equal(escapeFormula(text), text);
});
