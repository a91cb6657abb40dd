import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acceptedStep, totpAt, totpEnrolment } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes equal the test vectors of RFC 6238, appendix B', () => {
  const vectors = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const;
  for (const [seconds, code] of vectors) {
    assert.equal(totpAt(secret, Math.floor(seconds / 30)), code);
  }
});

test('a code is accepted one step before and after its own, and never a second time', () => {
  fc.assert(
    fc.property(fc.nat(4_000_000_000_000), fc.integer({ min: -3, max: 3 }), (now, offset) => {
      const step = Math.floor(now / 30_000) + offset;
      if (step < 0) return;
      const code = totpAt(secret, step);
      const accepted = acceptedStep(secret, code, { now, lastStep: -1 });
      if (Math.abs(offset) <= 1) assert.notEqual(accepted, null);
      if (accepted === null) return;
      assert.equal(totpAt(secret, accepted), code);
      const repeated = acceptedStep(secret, code, { now, lastStep: accepted });
      assert.ok(repeated === null || repeated > accepted);
    }),
  );
});

test('blanks in a typed code are ignored, and other text is refused', () => {
  const now = 59_000;
  assert.equal(acceptedStep(secret, ' 287 082 ', { now, lastStep: 0 }), 1);
  for (const code of ['', '28708', '2870820', '２８７０８２'])
    assert.equal(acceptedStep(secret, code, { now, lastStep: 0 }), null, code);
});

test('an authenticator app gets the secret as base32, with the escaped name of the operator', () => {
  const { secret: letters, uri } = totpEnrolment('하나 & 1', secret);
  assert.equal(letters, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(uri);
  assert.equal(url.searchParams.get('secret'), letters);
  assert.equal(decodeURIComponent(url.pathname), '/Maru:하나 & 1');
});
