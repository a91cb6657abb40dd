import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readWhole } from '../../../test/read-whole.ts';
import type { ByteSource } from './source.ts';
import { readText } from './text.ts';

async function fileOf(t: TestContext, name: string, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'maru-files-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const text = '이름,주소\r\n뷁샾햑,가람로 1\r\n나루,나루로 2\r\n';

const encoded: readonly (readonly [string, Buffer, string])[] = [
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
  ['UTF-8 without one', Buffer.from(text), 'utf-8'],
  ['CP949 with syllables outside KS X 1001', iconv.encode(text, 'cp949'), 'cp949'],
  ['UTF-16LE with a mark', iconv.encode(text, 'utf-16le', { addBOM: true }), 'utf-16le'],
  ['UTF-16BE with a mark', iconv.encode(text, 'utf-16be', { addBOM: true }), 'utf-16be'],
  ['UTF-16LE without one', iconv.encode(text, 'utf-16le'), 'utf-16le'],
  ['UTF-16BE without one', iconv.encode(text, 'utf-16be'), 'utf-16be'],
];

for (const [name, bytes, encoding] of encoded) {
  test(`${name} is read and named`, async (t) => {
    for (const path of [
      await fileOf(t, 'a.csv', bytes),
      await fileOf(t, 'a.csv.gz', gzipSync(bytes)),
    ]) {
      const { tables, findings } = await readWhole(path);
      assert.equal(tables[0]?.encoding, encoding);
      assert.deepEqual(tables[0]?.columns, ['이름', '주소']);
      assert.deepEqual(tables[0]?.rows, [
        ['뷁샾햑', '가람로 1'],
        ['나루', '나루로 2'],
      ]);
      assert.deepEqual(findings, []);
    }
  });
}

test('a file that is ASCII for a megabyte and then CP949 is CP949 from its first row', async (t) => {
  const bytes = iconv.encode(`id,name\n${'1,a\n'.repeat(300_000)}2,뷁\n`, 'cp949');
  const { tables } = await readWhole(await fileOf(t, 'late.csv', bytes));
  assert.equal(tables[0]?.encoding, 'cp949');
  assert.deepEqual(tables[0]?.rows.at(-1), ['2', '뷁']);
});

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

test('CP949 behind a mark of UTF-8 is CP949, with whole names of columns and no finding', async (t) => {
  const bytes = Buffer.concat([utf8Mark, iconv.encode(text, 'cp949')]);
  const { tables, findings } = await readWhole(await fileOf(t, 'marked.csv', bytes));
  assert.equal(tables[0]?.encoding, 'cp949');
  assert.deepEqual(tables[0]?.columns, ['이름', '주소']);
  assert.deepEqual(tables[0]?.rows[0], ['뷁샾햑', '가람로 1']);
  assert.deepEqual(findings, []);
});

test('one damaged byte does not outweigh a mark of UTF-8', async (t) => {
  const bytes = Buffer.concat([utf8Mark, Buffer.from('name,note\na,'), Buffer.from([0xb0, 0x0a])]);
  const { tables } = await readWhole(await fileOf(t, 'damaged.csv', bytes));
  assert.equal(tables[0]?.encoding, 'utf-8');
});

test('UTF-8 with one letter cut in two stays UTF-8, and the row is reported', async (t) => {
  const rows = '가람,가람로 1\n'.repeat(50);
  const cut = Buffer.from('나').subarray(0, 2);
  const bytes = Buffer.concat([Buffer.from(`이름,주소\n${rows}`), cut, Buffer.from(',나루로\n')]);
  const { tables, findings } = await readWhole(await fileOf(t, 'cut.csv', bytes));
  assert.equal(tables[0]?.encoding, 'utf-8');
  assert.deepEqual(tables[0]?.rows.at(-1), ['\ufffd', '나루로']);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['character_unreadable', 52]],
  );
});

test('decomposed Hangul is composed, wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('각', '가', 'é', 'a', ',', '\n') }),
      fc.integer({ min: 1, max: 9 }),
      async (original, size) => {
        const bytes = Buffer.from(original.normalize('NFD'));
        const source = {
          ...bufferSource('a', bytes),
          async *open() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          },
        };
        let read = '';
        for await (const piece of readText(source, 'utf-8')) read += piece;
        // Text without any ASCII may be cut anywhere; ours always ends a line.
        if (/[\n,a]/u.test(original))
          assert.equal(read.normalize('NFC'), original.normalize('NFC'));
      },
    ),
  );
});

const junk: readonly (readonly [string, Uint8Array, string])[] = [
  ['nothing', Buffer.alloc(0), 'empty'],
  ['blanks only', Buffer.from(' \r\n\t\n'), 'empty'],
  ['commas only', Buffer.from(',,,\n,,,\n'), 'empty'],
  ['more NULs than letters', Buffer.from('a\0\0\0,\0b\0\0\n\0\0\0'), 'binary'],
  [
    'bytes of no format',
    Uint8Array.from({ length: 5000 }, (_, at) => ((at * 7919) % 251) + 1),
    'binary',
  ],
  ['a gzip cut short', gzipSync(Buffer.from(text.repeat(100))).subarray(0, 60), 'truncated'],
  ['a gzip with a broken body', brokenGzip(), 'damaged'],
  ['a plain word of the gateway', Buffer.from('API token quota exceeded\n'), 'portal_error'],
  ['JSON cut short', Buffer.from('{"records":[{"a":1},{"a":2'), 'truncated'],
  ['XML cut short', Buffer.from('<records><record><a>1</a></record><record>'), 'truncated'],
  ['an empty gzip', gzipSync(Buffer.alloc(0)), 'empty'],
];

