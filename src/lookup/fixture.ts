import { createHash } from 'node:crypto';
import type { Axis, Field, Row, RegionCount } from '../data/axis.ts';
import type { CatalogEntry } from '../data/catalog.ts';
import type { Demand } from '../data/demand.ts';
import { MemoryStore, type MemoryAxis } from './store/memory.ts';

/** A small store for tests: invented places, with the defects that real data has. */
export function fixtureStore(id = '20261121-0001'): MemoryStore {
  return new MemoryStore({
    snapshot: {
      id,
      builtAt: '2026-11-21T01:02:03.000Z',
      previous: null,
      schemaVersion: 1,
      indexBytes: 4096,
    },
    axes: [parking(), holidays()],
    catalog: catalogEntries,
    catalogDate: '2026-11-01',
    demand,
  });
}

export const fixtureToday = '2026-11-21';

const parkingFields = [
  field('관리번호', '관리번호', { role: 'id' }),
  field('주차장명', '주차장명', { role: 'name', searchable: true }),
  field('소재지도로명주소', '소재지 도로명주소', { role: 'address', searchable: true }),
  field('위도', '위도', { role: 'lat', type: 'number' }),
  field('경도', '경도', { role: 'lon', type: 'number' }),
  field('비고', '비고', { searchable: true }),
];

function parking(): MemoryAxis {
  const districts = [
    ['서울특별시 강남구', '11', '11680', '37.5', '127.0'],
    ['서울특별시 종로구', '11', '11110', '37.6', '126.98'],
    ['부산광역시 중구', '26', '26110', '35.1', '129.0'],
    ['전남광주통합특별시 북구', '12', '12300', '35.2', '126.9'],
  ] as const;
  const rows: Row[] = [];
  const regionsOfRows: string[][] = [];
  for (let i = 0; i < 60; i++) {
    const [place, sido, sigungu, lat, lon] = districts[i % districts.length]!;
    rows.push({
      관리번호: String(i).padStart(5, '0'),
      주차장명:
        i === 0 ? '강남역' : `${['강남역', '한마음', 'ＳＫ', '㈜누리'][i % 4]} ${i}호점 주차장`,
      소재지도로명주소: `${place} 어딘가로 ${i}`,
      위도: i % 7 === 0 ? null : lat,
      경도: i % 7 === 0 ? null : lon,
      비고:
        i % 3 === 0
          ? null
          : '따옴표 "둘", 쉼표, 줄\n바꿈 그리고 긴 설명이 이어집니다. '.repeat(1 + (i % 5)),
    });
    regionsOfRows.push([sido, sigungu]);
  }
  return memoryAxis(
    {
      code: 'file_15012896',
      title: '전국 주차장 표준데이터',
      titleEn: null,
      type: 'FILE',
      portalId: '15012896',
      provider: { name: '국토교통부', code: '1613000' },
      keyFields: ['관리번호'],
      origin: 'file',
      sourceModified: '2026-11-01',
      collectedAt: '2026-11-20T00:00:00.000Z',
      updateCycle: 'P1M',
      license: { id: 'KOGL-1', name: '공공누리 1유형', url: 'https://www.kogl.or.kr' },
      sourceUrl: 'https://www.data.go.kr/data/15012896/standard.do',
    },
    parkingFields,
    rows,
    regionsOfRows,
  );
}

function holidays(): MemoryAxis {
  const fields = [
    field('locdate', '날짜', { role: 'date', type: 'integer' }),
    field('dateName', '명칭', { role: 'name', searchable: true }),
    field('isHoliday', '공휴일 여부', {}),
  ];
  const rows = ['신정', '설날', '삼일절', '광복절', '한글날', '강남역의 날'].map((dateName, i) => ({
    locdate: 20260101 + i,
    dateName,
    isHoliday: 'Y',
  }));
  return memoryAxis(
    {
      code: 'gen_restdeinfo',
      title: '공휴일 정보',
      titleEn: 'Public holidays',
      type: 'API',
      portalId: '15012690',
      provider: null,
      keyFields: ['locdate'],
      origin: 'sample',
      sourceModified: null,
      collectedAt: '2025-01-01T00:00:00.000Z',
      updateCycle: 'P1Y',
      license: null,
      sourceUrl: null,
    },
    fields,
    rows,
    [],
  );
}

function memoryAxis(axis: Axis, fields: Field[], rows: Row[], regions: string[][]): MemoryAxis {
  const counts = new Map<string, number>();
  for (const code of regions.flat()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    held: {
      axis,
      rows: rows.length,
      fields,
      schemaFingerprint: createHash('sha256').update(JSON.stringify(fields)).digest('hex'),
      regions: [...counts].map(([code, count]): RegionCount => ({
        code,
        rows: count,
        basis: ['address'],
      })),
      hasCoordinates: fields.some(({ role }) => role === 'lat'),
    },
    rows,
    regionsOfRows: regions,
  };
}

function field(name: string, label: string, rest: Partial<Field>): Field {
  return {
    name,
    label,
    labelEn: null,
    labelSource: 'header',
    type: 'string',
    unit: null,
    role: null,
    searchable: false,
    stats: {
      nonNull: 1,
      distinct: 1,
      minLength: 1,
      maxLength: 9,
      min: null,
      max: null,
      examples: ['예'],
    },
    ...rest,
  };
}

const catalogEntries: CatalogEntry[] = [
  entry('STD', '15012896', '전국주차장표준데이터', '2026-10-01'),
  entry('FILE', '15012896', '주차장 파일', '2026-09-01'),
  entry('API', '15012690', '특일 정보', '2026-08-01'),
  entry('LINKED', '15099999', '외부 주차 정보', null),
];

function entry(
  type: CatalogEntry['type'],
  portalId: string,
  title: string,
  modified: string | null,
): CatalogEntry {
  return {
    id: `${type}:${portalId}`,
    portalId,
    type,
    title,
    provider: '국토교통부',
    category: '교통물류',
    keywords: ['주차', '교통'],
    description: `${title}입니다.`,
    formats: ['CSV'],
    license: null,
    created: '2015-01-01',
    modified,
    updateCycle: null,
    views: 10,
    requests: null,
    url: null,
  };
}

const demand: Demand = {
  origin: 'portal',
  anchor: '날씨',
  method: {
    source: 'invented',
    unit: 'relative',
    period: { from: '2026-10-01', to: '2026-10-31', timeUnit: 'month' },
    note: 'Invented for tests.',
  },
  items: ['주차장', '날씨', '공휴일', '병원', '약국'].map((keyword, i) => ({
    rank: i + 1,
    keyword,
    index: i === 4 ? null : 100 - i,
    belowResolution: i === 4,
    errorClass: i === 4 ? null : 'fine',
    axes:
      keyword === '주차장'
        ? [{ axis: 'file_15012896', title: '전국 주차장 표준데이터', match: 'title' }]
        : keyword === '공휴일'
          ? [{ axis: 'gen_restdeinfo', title: '공휴일 정보', match: 'title' }]
          : [],
    catalogTotal: i,
  })),
};
