import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { html, plainText, raw } from './html.ts';

test('text in a template is escaped, markup is not, and empty values leave nothing', () => {
  const text = `<b a="1" b='2'>&`;
  const escaped = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;';
  assert.equal(html`<p title="${text}">${text}</p>`.markup, `<p title="${escaped}">${escaped}</p>`);
  assert.equal(html`${html`<i>${'<'}</i>`}${raw('<hr>')}`.markup, '<i>&lt;</i><hr>');
  assert.equal(html`${null}${undefined}${false}${0}${['<', [raw('>'), 1]]}`.markup, '0&lt;>1');
});

test('control characters in text are replaced, and tabs and ends of lines stay', () => {
  const text = 'a\0b\u001bc\u007fd\u009fe\tf\ng\r<';
  assert.equal(html`${text}`.markup, 'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\tf\ng\r&lt;');
});

test('the plain text of markup is the text that was put in, with single blanks', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (one, other) => {
      const expected = `${one} ${other}`
        .replace(/[^\P{Cc}\t\n\r]/gu, '\uFFFD')
        .replace(/\s+/g, ' ')
        .trim();
      assert.equal(plainText(html`<b title="${other}">${one}</b><i>${other}</i>`), expected);
    }),
  );
});
