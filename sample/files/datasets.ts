import { memoize } from '../listing.ts';
import { sidos } from '../place.ts';
import { hashOf } from '../seeded-random.ts';
import {
  cameraZip,
  carriageReturnCsv,
  duplicateHeaderCsv,
  htmlXls,
  raggedCsv,
  schoolsXml,
  stopsJson,
  totalsCsv,
  unicodeText,
} from './spoilt-texts.ts';
import {
  datesWorkbook,
  facilityWorkbook,
  populationWorkbook,
  sheetsWorkbook,
} from './spoilt-workbooks.ts';
import { gymTable, placesTable, wellTable, type PlainTable } from './tables.ts';
import { cp949Style, textFile, utf8BomStyle } from './text-file.ts';

/** One FILE dataset with every version of its file, newest first. */
export interface FileDataset {
  readonly number: string;
  readonly title: string;
  readonly provider: string;
  readonly keywords: readonly string[];
  readonly category: string;
  readonly updateCycle: string;
  readonly extension: string;
  /** `portal`: a download. `agency`: a link to another site. `login`: a sign-in page, with status 200. */
  readonly access: 'portal' | 'agency' | 'login';
  readonly versions: readonly FileVersion[];
}

export interface FileVersion {
  /** Such as `20260831`. */
  readonly date: string;
  readonly detailKey: string;
  readonly attachmentId: string;
  readonly fileName: string;
  readonly rows: number;
  readonly bytes: () => Buffer;
  /** Table of the file that odcloud serves; null if it serves none. */
  readonly table: (() => PlainTable) | null;
}

/** Nine digits, so that no number can be mistaken for that of a real dataset: those have seven or eight. */
const firstNumber = 990_000_001;

export function fileDatasets(seed: number): FileDataset[] {
  return definitions.map((definition, index) => {
    const number = String(firstNumber + index);
    return {
      number,
      title: `예시_${definition.title}`,
      provider: definition.provider ?? '예시광역시',
      keywords: ['예시', ...definition.title.split(' ')],
      category: definition.category,
      updateCycle: definition.dates.length > 1 ? '연간' : '수시 (1회성 데이터)',
      extension: definition.extension,
      access: definition.access ?? 'portal',
      versions: definition.dates.map((date, age) => version(seed, number, definition, date, age)),
    };
  });
}

interface FileDefinition {
  readonly title: string;
  readonly category: string;
  readonly extension: string;
  readonly dates: readonly string[];
  readonly rows: number;
  readonly provider?: string;
  readonly access?: FileDataset['access'];
  readonly table?: (seed: number, rows: number) => PlainTable;
  readonly bytes: (seed: number, rows: number) => Buffer;
}

function version(
  seed: number,
  number: string,
  definition: FileDefinition,
  date: string,
  age: number,
): FileVersion {
  // Older versions have fewer rows, so that a new version adds some.
  const rows = definition.rows - 15 * age;
  const { table } = definition;
  return {
    date,
    detailKey: `uddi:${uuidOf(seed, number, date)}`,
    attachmentId: `FILE_990${String(hashOf(seed, 'attachment', number, date)).padStart(12, '0')}`,
    fileName: `${definition.provider ?? '예시광역시'}_예시 ${definition.title}_${date}.${definition.extension}`,
    rows,
    bytes: memoize(() => definition.bytes(seed, rows)),
    table: table === undefined ? null : memoize(() => table(seed, rows)),
  };
}

