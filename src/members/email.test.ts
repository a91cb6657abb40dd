import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalEmail, maskedEmail } from './email.ts';
import { Problem } from '../kernel/problem.ts';

const accepted: readonly (readonly [string, string])[] = [
  ['a@example.com', 'a@example.com'],
  ['  A.B+c@Example.COM\n', 'a.b+c@example.com'],
  ['김철수@한국.kr', '김철수@xn--3e0b707e.kr'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ["o'neil@example.co.kr", "o'neil@example.co.kr"],
  ['É@example.com', 'É@example.com'],
  ['a..b@example.com', 'a..b@example.com'],
  [`${'x'.repeat(64)}@example.com`, `${'x'.repeat(64)}@example.com`],
];

const refused: readonly (readonly [string, unknown])[] = [
  ['no text', 42],
  ['empty', ''],
  ['two bytes', '@a'],
  ['no @', 'kim.example.com'],
  ['two @', 'a@b@example.com'],
  ['nothing before the @', '@kim.example'],
  ['a full-width @ (U+FF20)', 'a＠example.com'],
  ['the Kelvin sign (U+212A)', '\u212Aim@example.com'],
  ['the long s (U+017F)', 'ma\u017Fter@example.com'],
  ['full-width letters', 'ａ@example.com'],
  ['a decomposed syllable', '각@example.com'.normalize('NFD')],
  ['right-to-left override', 'a\u202Eb@example.com'],
  ['zero-width space', 'a\u200Bb@example.com'],
  ['a joiner', 'a\u200Db@example.com'],
  ['Hangul filler', 'a\u3164b@example.com'],
  ['a soft hyphen', 'a\u00ADb@example.com'],
  ['NUL', 'a\u0000b@example.com'],
  ['a line break inside', 'a\nb@example.com'],
  ['a blank inside', 'a b@example.com'],
  ['half a surrogate pair', 'a\uD800@example.com'],
  ['no dot in the domain', 'a@localhost'],
  ['a trailing dot', 'a@example.com.'],
  ['an empty label', 'a@example..com'],
  ['an address in hexadecimal', 'a@0x7f.1'],
  ['an address in decimal', 'a@2130706433'],
  ['an IPv4 address', 'a@127.0.0.1'],
  ['an IPv6 address', 'a@[::1]'],
  ['an address of other digits', 'a@١٢٧.0.0.1'],
  ['percent encoding', 'a@ex%61mple.com'],
  ['a path', 'a@example.com/evil'],
  ['a query', 'a@example.com?evil'],
  ['a port', 'a@example.com:80'],
  ['a backslash', 'a@example.com\\evil'],
  ['an underscore in the domain', 'a@ex_ample.com'],
  ['a label that ends in a hyphen', 'a@example-.com'],
  ['65 bytes before the @', `${'x'.repeat(65)}@example.com`],
  ['66 bytes of Hangul before the @', `${'가'.repeat(22)}@example.com`],
  [
    '255 bytes',
    `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example.x`,
  ],
];

test('T3: all spellings of an address have one canonical form', () => {
  for (const [typed, canonical] of accepted) assert.equal(canonicalEmail(typed), canonical);
});

test('T3: a look-alike or malformed address is refused and never repeated in the problem', () => {
  for (const [name, typed] of refused) {
    assert.throws(
      () => canonicalEmail(typed),
      (error) =>
        error instanceof Problem &&
        error.code === 'invalid_email' &&
        !visibleText(error).includes(String(typed === '' ? 'nothing' : typed).trim()),
      name,
    );
  }
});

test('İ (U+0130) is not folded to i', () => {
  assert.equal(canonicalEmail('\u0130@example.com'), '\u0130@example.com');
});

test('T3: canonicalising twice changes nothing; only case and domain spelling are folded', () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const domain = fc.oneof(
    fc.domain(),
    part.map((text) => `${text}.kr`),
  );
  fc.assert(
    fc.property(part, domain, (local, host) => {
      const canonical = canonicalOrNull(`${local}@${host}`);
      if (canonical === null) return;
      assert.equal(canonicalEmail(canonical), canonical);
      const folded = local.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      assert.equal(canonical.slice(0, canonical.lastIndexOf('@')), folded);
    }),
    { numRuns: 2_000 },
  );
});

test('a masked address reveals neither the local part nor the domain', () => {
  assert.equal(maskedEmail('someone@example.co.kr'), 'so***@e***.kr');
  assert.equal(maskedEmail('ab@example.com'), 'a***@e***.com');
});

/** All text of a problem that a caller or a log can see. */
function visibleText(error: Problem): string {
  return JSON.stringify([error.message, error.detail, error.errors]);
}

function canonicalOrNull(typed: string): string | null {
  try {
    return canonicalEmail(typed);
  } catch (error) {
    assert(error instanceof Problem);
    return null;
  }
}
