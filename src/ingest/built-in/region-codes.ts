import { regionTable, type Region } from '../../data/regions/region-table.ts';
import type { BuiltInAxis } from './axis.ts';

/**
 * The axis of the current sido and sigungu codes, in the form of the tourism service's `ldongCode2`: two digits for
 * the sido, three for the sigungu. 세종 has the sido code 36110 and no sigungu.
 */
export function regionCodeAxis(
  collectedAt: string,
  regions: readonly Region[] = regionTable,
): BuiltInAxis {
  const sidoNames = new Map(
    regions.filter(({ level }) => level === 'sido').map(({ code, name }) => [code, name]),
  );
  const districts = regions
    .filter(({ level, until }) => level === 'sigungu' && until === null)
    .map(({ code, name }) => [code.slice(0, 2), code.slice(2), name] as const);
  const withoutDistricts = regions
    .filter(({ level, until, code }) => {
      return level === 'sido' && until === null && !districts.some(([sido]) => sido === code);
    })
    .map(({ code }) => [code, null, null] as const);
  const rows = [...districts, ...withoutDistricts]
    .sort((left, right) => (left[0] + (left[1] ?? '') < right[0] + (right[1] ?? '') ? -1 : 1))
    .map(([sido, district, name], index) => {
      const sidoCode = sido === '36' ? '36110' : sido;
      return [String(index + 1), sidoCode, sidoNames.get(sido) ?? null, district, name];
    });
  return {
    axis: {
      code: 'gen_ldongcode2',
      title: '한국관광공사_국문 관광정보 서비스_GW - 법정동 코드 조회',
      titleEn: 'KTO Korean-language tourism information - legal-dong region codes',
      type: 'API',
      portalId: '15101578',
      provider: { name: '행정안전부 법정동코드', code: null },
      keyFields: ['lDongRegnCd', 'lDongSignguCd'],
      origin: 'file',
      sourceModified: latestStart(regions),
      collectedAt,
      updateCycle: null,
      license: null,
      sourceUrl: 'https://www.data.go.kr/data/15101578/openapi.do',
    },
    columns: ['rnum', 'lDongRegnCd', 'lDongRegnNm', 'lDongSignguCd', 'lDongSignguNm'],
    publishedFields: [
      { name: 'rnum', label: '일련번호', labelEn: 'Running number', role: null },
      { name: 'lDongRegnCd', label: '법정동 시도코드', labelEn: 'Sido code', role: 'code' },
      { name: 'lDongRegnNm', label: '법정동 시도명', labelEn: 'Sido', role: 'sido' },
      { name: 'lDongSignguCd', label: '법정동 시군구코드', labelEn: 'Sigungu code', role: 'code' },
      { name: 'lDongSignguNm', label: '법정동 시군구명', labelEn: 'Sigungu', role: 'sigungu' },
    ],
    rows,
  };
}

/** The latest day on which a current code began. */
function latestStart(regions: readonly Region[]): string | null {
  const days = regions.filter(({ until }) => until === null).map(({ since }) => since);
  return days.sort().at(-1) ?? null;
}
