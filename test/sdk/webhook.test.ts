import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { verifySignature } from '../../sdk/src/webhook.ts';
import { signedHeaders } from '../../src/members/webhooks.ts';
import { anyText } from '../any-text.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const body = '{"type":"member.created","data":{"svc_uid":"svc_a"}}';
const now = 1_800_000_000;

test('a signature of the service verifies with headers in any form', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: now * 1_000 });
  const headers = signedHeaders(secret, 'msg_1', now, body);
  assert.equal(await verifySignature(secret, headers, body), true);
  assert.equal(await verifySignature(secret, new Headers(headers), body), true);
  // During a change of the secret one of several signatures is enough.
  const { 'webhook-signature': own = '' } = headers;
  const several = `v1a,AAAA v1,${'A'.repeat(43)}= ${own}`;
  const replaced = { ...headers, 'webhook-signature': several };
  assert.equal(await verifySignature(secret, replaced, body), true);
});

test('any change is detected, and no input throws', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: now * 1_000 });
  const message = { ...signedHeaders(secret, 'msg_1', now, body), body };
  const parts = fc.constantFrom(...(Object.keys(message) as (keyof typeof message)[]));
  await fc.assert(
    fc.asyncProperty(parts, anyText(), async (part, text) => {
      fc.pre(message[part] !== text);
      const { body, ...headers } = { ...message, [part]: text };
      assert.equal(await verifySignature(secret, headers, body), false);
    }),
  );
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  assert.equal(await verifySignature(other, message, body), false);
  assert.equal(await verifySignature(secret, {}, body), false);
});

test('a signature is valid for five minutes in both directions', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: now * 1_000 });
  for (const [seconds, isValid] of [
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ] as const) {
    const headers = signedHeaders(secret, 'msg_1', now + seconds, body);
    assert.equal(await verifySignature(secret, headers, body), isValid, `${seconds} s`);
  }
});

test('at most eight signatures are checked', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: now * 1_000 });
  const headers = signedHeaders(secret, 'msg_1', now, body);
  const { 'webhook-signature': own = '' } = headers;
  for (const [others, isValid] of [
    [7, true],
    [8, false],
  ] as const) {
    const many = { ...headers, 'webhook-signature': `${'v1,AAAA '.repeat(others)}${own}` };
    assert.equal(await verifySignature(secret, many, body), isValid, String(others));
  }
});

test('a malformed secret is refused without being repeated', async () => {
  for (const wrong of ['whsec_', 'not base64!']) {
    await assert.rejects(verifySignature(wrong, {}, body), ({ message }: Error) => {
      return message.includes('whsec_ and Base64') && !message.includes('not base64!');
    });
  }
});
