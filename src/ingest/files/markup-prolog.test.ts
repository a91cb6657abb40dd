import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBody } from '../../harvest/protocol/body.ts';
import { otherTextFormat, textFormatOf } from './content.ts';
import { fileKinds } from './file-kinds.ts';
import { isKml } from './kml.ts';
import { afterProlog } from './markup-prolog.ts';

const comments = '<!-- 가 -->\n'.repeat(100);

test('a text of markup is recognised by its first element, below any number of comments', () => {
  assert.equal(afterProlog(` <?xml version="1.0"?>\n${comments}<a/>`), '<a/>');
  assert.equal(afterProlog('<!-- 끝 없음 <a/>'), '<!-- 끝 없음 <a/>');
  assert.equal(textFormatOf(`${comments}<rows><row/></rows>`), 'xml');
  assert.equal(textFormatOf(`${comments}<!DOCTYPE html><p>가`), 'html');
  assert.equal(textFormatOf(`${comments}<html></html>`), 'html');
  assert.ok(isKml(`<?xml version="1.0"?>${comments}<kml xmlns="a">`));
  assert.ok(!isKml(`<?xml version="1.0"?>${comments}<rows>`));
  assert.equal(readBody(Buffer.from(`${comments}<response/>`)).kind, 'xml');
  assert.equal(readBody(Buffer.from(`${comments}<html>`)).kind, 'html');
});

test('a dump of SQL is recognised below any number of comments, and of any length', () => {
  const remarks = '/* 가 */\n'.repeat(100);
  assert.equal(otherTextFormat(`${remarks}CREATE TABLE a (b int);`), fileKinds.sql);
  assert.equal(otherTextFormat(`/*${'가'.repeat(65_000)}*/ INSERT INTO a`), fileKinds.sql);
  assert.equal(otherTextFormat(`${remarks}번호,이름`), null);
});
