import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function tablesOf(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, text);
  const { tables, findings } = await readWhole(path);
  return {
    tables: tables.map(({ section, columns, rows }) => [section, columns.join(), rows.length]),
    rows: tables.map(({ rows }) => rows),
    kinds: findings.map(({ kind, row }) => `${kind} ${row}`),
  };
}

test('a title and a header after a blank line begin a table of their own', async () => {
  const months = '년도,1월,2월,3월,4월\n2022,3,4,5,6\n2023,1,2,3,4\n';
  const days = '구분,일수\n평년,10\n최다,20\n';
  const text = `강수일수\n${months}\n평년 비교\n${days}\n지점 목록\n지점번호,지점명\n108,가람\n`;
  const { tables, kinds } = await tablesOf(text);
  assert.deepEqual(tables, [
    ['강수일수', '년도,1월,2월,3월,4월', 2],
    ['평년 비교', '구분,일수', 2],
    ['지점 목록', '지점번호,지점명', 1],
  ]);
  assert.deepEqual(kinds, ['row_blank 5', 'row_blank 10']);
});

test('tables with one header keep their titles as a column', async () => {
  const table = '구분,남,여\n가람,1,2\n나루,3,4\n';
  const { tables, rows } = await tablesOf(`서울\n${table}\n부산\n${table}`);
  assert.deepEqual(tables, [
    ['서울', '구분,남,여,표', 2],
    ['부산', '구분,남,여,표', 2],
  ]);
  assert.deepEqual(rows[1]?.[0], ['가람', '1', '2', '부산']);
});

test('notes below a table are not read as the title of the next table', async () => {
  const { tables, kinds } = await tablesOf(
    '구분,남,여\n가람,1,2\n\n※ 자료: 가람청\n\n세대\n동,세대,인구\n나루,3,4\n',
  );
  assert.deepEqual(tables, [
    ['표 1', '구분,남,여', 1],
    ['세대', '동,세대,인구', 1],
  ]);
  assert.deepEqual(kinds, ['row_blank 3', 'row_blank 5', 'row_note 4']);
});

test('printed pages with a line of facts above each header keep their rows and titles', async () => {
  const pages = [1, 2].map(
    (number) =>
      `물품대장\n부서명: 총무과,,쪽: ${number}\n번호,품명,수량\n${number},책상,3\n${number}0,의자,4\n`,
  );
  const { tables, rows } = await tablesOf(pages.join('\n'));
  assert.deepEqual(tables, [
    ['물품대장', '번호,품명,수량,표', 2],
    ['물품대장_2', '번호,품명,수량,표', 2],
  ]);
  assert.deepEqual(rows[1]?.[1], ['20', '의자', '4', '물품대장_2']);
});

const whole: readonly (readonly [name: string, text: string, rows: number])[] = [
  ['a blank line among texts', '이름,주소\n가람,서울로 1\n나루,서울로 2\n\n다솜,부산로 1\n', 3],
  [
    'a heading of a group',
    '이름,주소,비고\n가람,서울로 1,-\n나루,서울로 2,-\n\n부산\n다솜,부산로 1,없음\n라온,부산로 2,-\n',
    5,
  ],
  ['the header again', '이름,값\n가람,1\n나루,2\n\n이름,값\n다솜,3\n', 3],
  [
    'lines about the file above the table',
    '기관,가람청\n기간,2024\n\n동,남,여,계,미상\n가람,1,2,3,0\n나루,1,2,3,0\n다솜,1,2,3,0\n라온,1,2,3,0\n',
    4,
  ],
  [
    'contacts below the table',
    '동,남,여,계\n가람,1,2,3\n나루,1,2,3\n\n작성자,홍길동\n문의,02-000-0000\n',
    4,
  ],
];

for (const [name, text, rows] of whole) {
  test(`${name} does not begin a table`, async () => {
    const { tables } = await tablesOf(text);
    assert.deepEqual(
      tables.map(([, , count]) => count),
      [rows],
    );
  });
}

const names = ['구분', '남', '여', '계', '미상'];

test('of any tables below each other, every row of each is read', async () => {
  const shape = fc.record({
    width: fc.integer({ min: 3, max: 5 }),
    rows: fc.integer({ min: 1, max: 80 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { minLength: 2, maxLength: 5 }), async (shapes) => {
      const parts = shapes.map(({ width, rows }, index) => {
        const row = ['가람', ...Array.from({ length: width - 1 }, (_, at) => at + 1)].join();
        return [
          `제${index}표`,
          names.slice(0, width).join(),
          ...Array.from({ length: rows }, () => row),
        ];
      });
      const { tables } = await tablesOf(parts.map((lines) => lines.join('\n')).join('\n\n'));
      const isEqual = ({ width }: { width: number }, index: number): boolean =>
        shapes.some((other, place) => place !== index && other.width === width);
      assert.deepEqual(
        tables,
        shapes.map((each, index) => [
          `제${index}표`,
          [...names.slice(0, each.width), ...(isEqual(each, index) ? ['표'] : [])].join(),
          each.rows,
        ]),
      );
    }),
    { numRuns: 40 },
  );
});
