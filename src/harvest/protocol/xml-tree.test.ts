// oxlint-disable unicorn/prefer-add-event-listener -- A sax parser is not an event target.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sax from 'sax';
import { xmlTree, type Tree } from './xml-tree.ts';

/** A document as nested names and texts. */
interface Part {
  readonly name: string;
  readonly inside: string | readonly Part[];
}

const name = fc.constantFrom('items', '자료명', 'a', 'seq2', 'sm:url');
const text = fc.string({
  unit: fc.constantFrom('가', 'b', ' ', '&', '<', '>', '"', "'", '\n', '1'),
});
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.record({
    name,
    inside: fc.oneof({ maxDepth: 4 }, text, fc.array(tie('part'), { maxLength: 4 })),
  }),
}));

function writeXml({ name: tag, inside }: Part, style: number): string {
  if (inside.length === 0 && style % 3 === 0) return `<${tag} a='x>y'/>`;
  const content =
    typeof inside !== 'string'
      ? inside.map((each, at) => writeXml(each, style + at)).join(style % 2 === 0 ? '\n  ' : '')
      : style % 4 === 1 && inside !== ''
        ? `<![CDATA[${inside}]]>`
        : inside.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('가', '&#44032;');
  const comment = style % 5 === 0 ? '<!-- <a> -->' : '';
  return `<${tag}>${comment}${content}</${tag} >`.replace(' >', style % 2 === 0 ? '>' : ' >');
}

/** The tree that sax, a general parser, gives. */
function oracle(xml: string): unknown {
  const parser = sax.parser(true, {});
  const open: { children: Record<string, Tree[]>; text: string }[] = [{ children: {}, text: '' }];
  parser.onopentag = () => void open.push({ children: {}, text: '' });
  parser.ontext = (piece) => void (open.at(-1)!.text += piece);
  parser.oncdata = (piece) => void (open.at(-1)!.text += piece);
  parser.onclosetag = (tag) => {
    const { children, text: own } = open.pop()!;
    const isLeaf = Object.keys(children).length === 0;
    const value = isLeaf ? (own.trim() === '' ? '' : own) : treeOf(children);
    (open.at(-1)!.children[tag.replace(/^.*:/, '')] ??= []).push(value);
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return treeOf(open[0]!.children);
}

function treeOf(children: Readonly<Record<string, Tree[]>>): Record<string, Tree> {
  return Object.fromEntries(
    Object.entries(children).map(([key, all]) => [key, all.length === 1 ? all[0]! : all]),
  );
}

test('any document is read as sax reads it', () => {
  fc.assert(
    fc.property(part, fc.nat(59), (root, style) => {
      const xml = `<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY x "y">]>${writeXml(root, style)}\n`;
      assert.deepEqual(JSON.parse(JSON.stringify(xmlTree(xml))), oracle(xml));
    }),
  );
});

test('a document that is cut off at any place is refused', () => {
  const xml = '<a><b x="1">가&amp;</b><c/><!-- d --><e><![CDATA[f]]></e></a>';
  for (let end = 1; end < xml.length; end++)
    assert.throws(() => xmlTree(xml.slice(0, end)), xml.slice(0, end));
});

test('invalid XML is refused', () => {
  const broken = [
    '<a></b>',
    '<a><b></a></b>',
    '<a>1</a><b>2</b>',
    '<a/>text',
    'text<a/>',
    '<1>x</1>',
    '<a b=1>x</a>',
    '</a>',
    '<a><![CDATA[x</a>',
    '<!-- <a/>',
  ];
  for (const xml of broken) assert.throws(() => xmlTree(xml), xml);
});

test('entities of XML and character references are read, all others stay as written', () => {
  const tree = xmlTree('<a>&lt;&#x41;&#65;&apos; &b; &#0; &#xD800; ?x=1&y=2 &amp;lt;</a>');
  assert.deepEqual({ ...tree }, { a: "<AA' &b; &#0; &#xD800; ?x=1&y=2 &lt;" });
});

test('an answer with many comments on lines of their own is read in linear time', () => {
  const tree = xmlTree(`${'<!---->\n'.repeat(3e5)}<a>b</a>`);
  assert.deepEqual({ ...tree }, { a: 'b' });
  assert.throws(() => xmlTree('<!---->\nx<a>b</a>'), /text outside the root/);
});
