import type { BilingualText } from '../../contract/language.ts';
import type { datasetTopics } from '../../contract/pages.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { institutionInTitle } from '../../data/institutions.ts';
import { koreanTitle } from '../../data/readable-title.ts';

interface Topic {
  readonly name: BilingualText;
  /** Words of the titles of its datasets. */
  readonly words: RegExp;
  /** The theme of the EU's vocabulary of data themes that is nearest; null if none is near. */
  readonly theme: string | null;
}

type DatasetTopic = (typeof datasetTopics)[number];

/** The topics by which datasets are listed. */
export const topics: Readonly<Record<DatasetTopic, Topic>> = {
  transport: {
    name: { ko: '교통', en: 'Transport' },
    words: /주차|교통|버스|정류|정류소|도로|차선|지하철|철도|공항|자전거|주유|충전|항만|여객/,
    theme: 'TRAN',
  },
  health: {
    name: { ko: '보건·복지', en: 'Health and welfare' },
    words: /병원|의원|약국|의료|보건|건강|복지|장애|어린이집|경로당|의약|코로나|응급/,
    theme: 'HEAL',
  },
  culture: {
    name: { ko: '문화·관광', en: 'Culture and travel' },
    words: /도서관|관광|축제|박물관|미술관|공연|문화|체육|공원|숙박|여행|유산/,
    theme: 'EDUC',
  },
  weather: {
    name: { ko: '날씨·환경', en: 'Weather and environment' },
    words: /기상|날씨|예보|대기|미세먼지|환경|하천|강수|수질|일사|해양|조석/,
    theme: 'ENVI',
  },
  housing: {
    name: { ko: '부동산·국토', en: 'Housing and land' },
    words: /아파트|주택|부동산|공시가격|실거래|건축|토지|법정동|승강기|지적|공매|캠코|물건/,
    theme: 'REGI',
  },
  business: {
    name: { ko: '경제·산업', en: 'Business' },
    words: /상가|상권|사업자|기업|조달|입찰|시장|가격|물가|판매|소비|금융|고용|무역|특허/,
    theme: 'ECON',
  },
  elections: {
    name: { ko: '행정·인구', en: 'Government and population' },
    words: /선거|개표|후보|투표|정당|(?<!분)당선|행정|민원|인구|공무원/,
    theme: 'GOVE',
  },
  safety: {
    name: { ko: '안전', en: 'Safety' },
    words: /화재|소방|CCTV|재난|대피|안전|범죄|사고|경찰|민방위/i,
    theme: 'JUST',
  },
  calendar: {
    name: { ko: '달력·교육', en: 'Calendar and schools' },
    words: /공휴일|특일|절기|기념일|음양력|음력|학교|교육|유치원|대학/,
    theme: null,
  },
};

/** True if a dataset belongs to a topic, by its title without the name of its provider: 안전 in 행정안전부. */
export function isUnder(stored: StoredAxis, topic: DatasetTopic): boolean {
  return topics[topic].words.test(subjectOf(stored.axis));
}

/** The title of a dataset in Korean, without the names of institutions. */
function subjectOf({ title, provider }: StoredAxis['axis']): string {
  const names = [provider?.name ?? null, institutionInTitle(title)].filter((name) => name !== null);
  const subject = names.reduce((rest, name) => rest.replaceAll(name, ' '), koreanTitle(title));
  return subject.trim() === '' ? title : subject;
}
