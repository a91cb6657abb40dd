import { counted } from '../../kernel/counted.ts';

/** Texts of the front page in both languages. */
export const homeTexts = {
  ko: {
    title: '마루 – 인증키 없이 쓰는 공공데이터',
    heading: '대한민국 공공데이터, 인증키 없이.',
    lead: (axes: string, rows: string) =>
      `데이터셋 ${axes}개, 레코드 ${rows}건. 누구나 가입 없이 찾고, 읽고, 내려받을 수 있습니다.`,
    leadEmpty: '누구나 가입 없이 찾고, 읽고, 내려받을 수 있습니다.',
    searchLabel: '모든 데이터에서 검색',
    searchPlaceholder: '예: 강남구 주차장, 도서관, 설날',
    search: '검색',
    preparing: '데이터를 준비하고 있습니다. 잠시 뒤에 다시 열어 주세요.',
    topics: '주제',
    count: (count: string) => `${count}개`,
    regions: '지역',
    regionsHint: '지역을 고르면 그곳의 데이터셋과 건수를 보여 줍니다.',
    newest: '새 데이터',
    largest: '큰 데이터',
    sought: '많이 찾는 검색어',
    soughtSample: '예시 순위입니다. 실제 검색 수요가 아닙니다.',
    demand: '검색 수요 전체',
    all: '모든 데이터셋 보기',
    onlySample:
      '아직 실제 데이터가 없습니다. 인증키를 넣고 수집하거나 파일을 불러오면 여기에 나타납니다.',
    sample: (count: string) => `예시 데이터 ${count}개`,
    sampleLead:
      '마루가 시험용으로 지어낸 데이터입니다. 값은 실제가 아니며, 실제 데이터를 수집하면 바뀝니다.',
    origins: { sample: '예시 데이터', file: '파일', portal: '포털' },
  },
  en: {
    title: 'Maru – open data without a key',
    heading: 'Korea’s open data, without a key.',
    lead: (axes: string, rows: string) =>
      `${counted(axes, 'dataset')} with ${counted(rows, 'record')} to search, read and download without signing up.`,
    leadEmpty: 'Search, read and download without signing up.',
    searchLabel: 'Search all data',
    searchPlaceholder: 'e.g. 강남구 주차장, 도서관, 설날',
    search: 'Search',
    preparing: 'The data is being prepared. Please open this page again in a moment.',
    topics: 'Topics',
    count: (count: string) => count,
    regions: 'Regions',
    regionsHint: 'Choose a region to see its datasets and their records.',
    newest: 'Newest data',
    largest: 'Largest data',
    sought: 'Popular searches',
    soughtSample: 'This is a sample ranking, not the real search demand.',
    demand: 'All of the search demand',
    all: 'See all datasets',
    onlySample:
      'There is no real data yet. It appears here once it is collected with a service key or loaded from files.',
    sample: (count: string) => counted(count, 'sample dataset'),
    sampleLead:
      'Maru invented them for tests. Their values are not real, and are replaced once real data is collected.',
    origins: { sample: 'Sample data', file: 'File', portal: 'Portal' },
  },
} as const;
