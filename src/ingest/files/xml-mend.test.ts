import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlMender } from './xml-mend.ts';

function mend(text: string, cut = text.length): { text: string; mender: XmlMender } {
  const mender = new XmlMender(10_000);
  const mended = mender.write(text.slice(0, cut)) + mender.write(text.slice(cut)) + mender.end();
  return { text: mended, mender };
}

const proper =
  '<?xml version="1.0"?><!-- a & b --><a x="1 > 0"><b/><c>1 &amp; &#44032;</c><![CDATA[<d> & ]]></a>';

test('valid XML is not changed, wherever it is cut', () => {
  for (let cut = 0; cut <= proper.length; cut++) {
    const { text, mender } = mend(proper, cut);
    assert.equal(text, proper);
    assert.equal(mender.repairs, 0);
  }
});

const cases: readonly (readonly [title: string, given: string, expected: string])[] = [
  [
    'an empty element written twice',
    '<r><이름><이름/><값>1</값></r>',
    '<r><이름></이름><값>1</값></r>',
  ],
  ['a bare ampersand', '<a>A & B &nbsp; &amp;</a>', '<a>A &amp; B &amp;nbsp; &amp;</a>'],
  ['a bare less-than', '<a>1 < 2</a>', '<a>1 &lt; 2</a>'],
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>1</a>', '<a>1</a>'],
];

for (const [title, given, expected] of cases) {
  test(`${title} is mended, wherever it is cut`, () => {
    for (let cut = 0; cut <= given.length; cut++) assert.equal(mend(given, cut).text, expected);
  });
}

test('names that XML does not allow are restored', () => {
  const { text, mender } = mend('<자료수(도서)>1</자료수(도서)><2010년/>');
  const names = [...text.matchAll(/<([^/>]+)\/?>/gu)].map(([, name = '']) => name);
  assert.deepEqual(
    names.map((name) => mender.originalName(name)),
    ['자료수(도서)', '2010년'],
  );
  assert.ok(names.every((name) => /^[\p{L}０-９（）][\p{L}\d（）]*$/u.test(name)));
});

test('a tag longer than the bound is refused', () => {
  assert.throws(() => mend(`<a x="${'1'.repeat(10_001)}`), { code: 'too_large' });
});
