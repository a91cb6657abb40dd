import type { Language } from '../src/contract/language.ts';
import { formatCount, withNoun } from './terminal.ts';

/** Texts of the report of a load in one language. Counts that are strings are already formatted. */
export interface LoadTexts {
  readonly skipped: string;
  readonly noDataFormat: string;
  readonly documents: string;
  readonly seeAll: string;
  readonly notPublished: string;
  readonly isUnchanged: string;
  readonly stopped: string;
  size(rows: string, fields: number): string;
  progress(axes: string, rows: string, perSecond: string): string;
  finding(title: string, count: string): string;
  rows(rows: string, hasMore: boolean): string;
  more(count: string): string;
  sameValues(rows: string): string;
  tableOfFile(code: string): string;
  besideTable(code: string): string;
  candidates(codes: string): string;
  replaces(rows: string, hasOtherFields: boolean): string;
  provisional(axes: number, code: string): string;
  summary(counts: LoadCounts): string;
  unchanged(snapshot: string, data: string): string;
  published(snapshot: string, data: string): string;
}

interface LoadCounts {
  readonly axes: number;
  readonly rows: number;
  readonly seconds: string;
  readonly perSecond: string;
  readonly skipped: number;
  readonly noDataFormat: number;
}

const english: LoadTexts = {
  skipped: 'skipped',
  noDataFormat: 'of no data format',
  documents:
    'Documents (HWP, HWPX, PDF and others) are not data: look on the portal for a CSV or XLSX file of the same dataset, or save their tables as XLSX or CSV.',
  seeAll: '--json lists all',
  notPublished: 'Nothing was published; the previous data is still served.',
  isUnchanged: '(unchanged)',
  stopped:
    'Stopped. Nothing was published, and the previous data is still served. Run the same command again to load.',
  size: (rows, fields) => `${rows} rows × ${fields}`,
  progress: (axes, rows, perSecond) => `${axes} axes · ${rows} rows · ${perSecond} rows/s`,
  finding: (title, count) => `${count} ${title}`,
  rows: (rows, hasMore) => `row ${rows}${hasMore ? ' …' : ''}`,
  more: (count) => `and ${count} more`,
  sameValues: (rows) => `${rows} more rows; each value is listed with its first one`,
  tableOfFile: (code) => `(a table of the same file as ${code})`,
  besideTable: (code) =>
    `(beside ${code}, which is another table; --axis ${code} replaces that one)`,
  candidates: (codes) => `(its title is that of ${codes}: give one with --axis)`,
  replaces: (rows, hasOtherFields) =>
    `(replaces ${rows} rows${hasOtherFields ? ' WITH OTHER FIELDS' : ''})`,
  provisional: (axes, code) =>
    `${withNoun(axes, 'axis has', 'axes have')} no portal number and a provisional code such as ${code}: load the file alone with --axis to give one.`,
  summary: ({ axes, rows, seconds, perSecond, skipped, noDataFormat }) => {
    const aside = [
      ...(skipped > 0 ? [`${withNoun(skipped, 'file')} skipped`] : []),
      ...(noDataFormat > 0 ? [`${withNoun(noDataFormat, 'file')} of no data format`] : []),
    ];
    const rest = aside.length > 0 ? `; ${aside.join(', ')}` : '';
    return `${withNoun(axes, 'axis', 'axes')}, ${withNoun(rows, 'row')} in ${seconds} s (${perSecond} rows/s)${rest}.`;
  },
  unchanged: (snapshot, data) =>
    `Nothing has changed: snapshot ${snapshot} in ${data} already has this data.`,
  published: (snapshot, data) => `Published as snapshot ${snapshot} in ${data}.`,
};

const korean: LoadTexts = {
  skipped: '제외',
  noDataFormat: '데이터 형식이 아닌 파일',
  documents:
    '문서(HWP, HWPX, PDF 등)는 데이터가 아닙니다. 포털에서 같은 데이터셋의 CSV나 XLSX 파일을 찾거나, 문서의 표를 XLSX나 CSV로 저장하세요.',
  seeAll: '--json으로 모두 볼 수 있습니다',
  notPublished: '게시하지 않았습니다. 이전 데이터를 계속 제공합니다.',
  isUnchanged: '(변경 없음)',
  stopped:
    '중단했습니다. 게시하지 않았고 이전 데이터를 계속 제공합니다. 같은 명령을 다시 실행하세요.',
  size: (rows, fields) => `${rows}행 × ${fields}열`,
  progress: (axes, rows, perSecond) => `축 ${axes} · ${rows}행 · 초당 ${perSecond}행`,
  finding: (title, count) => `${title} ${count}건`,
  rows: (rows, hasMore) => `${rows}${hasMore ? ' …' : ''}행`,
  more: (count) => `외 ${count}건`,
  sameValues: (rows) => `외 ${rows}행 (값마다 첫 행만 표시합니다)`,
  tableOfFile: (code) => `(${code} 파일의 다른 표)`,
  besideTable: (code) => `(${code}에 다른 표가 있어 별도 코드로 저장. 대체하려면 --axis ${code})`,
  candidates: (codes) => `(제목이 같은 데이터셋: ${codes}. --axis로 지정하세요)`,
  replaces: (rows, hasOtherFields) =>
    `(이전 ${rows}행을 대체${hasOtherFields ? ', 열이 다름' : ''})`,
  provisional: (axes, code) =>
    `축 ${formatCount(axes)}개는 포털 번호가 없어 ${code} 같은 임시 코드를 받았습니다. 번호를 주려면 그 파일만 --axis와 함께 불러오세요.`,
  summary: ({ axes, rows, seconds, perSecond, skipped, noDataFormat }) => {
    const aside = [
      ...(skipped > 0 ? [`제외한 파일 ${formatCount(skipped)}개`] : []),
      ...(noDataFormat > 0 ? [`데이터 형식이 아닌 파일 ${formatCount(noDataFormat)}개`] : []),
    ];
    const rest = aside.length > 0 ? ` ${aside.join(', ')}.` : '';
    return `축 ${formatCount(axes)}개, ${formatCount(rows)}행을 ${seconds}초에 불러왔습니다(초당 ${perSecond}행).${rest}`;
  },
  unchanged: (snapshot, data) =>
    `변경된 내용이 없습니다. ${data}의 스냅샷 ${snapshot}에 이미 있는 데이터입니다.`,
  published: (snapshot, data) => `${data}에 게시했습니다. 스냅샷: ${snapshot}`,
};

/** The texts by language. */
export const loadTexts: Readonly<Record<Language, LoadTexts>> = { ko: korean, en: english };
