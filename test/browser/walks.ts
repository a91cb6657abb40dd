import type { Language } from '../../src/contract/language.ts';

/** A task of a reader: a line typed on the front page, and at most three links or buttons, lead to its answer. */
export interface Walk {
  readonly task: string;
  readonly typed: string | Readonly<Record<Language, string>>;
  readonly presses: readonly Place[];
  /** Places that the last page shows. */
  readonly answer: readonly Place[];
  /** Name of the file that the last press downloads. */
  readonly file?: RegExp;
  /** Address of the last page. */
  readonly address?: RegExp;
}

/** The first element that a selector finds and, if `text` is there, that contains it. */
export interface Place {
  readonly css: string;
  readonly text?: string | Readonly<Record<Language, string>>;
  /** True for a part that only a phone shows. */
  readonly isOnPhone?: boolean;
}

const firstDataset: Place = { css: 'main .datasets .title a' };
const view = (ko: string, en: string): Place => ({ css: '.views a', text: { ko, en } });

export const walks: readonly Walk[] = [
  {
    task: 'the car parks of a district for Excel',
    typed: '강남구 주차장',
    presses: [firstDataset, { css: '.quick a', text: 'XLSX' }],
    answer: [{ css: '.chips', text: '서울특별시 강남구' }],
    file: /주차장.*\.xlsx$/,
  },
  {
    task: 'datasets that mention charging stations, stored or not',
    typed: '전기차 충전소',
    presses: [{ css: '.contents-line a', text: { ko: '포털 목록 3', en: 'Catalog 3' } }],
    answer: [{ css: 'main a[href^="https://www.data.go.kr/data/99100003"]' }],
  },
  {
    task: 'a dataset by its subject, in Korean or English',
    typed: { ko: '승강기', en: 'elevator' },
    presses: [firstDataset],
    answer: [{ css: 'h1', text: '승강기 설치 현황' }],
  },
  {
    task: 'the trend by month',
    typed: '승강기 설치',
    presses: [firstDataset, view('차트', 'Chart')],
    answer: [
      { css: '#chart', text: { ko: '설치일자 월별', en: 'by month' } },
      { css: 'main svg[role="img"]' },
    ],
  },
  {
    task: 'a map of the pharmacies near me',
    typed: '약국',
    presses: [
      firstDataset,
      view('지도', 'Map'),
      { css: 'button', text: { ko: '내 주변', en: 'Near me' } },
    ],
    answer: [
      { css: 'h3', text: { ko: '가까운 순서의 레코드', en: 'Nearest records' } },
      { css: '.map svg' },
    ],
  },
  {
    task: 'all rows of a large dataset as a file, with its size before',
    typed: '상가업소',
    presses: [
      firstDataset,
      { css: '.contents-line a[href="#files"]' },
      { css: '.files a', text: 'CSV' },
    ],
    answer: [
      { css: 'main h3', text: '9,000' },
      { css: '.files', text: 'MB' },
    ],
    file: /\.csv$/,
  },
  {
    task: 'age, source and terms of a dataset',
    typed: '공휴일',
    presses: [firstDataset, { css: '.facts-switch summary', isOnPhone: true }],
    answer: [
      { css: '.facts', text: { ko: '얼마나 최신인가요', en: 'How fresh it is' } },
      { css: '.facts', text: '우주항공청' },
      { css: '.facts', text: { ko: '써도 되나요', en: 'May I use it' } },
    ],
  },
  {
    task: 'data of my district',
    typed: '강남구',
    presses: [{ css: 'main a[href^="/region/11680"]' }],
    answer: [
      { css: 'h1', text: '강남구' },
      { css: 'main .datasets a' },
      { css: 'main', text: { ko: '예시 데이터', en: 'Sample data' } },
    ],
  },
  {
    task: 'the car parks without a charge, largest first',
    typed: '공영주차장',
    presses: [
      firstDataset,
      { css: 'tbody td a', text: '무료' },
      { css: 'a.sort', text: { ko: '주차구획수', en: 'Parking spaces' } },
    ],
    answer: [
      { css: '.chips', text: '무료' },
      { css: 'th[aria-sort="descending"]', text: { ko: '주차구획수', en: 'Parking spaces' } },
    ],
  },
  {
    task: 'the car parks of at least so many spaces, largest first, in one line',
    typed: '주차장 10면 이상 많은 순',
    presses: [firstDataset],
    answer: [
      { css: '.chips', text: { ko: '주차구획수 ≥ 10', en: 'Parking spaces ≥ 10' } },
      { css: 'th[aria-sort="descending"]', text: { ko: '주차구획수', en: 'Parking spaces' } },
    ],
  },
  {
    task: 'a link to a record that stays as it is',
    typed: '강남구 공영주차장',
    presses: [
      { css: 'main ol.cards h3 a' },
      { css: 'main a', text: { ko: '이 시점 그대로', en: 'Address of these values' } },
    ],
    answer: [{ css: 'h1', text: '공영주차장' }],
    address: /\/data\/\w+\/[0-9a-f]{16}\?.*snapshot=\d{8}-\d{4}/,
  },
  {
    task: 'a word with a wrong letter',
    typed: '주챠장',
    presses: [],
    answer: [
      { css: 'main .notice', text: '주차장' },
      { css: 'main .datasets', text: '주차장' },
    ],
  },
];

/** A text in the language of the page. */
export function textIn(
  text: string | Readonly<Record<Language, string>>,
  language: Language,
): string {
  return typeof text === 'string' ? text : text[language];
}
