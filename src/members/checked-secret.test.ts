import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongForm } from '../../test/long-form.ts';
import { base32 } from './base32.ts';
import { isCheckedSecret, newCheckedSecret } from './checked-secret.ts';
import { isSvcUid, newEventId, newSvcUid } from './identifiers.ts';

test('T13: all tokens differ, and their letters are evenly distributed at every position', () => {
  const tokens = isLongForm ? 1_000_000 : 100_000;
  const seen = new Set<string>();
  const counts = new Uint32Array(52 * 128);
  for (let i = 0; i < tokens; i++) {
    const token = newCheckedSecret('svcs_');
    // A hundred bits are enough to distinguish a million tokens.
    seen.add(token.slice(5, 25));
    for (let at = 0; at < 52; at++) counts[at * 128 + token.charCodeAt(5 + at)]!++;
  }
  assert.equal(seen.size, tokens);
  const expected = tokens / 32;
  for (let at = 0; at < 52; at++) {
    const letters = counts.subarray(at * 128, at * 128 + 128).filter((count) => count > 0);
    const chiSquare = letters.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    assert.equal(letters.length, 32);
    // 31 degrees of freedom: past 85 once in ten million.
    assert.ok(chiSquare < 85, String(chiSquare));
  }
});

test('a token with any letter changed, missing or added is refused', () => {
  const token = newCheckedSecret('svcs_');
  assert(isCheckedSecret(token, 'svcs_'));
  assert(!isCheckedSecret(token.slice(0, -1), 'svcs_'));
  assert(!isCheckedSecret(`${token}a`, 'svcs_'));
  assert(!isCheckedSecret(token, 'svck_'));
  for (let at = 5; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a';
    assert(!isCheckedSecret(token.slice(0, at) + other + token.slice(at + 1), 'svcs_'));
  }
});

test('a new svc_uid has 26 random letters, and new event ids sort by time', () => {
  assert.match(newSvcUid(), /^svc_[a-z2-7]{26}$/);
  assert(isSvcUid(newSvcUid()) && !isSvcUid('svc_1') && !isSvcUid(null));
  const ids = [1, 31, 32, 1e12, Date.now(), Date.now() + 1].map(newEventId);
  assert.deepEqual([...ids].sort(), ids);
});

test('base32 encodes as in RFC 4648', () => {
  assert.equal(base32(Buffer.from('foobar')), 'mzxw6ytboi');
});
