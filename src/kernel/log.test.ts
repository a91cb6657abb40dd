import assert from 'node:assert/strict';
import test from 'node:test';
import { createLog } from './log.ts';

test('lines of one turn are written together, as JSON with named fields', () => {
  const written: string[] = [];
  const log = createLog({ level: 'info', pretty: false, write: (text) => written.push(text) });
  log.info('request', { path: '/a"b\n', status: 200, missing: undefined });
  log.warning('slow', { ms: 1.5, who: null });
  assert.equal(written.length, 0);
  log.flush();
  assert.equal(written.length, 1);
  const [first, second] = written[0]!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  assert.partialDeepStrictEqual(first, { event: 'request', path: '/a"b\n', status: 200 });
  assert.ok(!('missing' in first!));
  assert.partialDeepStrictEqual(second, { level: 'warning', ms: 1.5, who: null });
});

test('an event below the level of the log is not written', () => {
  const written: string[] = [];
  const log = createLog({ level: 'warning', pretty: false, write: (text) => written.push(text) });
  log.debug('a');
  log.info('b');
  log.error('c');
  log.flush();
  assert.equal(written.length, 1);
  assert.match(written[0]!, /"event":"c"/);
  assert.equal(log.isEnabled('info'), false);
  assert.equal(log.isEnabled('error'), true);
});

test('a line for the terminal cannot move the cursor', () => {
  const written: string[] = [];
  const log = createLog({ level: 'info', pretty: true, write: (text) => written.push(text) });
  log.info('request', { path: 'a\u001b[2Jb\r\nc' });
  log.flush();
  assert.match(written[0]!, /^\d\d:\d\d:\d\d request path=a \[2Jb c\n$/);
});
