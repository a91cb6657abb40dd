import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { silentLog } from '../kernel/log.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { serveOverStdio } from './stdio.ts';

test('a folder without data is answered with the commands that fill it', async () => {
  const params = { name: 'find_datasets', arguments: {} };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const output = new PassThrough();
  await using holder = new StoreHolder();
  const options = { holder, log: silentLog, baseUrl: 'http://localhost:3000', folder: '/empty' };
  await serveOverStdio(options, { input: Readable.from([Buffer.from(`${message}\n`)]), output });
  output.end();
  const answer = await text(output);
  assert.match(answer, /\/empty has no data yet\. .*\.\/maru serve.*\.\/maru load/);
  assert.doesNotMatch(answer, /being prepared|Try again/);
});
