import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Challenges } from './challenges.ts';

test('a challenge is open only for its purpose and browser, and for under five minutes', () => {
  const clock = { now: 0 };
  const challenges = new Challenges(() => clock.now);
  const challenge = challenges.issue('sign-in', 'a');
  assert.equal(challenges.isOpen(challenge, 'sign-in', 'b'), false);
  assert.equal(challenges.isOpen(challenge, 'add', 'a'), false);
  assert.equal(new Challenges(() => 0).isOpen(challenge, 'sign-in', 'a'), false);
  clock.now = 299_999;
  assert.equal(challenges.isOpen(challenge, 'sign-in', 'a'), true);
  clock.now = 300_000;
  assert.equal(challenges.isOpen(challenge, 'sign-in', 'a'), false);
});

test('a challenge works once, even after many others were used', () => {
  const clock = { now: 0 };
  const challenges = new Challenges(() => clock.now);
  const first = challenges.issue('confirm', 'a');
  assert.equal(challenges.take(first, 'confirm', 'b'), false);
  assert.equal(challenges.take(first, 'confirm', 'a'), true);
  for (let count = 0; count < 4_095; count++) {
    assert.ok(challenges.take(challenges.issue('confirm', 'a'), 'confirm', 'a'));
  }
  assert.equal(challenges.take(first, 'confirm', 'a'), false);
  const late = challenges.issue('confirm', 'a');
  assert.equal(challenges.take(late, 'confirm', 'a'), false, 'No more than 4,096 at a time.');
  clock.now = 299_999;
  assert.equal(challenges.take(late, 'confirm', 'a'), false);
  clock.now = 300_000;
  const next = challenges.issue('confirm', 'a');
  assert.equal(challenges.take(next, 'confirm', 'a'), true);
});

test('an altered or invented challenge is not open', () => {
  const challenges = new Challenges(() => 0);
  const challenge = challenges.issue('add', 'a');
  for (const other of ['', 'x', `${challenge}=`, challenge.slice(1), `${challenge} `])
    assert.equal(challenges.isOpen(other, 'add', 'a'), false, other);
  fc.assert(
    fc.property(fc.nat(challenge.length - 1), fc.base64String({ minLength: 1 }), (at, text) => {
      const other = challenge.slice(0, at) + text[0] + challenge.slice(at + 1);
      assert.equal(challenges.isOpen(other, 'add', 'a'), other === challenge);
    }),
  );
});