function uuidOf(seed: number, number: string, date: string): string {
  const hex = [1, 2, 3, 4].map((part) =>
    hashOf(seed, 'uddi', number, date, part).toString(16).padStart(8, '0'),
  );
  const digits = hex.join('');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** A file with a table, without defects. */
function plainFile(
  table: (seed: number, rows: number) => PlainTable,
  style: typeof cp949Style,
): Pick<FileDefinition, 'table' | 'bytes'> {
  return {
    table,
    bytes: (seed, rows) => {
      const { header, rows: body } = table(seed, rows);
      return textFile([header, ...body], style);
    },
  };
}

// prettier-ignore
const definitions: readonly FileDefinition[] = [
  { title: '공영주차장 현황', category: '교통및물류 - 물류등기타', extension: 'csv', dates: ['20260831', '20250831', '20240831'], rows: 620, ...plainFile((seed, rows) => placesTable(seed, 'file_parking', rows), cp949Style) },
  { title: '도서관 현황', category: '문화관광 - 문화예술', extension: 'csv', dates: ['20260731', '20250731'], rows: 480, ...plainFile((seed, rows) => placesTable(seed, 'file_library', rows), utf8BomStyle) },
  { title: '노외주차장 목록', category: '교통및물류 - 물류등기타', extension: 'txt', dates: ['20260630'], rows: 260, bytes: unicodeText },
  { title: '공공시설 개방 현황', category: '공공행정 - 일반공공행정', extension: 'xlsx', dates: ['20260630', '20251231'], rows: 240, bytes: facilityWorkbook },
  { title: '주민등록 인구 현황', category: '공공행정 - 일반공공행정', extension: 'xls', dates: ['20260930'], rows: 271, bytes: populationWorkbook },
  { title: 'CCTV 설치 현황', category: '재난안전 - 안전관리', extension: 'zip', dates: ['20260531'], rows: 960, bytes: (seed, rows) => cameraZip(seed, rows / sidos.length) },
  { title: '보안등 위치', category: '재난안전 - 안전관리', extension: 'csv', dates: ['20260430'], rows: 700, ...plainFile((seed, rows) => placesTable(seed, 'file_lamp', rows), cp949Style) },
  { title: '체육시설업 현황', category: '문화관광 - 체육', extension: 'csv', dates: ['20220630'], rows: 1300, ...plainFile(gymTable, cp949Style) },
  { title: '가로수 현황', category: '환경기상 - 자연', extension: 'csv', dates: ['20251031'], rows: 410, bytes: raggedCsv },
  { title: '착한가격업소 가격', category: '산업고용 - 산업진흥', extension: 'csv', dates: ['20260228'], rows: 380, bytes: duplicateHeaderCsv },
  { title: '지정문화유산 목록', category: '문화관광 - 문화재', extension: 'xlsx', dates: ['20260131'], rows: 300, bytes: datesWorkbook },
  { title: '민원 처리 건수', category: '공공행정 - 일반공공행정', extension: 'csv', dates: ['20260831'], rows: 240, bytes: totalsCsv },
  { title: '버스정류장 위치', category: '교통및물류 - 도로', extension: 'json', dates: ['20260331'], rows: 450, bytes: stopsJson },
  { title: '폐교재산 현황', category: '교육 - 교육일반', extension: 'xml', dates: ['20250930'], rows: 210, bytes: schoolsXml },
  { title: '어린이집 현황', category: '사회복지 - 보육', extension: 'xls', dates: ['20260630'], rows: 190, bytes: htmlXls },
  { title: '산업단지 현황', category: '산업고용 - 산업진흥', extension: 'xlsx', dates: ['20260630'], rows: 128, bytes: (seed, rows) => sheetsWorkbook(seed, rows / sidos.length) },
  { title: '도로 연장 현황', category: '교통및물류 - 도로', extension: 'csv', dates: ['20251231'], rows: 330, bytes: carriageReturnCsv },
  { title: '약수터 위치', category: '환경기상 - 수질', extension: 'csv', dates: ['20260531'], rows: 220, ...plainFile(wellTable, cp949Style) },
  { title: '하천 수위 자료', category: '환경기상 - 수질', extension: 'csv', dates: ['20260831'], rows: 0, access: 'agency', bytes: () => Buffer.alloc(0) },
  { title: '제한 공개 목록', category: '공공행정 - 일반공공행정', extension: 'csv', dates: ['20260831'], rows: 0, access: 'login', bytes: () => Buffer.alloc(0) },
];

/** Axis codes (`file_990000001`) of the datasets that the portal itself serves. */
export const sampleFileCodes: readonly string[] = definitions.flatMap(
  ({ access = 'portal' }, index) => (access === 'portal' ? [`file_${firstNumber + index}`] : []),
);
