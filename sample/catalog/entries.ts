import { randomFor } from '../seeded-random.ts';
import type { FileDataset } from '../files/datasets.ts';
import { operations, type Operation } from '../operation.ts';
import { districtAddress, districts } from '../place.ts';
import type { CatalogEntry } from './entry.ts';
import subjectCategories from './subjects.json' with { type: 'json' };

/**
 * The catalog: the sample's operations under their real numbers and titles, the sample's own files, and several hundred
 * invented datasets of every type.
 */
export function catalogEntries(
  seed: number,
  files: readonly FileDataset[],
  counts: CatalogCounts = {},
): CatalogEntry[] {
  return [
    ...operationEntries(),
    ...catalogFiles.map(catalogFileEntry),
    ...files.map(fileEntry),
    ...inventedEntries(seed, counts),
  ];
}

/** Number of invented datasets by type; the default number if absent. */
export type CatalogCounts = Readonly<Partial<Record<CatalogEntry['type'], number>>>;

/** The catalog's own files, which can be downloaded like any other. */
export const catalogFiles = [
  ['15062804', '한국지능정보사회진흥원_목록개방현황'],
  ['15121937', '한국지능정보사회진흥원_목록 메타정보'],
  ['15156444', '한국지능정보사회진흥원_제공표준'],
] as const;

const commonValues = {
  providerCode: '9990000',
  department: '예시과',
  category: '공공행정 - 일반공공행정',
  updateCycle: '수시',
  licence: '이용허락범위 제한 없음',
  registered: '2020-01-02',
  modified: '2026-09-30',
  apiType: '',
  rows: null,
} as const;

function operationEntries(): CatalogEntry[] {
  return [...Map.groupBy(operations, ({ number }) => number)].map(
    ([number, ownOperations]): CatalogEntry => {
      const [first] = ownOperations;
      const title = (first?.title ?? '').split(' - ')[0] ?? '';
      const isStandard = first?.family === 'std';
      return {
        ...commonValues,
        number,
        type: isStandard ? 'STD' : 'API',
        title,
        provider: first?.provider ?? '',
        providerCode: isStandard ? '' : providerCodeOf(first),
        description: `${title}입니다. 이 포털의 응답은 예시입니다.`,
        keywords: [...new Set(title.split(/[_ ()]+/).filter((word) => word.length > 1))].slice(
          0,
          6,
        ),
        formats: isStandard ? ['XML', 'JSON', 'CSV'] : ['JSON', 'XML'],
        views: 90_000 - (Number(number) % 50_000),
        usage: 9000 - (Number(number) % 5000),
        apiType: isStandard ? '' : 'REST',
      };
    },
  );
}

function providerCodeOf(operation: Operation | undefined): string {
  return operation?.path.split('/')[1] ?? '';
}

function catalogFileEntry([number, title]: (typeof catalogFiles)[number]): CatalogEntry {
  return {
    ...commonValues,
    number,
    type: 'FILE',
    title,
    provider: '한국지능정보사회진흥원',
    providerCode: 'B552468',
    description: '공공데이터포털의 목록입니다. 이 파일의 내용은 예시입니다.',
    keywords: ['목록', '메타데이터', '예시'],
    updateCycle: '월간',
    formats: ['CSV'],
    views: 12_000,
    usage: 3400,
  };
}

function fileEntry(file: FileDataset): CatalogEntry {
  const [newest] = file.versions;
  return {
    ...commonValues,
    number: file.number,
    type: 'FILE',
    title: file.title,
    provider: file.provider,
    description: `${file.title} 파일입니다. 시험을 위한 예시이며 실제 시설이 아닙니다.`,
    keywords: file.keywords,
    category: file.category,
    updateCycle: file.updateCycle,
    formats: [file.extension.toUpperCase()],
    modified: isoDate(newest?.date ?? '20260831'),
    views: 5000 - (Number(file.number) % 100) * 7,
    usage: 900 - (Number(file.number) % 100) * 3,
    rows: newest?.rows ?? null,
  };
}

function isoDate(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

/** Types of invented datasets, each with its default count and the number of its first dataset. */
const inventedCounts = [
  ['FILE', 420, 990_100_000],
  ['API', 90, 990_200_000],
  ['STD', 30, 990_300_000],
  ['LINKED', 260, 990_400_000],
] as const;

/** Subjects of invented datasets, each with its category. */
const subjects = Object.entries(subjectCategories);

function inventedEntries(seed: number, counts: CatalogCounts): CatalogEntry[] {
  return inventedCounts.flatMap(([type, defaultCount, firstNumber]) =>
    Array.from({ length: counts[type] ?? defaultCount }, (_, index) =>
      inventedEntry(seed, type, firstNumber + index),
    ),
  );
}

function inventedEntry(seed: number, type: CatalogEntry['type'], number: number): CatalogEntry {
  const random = randomFor(seed, 'catalog', number);
  const cycles = ['연간', '반기', '분기', '월간', '수시', '실시간', '수시 (1회성 데이터)'];
  const [subject, category] = random.pick(subjects);
  const district = random.pick(districts);
  const provider = type === 'STD' ? '지방자치단체 등' : districtAddress(district);
  const year = random.whole(2014, 2025);
  return {
    ...commonValues,
    number: String(number),
    type,
    title: `${provider}_${subject}(예시)`,
    provider,
    providerCode: `9${district.code}0`,
    description: `${provider}의 ${subject} 자료입니다.\n"예시"로 만든 항목이며, 쉼표와 따옴표가 들어 있습니다.`,
    keywords: ['예시', ...subject.split(' '), district.sido.short],
    category,
    updateCycle: random.pick(cycles),
    formats: type === 'API' ? ['JSON', 'XML'] : [random.pick(['CSV', 'CSV', 'XLSX', 'ZIP', 'PDF'])],
    licence: random.pick([
      '이용허락범위 제한 없음',
      '이용허락범위 제한 없음',
      '저작자표시(공공누리 제1유형)',
    ]),
    registered: `${year}-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
    modified: `2026-0${random.whole(1, 9)}-2${random.whole(0, 8)}`,
    views: random.whole(30, 90_000),
    usage: random.whole(0, 9000),
    rows: type === 'FILE' ? random.whole(10, 50_000) : null,
    apiType: type === 'API' ? random.pick(['REST', 'REST', 'LINK', 'SOAP']) : '',
  };
}