for (const [name, bytes, code] of junk) {
  test(`a file of ${name} is refused with ${code}`, async (t) => {
    await assert.rejects(readWhole(await fileOf(t, 'a.csv', bytes)), { name: 'FileRefused', code });
  });
}

function brokenGzip(): Buffer {
  const bytes = gzipSync(Buffer.from(text.repeat(100)));
  bytes.fill(0xff, 12, 40);
  return bytes;
}

test('a gzip that inflates out of proportion is refused while it is inflated', async (t) => {
  const path = await fileOf(t, 'bomb.csv.gz', gzipSync(Buffer.alloc(4_000_000, 'a')));
  const limits = { expansionRatioFromBytes: 1_000_000 };
  await assert.rejects(readWhole(path, { limits }), { code: 'zip_bomb' });
});

test('a file at a bound is read, one past it is refused', async (t) => {
  const path = await fileOf(t, 'wide.csv', Buffer.from('가,나,다\n1,2,3\n'));
  assert.equal((await readWhole(path, { limits: { columnsMax: 3 } })).tables.length, 1);
  await assert.rejects(readWhole(path, { limits: { columnsMax: 2 } }), { code: 'too_large' });
});

test('bare carriage returns end lines', async (t) => {
  const bytes = iconv.encode('이름,주소\r가람,가람로\r나루,나루로\r', 'cp949');
  const { tables, findings } = await readWhole(await fileOf(t, 'mac.csv', bytes));
  assert.equal(tables[0]?.rows.length, 2);
  assert.deepEqual(findings, []);
});

test('half a surrogate pair in UTF-16 becomes U+FFFD, and whole pairs are not cut apart', async () => {
  const half = Buffer.concat([iconv.encode('이\ufeff,', 'utf-16le'), Buffer.from([0x00, 0xd8])]);
  let text = '';
  for await (const piece of readText(bufferSource('half', half), 'utf-16le')) text += piece;
  assert.equal(text.at(-1), '\ufffd');
  const long = '가'.repeat(32_767) + '😀'.repeat(3);
  const bytes = iconv.encode(long, 'utf-16be');
  let read = '';
  for await (const piece of readText(bufferSource('long', bytes), 'utf-16be')) read += piece;
  assert.equal(read, long);
});

/** Bytes in memory, which arrive in small pieces as from a slow file. */
function bufferSource(name: string, bytes: Buffer): ByteSource {
  return {
    name,
    async *open() {
      for (let position = 0; position < bytes.length; position += 65_536) {
        yield bytes.subarray(position, position + 65_536);
      }
    },
  };
}

test('NULs that fill up cells are removed, and one inside a text is reported', async (t) => {
  const rows = ['가람\0\0,가람로 1\0', '나\0루,나루로 2\0\0\0', '"다\0",다솜로\0'];
  for (const lineEnd of ['\n', '\r\n']) {
    const path = await fileOf(
      t,
      'nul.csv',
      iconv.encode(['이름,주소', ...rows].join(lineEnd), 'cp949'),
    );
    const { tables, findings } = await readWhole(path);
    assert.deepEqual(tables[0]?.rows, [
      ['가람', '가람로 1'],
      ['나\ufffd루', '나루로 2'],
      ['다', '다솜로'],
    ]);
    assert.deepEqual(
      findings.map(({ kind, row }) => [kind, row]),
      [['character_unreadable', 3]],
    );
  }
});

test('letters that became marks are reported, and marks after words are not', async (t) => {
  const text = '이름,비고\n¿¿¿ ¿¿,a\n???? (??),b\n정말???,c\n?,d\n';
  const { findings } = await readWhole(await fileOf(t, 'lost.csv', Buffer.from(text)));
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [
      ['character_unreadable', 2],
      ['character_unreadable', 3],
    ],
  );
});

test('a file whose letters were saved as U+FFFD is refused as damaged', async (t) => {
  const text = `이름,주소\n${'\ufffd\ufffd\ufffd,\ufffd\ufffd 1\n'.repeat(10)}`;
  const path = await fileOf(t, 'replaced.csv', Buffer.from(text));
  await assert.rejects(readWhole(path), { code: 'damaged', message: /lost its letters/u });
});

test('a byte order mark before a quote is removed, also where files were joined', async (t) => {
  const part = '\ufeff"이름","주소"\r\n"가람","가람로 1, 2"\r\n';
  const joined = Buffer.from(`\ufeff${part}${part}`);
  const { tables, findings } = await readWhole(await fileOf(t, 'joined.csv', joined));
  assert.deepEqual(tables[0]?.columns, ['이름', '주소']);
  assert.deepEqual(tables[0]?.rows, [
    ['가람', '가람로 1, 2'],
    ['가람', '가람로 1, 2'],
  ]);
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['header_repeated'],
  );
});

test('a text of a million NULs before a letter is read in linear time', async () => {
  const bytes = Buffer.alloc(1e6 + 1, 0);
  bytes.write('x', 1e6);
  const source: ByteSource = {
    name: 'a.csv',
    async *open() {
      yield bytes;
    },
  };
  let text = '';
  for await (const piece of readText(source, 'utf-8')) text += piece;
  assert.equal(text, `${'\ufffd'.repeat(1e6)}x`);
});
