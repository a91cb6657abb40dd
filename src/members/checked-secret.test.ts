import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphabet, base32 } from './base32.ts';
import { isCheckedSecret, newCheckedSecret } from './checked-secret.ts';
import { isSvcUid, newEventId, newSvcUid } from './identifiers.ts';

test('T13: 100,000 tokens are all different and use all letters evenly', () => {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const tokens = 100_000;
  for (let i = 0; i < tokens; i++) {
    const token = newCheckedSecret('svcs_');
    seen.add(token);
    for (const letter of token.slice(5, 57)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(seen.size, tokens);
  const expected = (tokens * 52) / alphabet.length;
  const chiSquare = Array.from(counts.values()).reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  // 31 degrees of freedom: 100 is passed by chance once in 10^8 runs.
  assert.equal(counts.size, alphabet.length);
  assert(chiSquare < 100, `chi-square ${chiSquare}`);
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
