import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, raw } from './html.ts';

test('text in a template is escaped, markup is not, and empty values leave nothing', () => {
  const text = `<b a="1" b='2'>&`;
  const escaped = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;';
  assert.equal(html`<p title="${text}">${text}</p>`.markup, `<p title="${escaped}">${escaped}</p>`);
  assert.equal(html`${html`<i>${'<'}</i>`}${raw('<hr>')}`.markup, '<i>&lt;</i><hr>');
  assert.equal(html`${null}${undefined}${false}${0}${['<', [raw('>'), 1]]}`.markup, '0&lt;>1');
});
