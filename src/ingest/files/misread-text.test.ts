import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readWhole } from '../../../test/read-whole.ts';

async function fileOf(t: TestContext, name: string, text: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'maru-files-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** A text as it looks to a program that reads its bytes as Latin-1. */
function misread(text: string, encoding: string): string {
  return iconv.encode(text, encoding).toString('latin1');
}

/** A text in Latin-1 as Windows-1252 shows it, whose undefined bytes are controls. */
function windows(text: string): string {
  return [...text]
    .map((character) => {
      const byte = Buffer.from([character.charCodeAt(0)]);
      const known = iconv.decode(byte, 'windows-1252');
      return known === '\ufffd' ? character : known;
    })
    .join('');
}

const text = '시설명,지역,㎡\n가람 도서관,서울특별시 강남구,12\n나루,부산광역시,3\n갠,남·여,“뷁”\n';
const columns = ['시설명', '지역', '㎡'];
const rows = [
  ['가람 도서관', '서울특별시 강남구', '12'],
  ['나루', '부산광역시', '3'],
  ['갠', '남·여', '“뷁”'],
];

const twice = windows(misread(windows(misread(text, 'utf8')), 'utf8'));
const forms: readonly (readonly [string, string])[] = [
  ['UTF-8 as Latin-1', misread(text, 'utf8')],
  ['UTF-8 as Windows-1252', windows(misread(text, 'utf8'))],
  ['UTF-8 with a mark as Windows-1252', `\ufeff${windows(misread(`\ufeff${text}`, 'utf8'))}`],
  ['UTF-8 as Windows-1252 twice', twice],
  ['CP949 as Latin-1', misread(text, 'cp949')],
  ['CP949 as Windows-1252', windows(misread(text, 'cp949'))],
];

for (const [name, written] of forms) {
  test(`${name}, saved as UTF-8, is restored with its header and reported`, async (t) => {
    const { tables, findings } = await readWhole(await fileOf(t, 'a.csv', written));
    assert.deepEqual(tables[0]?.columns, columns);
    assert.deepEqual(tables[0]?.rows, rows);
    assert.deepEqual(
      findings.map(({ kind, row }) => [kind, row]),
      [['mojibake', null]],
    );
    assert.match(findings[0]!.detail, /→ 시설명$/);
  });
}

test('among readable rows only the misread cells are restored', async (t) => {
  const latin = 'Müller café,«CAFÉ» ÀÉ,±°\n';
  const mixed = `시설명,지역,비고\n${windows(misread('가람', 'utf8'))},서울,37°·38°\n${latin}`;
  const { tables } = await readWhole(await fileOf(t, 'mixed.csv', mixed));
  assert.deepEqual(tables[0]?.rows, [
    ['가람', '서울', '37°·38°'],
    ['Müller café', '«CAFÉ» ÀÉ', '±°'],
  ]);
});

test('misread words far behind the first megabyte are restored', async (t) => {
  const plain = '가람,서울\n'.repeat(80_000);
  const late = `시설명,지역\n${plain}${misread('나루,부산\n', 'utf8')}`;
  const { tables } = await readWhole(await fileOf(t, 'late.csv', late));
  assert.deepEqual(tables[0]?.rows.at(-1), ['나루', '부산']);
});

test('misread JSON on one long line is restored', async (t) => {
  const records = Array.from({ length: 3000 }, (_, index) => ({ 시설명: `가람뷁 ${index}` }));
  const written = misread(JSON.stringify(records), 'cp949');
  const { tables } = await readWhole(await fileOf(t, 'a.json', written));
  assert.deepEqual(
    tables[0]?.rows.map(([name]) => name),
    records.map((record) => record.시설명),
  );
});

const latinTexts = [
  'name,city\nMüller,Zürich\ncafé,Besançon\nnaïve,Málaga\nØrsted,København\n',
  'nom,ville\ncréée,Orléans\nœuvre,Chœur\n¿Él?,¡Ávila!\n',
  'name,note\na,¿¿¿¿\nb,¿¿ ¿¿¿¿\n',
  'name,note\na,±±±±\nb,«éé»\nc,30°±1\n',
];

for (const [index, latin] of latinTexts.entries()) {
  test(`Latin text stays as it is: example ${index + 1}`, async (t) => {
    const { tables, findings } = await readWhole(await fileOf(t, 'a.csv', latin));
    const lines = latin.trim().split('\n');
    const shown = [tables[0]!.columns, ...tables[0]!.rows].map((row) => row.join(','));
    assert.deepEqual(shown, lines);
    assert.ok(findings.every(({ kind }) => kind !== 'mojibake'));
  });
}

const hangulWord = fc.string({
  unit: fc.integer({ min: 0xac00, max: 0xd7a3 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 8,
});

test('any Hangul is restored from both encodings as it was', async (t) => {
  const cell = fc.array(hangulWord, { minLength: 1, maxLength: 3 });
  const table = fc.array(fc.tuple(cell, cell), { minLength: 3, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom('utf8', 'cp949'),
      fc.boolean(),
      async (pairs, encoding, isWindows) => {
        const body = pairs.map(([one, other]) => `${one.join(' ')},${other.join(' ')}`);
        const whole = `시설명,지역명\n${body.join('\n')}\n`;
        const written = misread(whole, encoding);
        const path = await fileOf(t, 'a.csv', isWindows ? windows(written) : written);
        const { tables } = await readWhole(path);
        assert.deepEqual(
          tables[0]?.rows.map((row) => row.join(',')),
          body,
        );
      },
    ),
    { numRuns: 50 },
  );
});

function workbookOf(rows: readonly (readonly string[])[], bookType: 'xlsx' | 'biff8'): Buffer {
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows.map((row) => [...row])), '현황');
  // The type `buffer` returns a buffer.
  return write(workbook, { type: 'buffer', bookType }) as Buffer;
}

for (const bookType of ['xlsx', 'biff8'] as const) {
  for (const encoding of ['utf8', 'cp949']) {
    test(`cells of a workbook (${bookType}) with misread ${encoding} are restored`, async (t) => {
      const cells = [columns, ...rows, ['구청 봉선', '서', '4']];
      const written = cells.map((row) => row.map((cell) => misread(cell, encoding)));
      const path = await fileOf(t, 'a.xls', workbookOf(written, bookType));
      const { tables, findings } = await readWhole(path);
      assert.deepEqual([tables[0]?.columns, ...tables[0]!.rows], cells);
      assert.deepEqual(
        findings.map(({ kind, row }) => [kind, row]),
        [['mojibake', null]],
      );
    });
  }
}

test('a misread cell that has lost characters stays and is reported with its row', async (t) => {
  const lost = misread('부산광역시', 'utf8').replaceAll('\u0082', '?').replaceAll('\u0080', '?');
  const written = [['이름', '지역'].map((each) => misread(each, 'utf8')), ['가람', lost]];
  const path = await fileOf(t, 'a.xlsx', workbookOf(written, 'xlsx'));
  const { tables, findings } = await readWhole(path);
  assert.deepEqual(tables[0]?.columns, ['이름', '지역']);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [
      ['mojibake', null],
      ['character_unreadable', 2],
    ],
  );
});

test('Western letters in a workbook stay as they are', async (t) => {
  const cells = [
    ['이름', '원어명'],
    ['카페', 'CAFÉ À LA CARTE'],
    ['뮌헨', 'München·Österreich'],
  ];
  const path = await fileOf(t, 'a.xlsx', workbookOf(cells, 'xlsx'));
  const { tables, findings } = await readWhole(path);
  assert.deepEqual([tables[0]?.columns, ...tables[0]!.rows], cells);
  assert.deepEqual(findings, []);
});
