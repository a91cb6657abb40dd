import { randomFor } from '../seeded-random.ts';
import { districts, sidos } from '../place.ts';
import { coinedWord } from '../words.ts';
import type { Cells } from './text-file.ts';
import { workbook } from './workbook.ts';

/** Title and date above a header of two rows with merged cells; a total and a note at the end. */
export function facilityWorkbook(seed: number, count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'opening', index);
    const district = random.pick(districts);
    const [men, women] = [random.whole(0, 900), random.whole(0, 900)];
    return [
      index + 1,
      district.sido.name,
      district.name,
      `${coinedWord(random)}관(예시)`,
      men,
      women,
    ];
  });
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + Number(row[column]), 0);
  const cells: Cells = [
    ['공공시설 개방 현황(예시)'],
    ['기준일: 2026. 6. 30.', '', '', '', '', '(단위: 명)'],
    [],
    ['연번', '지역', '', '시설명', '이용자 수', ''],
    ['', '시도', '시군구', '', '남', '여'],
    ...rows,
    ['합계', '', '', '', sum(4), sum(5)],
    ['※ 이 파일은 예시입니다.'],
  ];
  const merges = [
    { s: { r: 0, c: 0 }, e: { r: 0, c: 5 } },
    { s: { r: 3, c: 0 }, e: { r: 4, c: 0 } },
    { s: { r: 3, c: 1 }, e: { r: 3, c: 2 } },
    { s: { r: 3, c: 3 }, e: { r: 4, c: 3 } },
    { s: { r: 3, c: 4 }, e: { r: 3, c: 5 } },
  ];
  return workbook([{ name: '현황', cells, merges }], 'xlsx');
}

/** A file of Excel 97 with a subtotal above the rows of each sido; the numbers of subtotals are texts with commas. */
export function populationWorkbook(seed: number): Buffer {
  const rows: (string | number)[][] = [];
  for (const sido of sidos) {
    const sidoRows = districts
      .filter((district) => district.sido === sido)
      .map((district) => {
        const random = randomFor(seed, 'population', district.code);
        return [
          sido.name,
          district.name,
          random.whole(20_000, 480_000),
          random.whole(9000, 220_000),
        ];
      });
    const sum = (column: number): number =>
      sidoRows.reduce((total, row) => total + Number(row[column]), 0);
    rows.push([sido.name, '소계', sum(2).toLocaleString('en-US'), sum(3).toLocaleString('en-US')]);
    rows.push(...sidoRows);
  }
  const cells: Cells = [['시도', '시군구', '인구수\n(명)', '세대수\n(세대)'], ...rows];
  return workbook([{ name: '인구', cells }], 'xls');
}

/** Dates as Excel's serial numbers, with two-digit years and as 0000-00-00; hours as 24:00 and 오전 9:00. */
export function datesWorkbook(seed: number, count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'heritage', index);
    const serial = random.whole(25_000, 46_000);
    return [
      `${coinedWord(random)}고택(예시)`,
      random.pick(districts).name,
      serial,
      random.pick(['2024.1.31.', '98-05-01', '0000-00-00', '2024년 1월', '20231105', '']),
      random.pick(['09:00~18:00', '오전 9:00', '24:00', '상시']),
      `0${random.digits(4)}`,
    ];
  });
  const header = ['명칭', '시군구', '지정일', '보수일', '관람시간', '우편번호'];
  return workbook([{ name: 'Sheet1', cells: [header, ...rows], dateColumns: [2] }], 'xlsx');
}

/** Several sheets, one of them hidden, with values that stand only in the first row of a merged block. */
export function sheetsWorkbook(seed: number, perSido: number): Buffer {
  const merges: { s: { r: number; c: number }; e: { r: number; c: number } }[] = [];
  const rows = sidos.flatMap((sido, position) => {
    const first = 1 + position * perSido;
    merges.push({ s: { r: first, c: 0 }, e: { r: first + perSido - 1, c: 0 } });
    return Array.from({ length: perSido }, (_, index) => {
      const random = randomFor(seed, 'estate', sido.code, index);
      return [
        index === 0 ? sido.name : '',
        `${coinedWord(random)}산업단지(예시)`,
        random.whole(10, 900),
      ];
    });
  });
  const cells: Cells = [['시도', '단지명', '면적(천㎡)'], ...rows];
  return workbook(
    [
      { name: '산업단지', cells, merges },
      { name: '설명', cells: [['이 시트는 설명입니다(예시)']] },
      {
        name: '작업용',
        cells: [
          ['시도', '값'],
          ['서울특별시', 1],
        ],
        isHidden: true,
      },
    ],
    'xlsx',
  );
}
