import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { portalLimits } from './limits.ts';
import { createRedactor, redact } from './redact.ts';
import { readServiceKey, spellingsOf } from './service-key.ts';

test('the value of a key’s parameter or header is hidden, even if the key is unknown', () => {
  assert.equal(redact('https://h/p?serviceKey=abc%3D&x=1'), 'https://h/p?serviceKey=***&x=1');
  assert.equal(redact('?a=1&ServiceKey=abc'), '?a=1&ServiceKey=***');
  assert.equal(redact('Authorization: Infuser abc=='), 'Authorization: Infuser ***');
  assert.equal(redact('no key here'), 'no key here');
});

test('both spellings of a key are read as one key, and hidden in any text', () => {
  const base64 = fc.uint8Array({ minLength: 16, maxLength: 64 });
  fc.assert(
    fc.property(base64, fc.string(), fc.string(), (bytes, before, after) => {
      const plain = Buffer.from(bytes).toString('base64');
      const key = readServiceKey(plain);
      assert.deepEqual(readServiceKey(key.encoded), key);
      const redactor = createRedactor(spellingsOf(key));
      for (const spelling of [key.plain, key.encoded, encodeURIComponent(key.encoded)]) {
        const text = `${before}${spelling}${after}`;
        assert.ok(!redactor.text(text).includes(spelling));
        assert.ok(!Buffer.from(redactor.bytes(Buffer.from(text))).includes(spelling));
      }
    }),
  );
});

test('bytes without the key are returned unchanged, other bytes lose only the key', () => {
  const redactor = createRedactor(spellingsOf(readServiceKey('0123456789abcdef')));
  const clean = Buffer.from('한글 뷁');
  assert.equal(redactor.bytes(clean), clean);
  const echoed = Buffer.from('한글 0123456789abcdef 뷁');
  assert.equal(Buffer.from(redactor.bytes(echoed)).toString('utf8'), '한글 *** 뷁');
});

test('a key in lower case, or cut by the upstream, is hidden as well', () => {
  const plain = 'MaruKey+0123456789/abcdefghijklmnop==';
  const redactor = createRedactor(spellingsOf(readServiceKey(plain)));
  const encoded = encodeURIComponent(plain);
  for (const echo of [plain.toLowerCase(), encoded.toLowerCase(), plain.slice(0, 25)]) {
    assert.equal(redactor.text(`key ${echo} is refused`), 'key *** is refused');
  }
  const cut = Buffer.from(`{"key":"${encoded.slice(0, 30)}"}`);
  assert.equal(Buffer.from(redactor.bytes(cut)).toString(), '{"key":"***"}');
});

test('a message becomes one line of bounded length, cut after its keys are hidden', () => {
  const redactor = createRedactor(spellingsOf(readServiceKey('0123456789abcdef')));
  assert.equal(redactor.message(' a\n\tb\u0000c '), 'a b c');
  const long = `${'가'.repeat(portalLimits.messageLengthMax - 4)}0123456789abcdef`;
  assert.ok(!redactor.message(long).includes('0123'));
  assert.equal(redactor.message('가'.repeat(500)).length, portalLimits.messageLengthMax + 1);
});

test('a key with quotes in it is refused with the advice to remove them', () => {
  const quotes = ['"', "'", '`', '“', '’'];
  for (const quote of quotes) {
    for (const text of [`${quote}0123456789abcdef${quote}`, `0123456789abcdef${quote}`]) {
      assert.throws(() => readServiceKey(text), /write MARU_SERVICE_KEY=… without them/);
    }
  }
  assert.throws(() => readServiceKey('%220123%2B456789%22'), /has quotes in it/);
});
