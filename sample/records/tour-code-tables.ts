import type { Source } from '../hosts/operations.ts';
import { numberRows, type Row } from '../listing.ts';
import { districts, sidos } from '../place.ts';
import { tourAreas, tourKinds, type TourCode } from './tour-codes.ts';

/** The tourism organisation's code tables. */
export const tourCodeSources: Readonly<Record<string, Source>> = {
  gen_areacode2: (query) => areaCodes(query.get('areaCode') ?? ''),
  gen_ldongcode2: (query) =>
    query.get('lDongListYn') === 'Y'
      ? numberRows('rnum', dongTable(query.get('lDongRegnCd') ?? ''))
      : numberRows('rnum', dongCodes(query.get('lDongRegnCd') ?? '')),
  gen_categorycode2: (query) => numberRows('rnum', distinctCodes(categories(query))),
  gen_lclssystmcode2: (query) =>
    query.get('lclsSystmListYn') === 'Y'
      ? numberRows('rnum', systemTable())
      : numberRows('rnum', distinctCodes(systems(query))),
};

/** The 17 areas, or the sigungu of one area, with the organisation's own numbers. */
function areaCodes(areaCode: string): Row[] {
  if (areaCode === '') return numberRows('rnum', distinctCodes(tourAreas));
  const area = tourAreas.find(({ code }) => code === areaCode);
  const inArea = districts.filter(
    ({ sido, name }) => sido.code === area?.sido && isInArea(areaCode, name),
  );
  return numberRows(
    'rnum',
    inArea.map(({ name }, index) => ({ code: String(index + 1), name })),
  );
}

/** True if a sigungu of the area's sido is in the area: 전남광주통합특별시 is still two areas. */
function isInArea(areaCode: string, name: string): boolean {
  if (areaCode === '5') return name.endsWith('구');
  return areaCode === '38' ? !name.endsWith('구') : true;
}

/** Code of a sido at the tourism organisation: the code of 세종 has five digits. */
function tourSidoCode(code: string): string {
  return code === '36' ? '36110' : code;
}

function dongCodes(sidoCode: string): Row[] {
  if (sidoCode === '') return sidos.map(({ code, name }) => ({ code: tourSidoCode(code), name }));
  return districts
    .filter(({ sido }) => tourSidoCode(sido.code) === sidoCode && sido.code !== '36')
    .map(({ code, name }) => ({ code: code.slice(2), name }));
}

function dongTable(sidoCode: string): Row[] {
  return districts
    .filter(({ sido }) => sidoCode === '' || tourSidoCode(sido.code) === sidoCode)
    .map(({ code, name, sido }) => ({
      lDongRegnCd: tourSidoCode(sido.code),
      lDongRegnNm: sido.name,
      lDongSignguCd: sido.code === '36' ? '36110' : code.slice(2),
      lDongSignguNm: name,
    }));
}

function categories(query: ReadonlyMap<string, string>): TourCode[] {
  const [type, cat1, cat2, cat3] = ['contentTypeId', 'cat1', 'cat2', 'cat3'].map(
    (name) => query.get(name) ?? '',
  );
  const kinds = tourKinds.filter((kind) => type === '' || kind.contentType === type);
  if (!cat1) return kinds.map((kind) => kind.cat1);
  const inFirst = kinds.filter((kind) => kind.cat1.code === cat1);
  if (!cat2) return inFirst.map((kind) => kind.cat2);
  const inSecond = inFirst.filter((kind) => kind.cat2.code === cat2).map((kind) => kind.cat3);
  return cat3 ? inSecond.filter(({ code }) => code === cat3) : inSecond;
}

function systems(query: ReadonlyMap<string, string>): TourCode[] {
  const codes = [1, 2, 3].map((level) => query.get(`lclsSystm${level}`) ?? '');
  const depth = codes.includes('') ? codes.indexOf('') : 2;
  return tourKinds
    .filter(({ system }) =>
      codes.every((code, index) => code === '' || system[index]?.code === code),
    )
    .flatMap(({ system }) => system[depth] ?? []);
}

function systemTable(): Row[] {
  return tourKinds.map(({ system: [main, middle, small] }) => ({
    lclsSystm1Cd: main.code,
    lclsSystm1Nm: main.name,
    lclsSystm2Cd: middle.code,
    lclsSystm2Nm: middle.name,
    lclsSystm3Cd: small.code,
    lclsSystm3Nm: small.name,
  }));
}

/** Rows of the codes, each once, in the order of the table. */
function distinctCodes(codes: readonly TourCode[]): Row[] {
  const names = new Map(codes.map(({ code, name }) => [code, name]));
  return [...names].map(([code, name]) => ({ code, name }));
}
