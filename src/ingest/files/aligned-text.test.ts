import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { delimitAligned, findAlignedColumns } from './aligned-text.ts';
import { defaultFileLimits } from './limits.ts';

async function cellsOf(text: string, pieceUnits = 1000): Promise<string[][] | null> {
  const columns = findAlignedColumns(text);
  if (columns === null) return null;
  async function* pieces(): AsyncIterable<string> {
    for (let at = 0; at < text.length; at += pieceUnits) yield text.slice(at, at + pieceUnits);
  }
  let delimited = '';
  for await (const each of delimitAligned(pieces(), columns, defaultFileLimits)) delimited += each;
  return delimited
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

/** Pads to a width in bytes of CP949. */
function padded(cell: string, width: number): string {
  const bytes = [...cell].reduce((sum, each) => sum + (each > '\u007f' ? 2 : 1), 0);
  return cell + ' '.repeat(Math.max(0, width - bytes));
}

const word = fc.stringMatching(/^[가-힣a-z\d.]{1,6}$/u);

test('a table padded to columns is read as it was, from pieces of any size', async () => {
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 9999 }).map(String),
          ...Array<typeof word>(width - 1).fill(word),
        ),
        { minLength: 6, maxLength: 12 },
      ),
    );
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (rows, pieceUnits) => {
      const lines = rows.map((row) =>
        row
          .map((cell) => padded(cell, 13))
          .join('')
          .trimEnd(),
      );
      assert.deepEqual(await cellsOf(`${lines.join('\n')}\n`, pieceUnits), rows);
    }),
    { numRuns: 100 },
  );
});

test('names among the remarks of the weather service are the header', async () => {
  const rows = Array.from(
    { length: 6 },
    (_, hour) => `20240301${hour}0  ${90 + hour} ${hour}.5  -9.0`,
  );
  const text = `#START7777\n# TM     STN  WS  RN\n#        ID  m/s  mm  (참고)\n${rows.join('\n')}\n#7777END\n`;
  const cells = await cellsOf(text);
  assert.deepEqual(cells?.slice(0, 4), [
    ['#START7777'],
    ['#        ID  m/s  mm  (참고)'],
    ['TM', 'STN', 'WS', 'RN'],
    ['2024030100', '90', '0.5', '-9.0'],
  ]);
  assert.deepEqual(cells?.at(-1), ['#7777END']);
});

test('a line with a word across two columns is split at its blanks, or left whole', async () => {
  const rows = Array.from({ length: 600 }, (_, at) => `가람${at % 10}   ${at + 1000}`);
  const cells = await cellsOf([...rows, '아주긴지점이름 7', '두 칸 넘는 이름 8', '끝'].join('\n'));
  assert.deepEqual(cells?.slice(-3), [['아주긴지점이름', '7'], ['두 칸 넘는 이름 8'], ['끝']]);
});

test('sentences and short or uncertain texts have no columns', () => {
  const texts = [
    '이 자료는 매년 조사합니다\n문의는 전화로 하십시오\n주소는 아래와 같습니다\n서울 가람구\n부산 나루구\n대구 다솜구\n',
    '가 1\n나 2\n다 3\n',
    '가  나\n다  라\n마  바\n사  아\n자  차\n카  타\n',
  ];
  for (const text of texts) assert.equal(findAlignedColumns(text), null);
});
