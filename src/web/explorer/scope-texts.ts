import { josa } from 'es-hangul';
import { counted } from '../../kernel/counted.ts';

/** Texts of the regions and the period of a dataset in both languages. */
export const scopeTexts = {
  ko: {
    sigunguChoice: (name: string) =>
      `‘${name}’${josa.pick(name, '은/는')} 여러 시도에 있습니다. 하나를 고르세요.`,
    sigunguUnknown: (name: string) =>
      `‘${name}’${josa.pick(name, '이라/라')}는 시군구를 찾지 못해 지역 없이 보여 줍니다. 이름을 확인하거나 시도를 함께 고르세요.`,
    sigunguEmpty: (names: readonly string[]) =>
      `이 데이터셋에 ${names.join(', ')} 레코드가 없어 지역 없이 보여 줍니다.`,
    term: '어디, 언제의 자료인가요',
    unknown: '모름. 지역이나 날짜를 알 수 있는 필드가 없습니다.',
    noRegion: '어느 지역의 자료인지는 알 수 없습니다.',
    noPeriod: '언제의 자료인지는 알 수 없습니다.',
    ofAll: (period: string) => `전체 ${period}`,
    ofAllRecords: '조건과 관계없이 전체 레코드 기준',
    one: (name: string) => `모두 ${name} 자료입니다.`,
    mostly: (name: string, share: string) => `거의 모두(${share}) ${name} 자료입니다.`,
    some: (names: string, count: string) => `시도 ${count}곳(${names})의 자료입니다.`,
    without: (count: string, total: string, missing: string) =>
      `시도 ${total}곳 중 ${missing}${josa.pick(missing, '을/를')} 뺀 ${count}곳의 자료입니다.`,
    everywhere: (total: string) => `전국 시도 ${total}곳의 자료입니다.`,
    sigungu: (count: string, total: string) =>
      count === total ? `시군구 ${total}곳 모두` : `시군구 ${total}곳 중 ${count}곳`,
    districtsWith: (text: string) => `${text}에 레코드가 있습니다`,
    basis: { address: '주소', field: '지역 필드', code: '지역 코드', coordinates: '좌표' },
    by: (basis: string) => `지역은 ${basis}에서 읽음`,
    unplaced: (count: string) => `지역을 알 수 없는 레코드 ${count}건`,
    nationwide: '전국',
    sidos: (count: string) => `시도 ${count}곳`,
  },
  en: {
    sigunguChoice: (name: string) => `Several provinces have a ${name}. Choose one.`,
    sigunguUnknown: (name: string) =>
      `No district is named “${name}”; these are for all regions. Check the name, or choose its province too.`,
    sigunguEmpty: (names: readonly string[]) =>
      `This dataset has no record of ${names.join(', ')}; these are for all regions.`,
    term: 'Where and when',
    unknown: 'Unknown. No field gives a region or a date.',
    noRegion: 'Its region is unknown.',
    noPeriod: 'Its period is unknown.',
    ofAll: (period: string) => `${period} in all`,
    ofAllRecords: 'Of all records, whatever the filters',
    one: (name: string) => `All of it is about ${name}.`,
    mostly: (name: string, share: string) => `Nearly all of it (${share}) is about ${name}.`,
    some: (names: string, count: string) => `It covers ${counted(count, 'province')}: ${names}.`,
    without: (count: string, total: string, missing: string) =>
      `It covers ${count} of ${total} provinces, all but ${missing}.`,
    everywhere: (total: string) => `It covers all ${total} provinces.`,
    sigungu: (count: string, total: string) =>
      count === total ? `all ${total} districts` : `${count} of ${counted(total, 'district')}`,
    districtsWith: (text: string) => `records in ${text}`,
    basis: {
      address: 'addresses',
      field: 'fields of regions',
      code: 'region codes',
      coordinates: 'coordinates',
    },
    by: (basis: string) => `regions by ${basis}`,
    unplaced: (count: string) => `${counted(count, 'record')} without a known region`,
    nationwide: 'nationwide',
    sidos: (count: string) => counted(count, 'province'),
  },
} as const;
