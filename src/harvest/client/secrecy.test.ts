import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  body,
  encodedKey,
  good,
  plainKey,
  portal,
  stopsRequest,
} from '../../../test/loopback-portal.ts';
import { createLog } from '../../kernel/log.ts';
import { createPortalClient } from './portal-client.ts';
import { createMemoryQuota } from './quota.ts';

test('no error, log line or body contains the key in any spelling', async (t) => {
  const html = plainKey.replaceAll('=', '&#61;').replaceAll('+', '&#43;').replaceAll('/', '&#47;');
  const echoes = [
    plainKey,
    encodedKey,
    encodedKey.replace(/%../g, (octet) => octet.toLowerCase()),
    encodeURIComponent(encodedKey),
    plainKey.replaceAll('/', '\\/'),
    plainKey.replaceAll('=', '\\u003d'),
    plainKey.replaceAll('+', ' '),
    Buffer.from(plainKey).toString('base64'),
  ];
  const replies = echoes.flatMap((echo) => [
    body(`no such key ${echo}`, 401),
    body(`GET /x?serviceKey=${echo}&a=1 failed`, 404),
    body(`{"code":-4,"msg":"${'긴 글 '.repeat(45)}${echo}"}`),
    body(good.replace('"a":"1"', `"a":"${echo}"`)),
    body('', 302, { location: `https://evil.test/?serviceKey=${echo}` }),
  ]);
  replies.push(
    body(
      `<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>${html}</errMsg><returnReasonCode>30</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>`,
    ),
  );
  const { client, targets, log } = await portal(t, replies);
  let shown = '';
  for (let time = 0; time < replies.length; time++) {
    const result = await client.call(stopsRequest).catch((error: unknown) => error);
    shown += inspect(result, { depth: 10, showHidden: true, maxStringLength: null });
    if (result instanceof Error) shown += result.stack;
    else if (typeof result === 'object' && result !== null && 'body' in result) {
      shown += Buffer.from(result.body as Uint8Array).toString('utf8');
    }
  }
  assert.equal(targets.length, replies.length);
  const everything = `${shown}${log()}`;
  for (const echo of [...echoes, html, plainKey.slice(0, 12)]) {
    assert.ok(!everything.includes(echo), echo);
  }
});

test('an invalid key is refused without being quoted', () => {
  const options = { quota: createMemoryQuota(), log: createLog({ level: 'silent' }) };
  for (const serviceKey of ['', ' ', 'secret%zz', 'sec ret', 'secret열쇠', 'secret'.repeat(100)]) {
    assert.throws(
      () => createPortalClient({ ...options, serviceKey }),
      (error: Error) => !inspect(error).includes('secret') && /service key/.test(error.message),
    );
  }
});
