import type { AgentTask } from './agent-task.ts';

/** Tasks that the data of the first start answers. The numbers were counted in its files, not with the tools. */
export const sampleTasks: readonly AgentTask[] = [
  ['주차장 데이터가 있어?', [find('주차장')], /axis file_990000001/],
  ['Is there data on libraries?', [find('도서관')], /axis std_library/],
  ['Which bus data can I query?', [find('버스', { held: true })], /axis tago_busstops/],
  ['응급실 데이터는?', [find('응급의료')], /axis gen_egytlistinfoinqire · 420 records/],
  ['Is there data on spaceships?', [find('우주선발사대')], /^No dataset found\./],
  ['강남구에 걸친 데이터셋은?', [find('', { region: '강남구' })], / in the region · /],
  [
    '공휴일 데이터는 진짜야, 언제 자료야?',
    [find('공휴일'), describe('gen_restdeinfo')],
    /192 records[^]*Freshness: [^]*Origin: file/,
  ],
  [
    'May I use the sample car parks?',
    [find('공영주차장'), describe('file_990000001')],
    /^SAMPLE DATA ONLY/,
  ],
  [
    '주차장 데이터의 필드는?',
    [find('공영주차장'), describe('file_990000001')],
    /\| 주차구획수 \|[^]*요금정보/,
  ],
  [
    '2026년 추석은 언제야?',
    [
      find('공휴일'),
      query('gen_restdeinfo', { where: '명칭 = 추석 and 날짜 between 2026-01-01 and 2026-12-31' }),
    ],
    /3 of 3[^]*20260924[^]*20260925[^]*20260926/,
  ],
  [
    'How many public holidays are there in 2026?',
    [find('공휴일'), query('gen_restdeinfo', { where: '날짜 = 2026', limit: 0 })],
    /^22 records/m,
  ],
  [
    '대체공휴일은 모두 며칠이야?',
    [find('공휴일'), query('gen_restdeinfo', { where: "명칭 like '%대체%'", limit: 0 })],
    /^27 records/m,
  ],
  [
    '2024년 부처님오신날은?',
    [
      find('공휴일'),
      query('gen_restdeinfo', { where: '명칭 = 부처님오신날 and 날짜 = 2024', select: ['날짜'] }),
    ],
    /20240515/,
  ],
  [
    'Which holidays have most days?',
    [find('공휴일'), group('gen_restdeinfo', { by: ['명칭'], limit: 2 })],
    /설날 \| 30[^]*추석 \| 30/,
  ],
  [
    '공휴일을 해마다 세어 줘',
    [find('공휴일'), group('gen_restdeinfo', { by: ['year(날짜)'] })],
    /\| 2026 \| 22 \|/,
  ],
  [
    '2026년 동지 시각은?',
    [find('24절기'), query('gen_24divisionsinfo', { where: '명칭 = 동지 and 날짜 = 2026' })],
    /20261222[^]*0550/,
  ],
  [
    '2026년 초복은?',
    [find('잡절'), query('gen_sundrydayinfo', { where: '명칭 = 초복 and 날짜 = 2026' })],
    /20260715/,
  ],
  [
    '제13대 대통령은 누가 당선됐어?',
    [
      find('대통령선거'),
      query('nec_pres_hist', { where: "선거회차명 = '제13대 대통령선거'", select: ['당선인명'] }),
    ],
    /노태우/,
  ],
  [
    'Turnout of the first local elections?',
    [
      find('지방선거'),
      query('nec_local_hist', { where: "선거회차명 like '제1회%'", select: ['투표율'] }),
    ],
    /68\.4/,
  ],
  [
    '강남구의 법정동 코드는?',
    [find('법정동 코드'), query('gen_ldongcode2', { where: '"법정동 시군구명" = 강남구' })],
    /11[^\n]*680/,
  ],
  [
    '100면이 넘는 유료 공영주차장은 몇 곳?',
    [
      find('공영주차장'),
      query('file_990000001', {
        where: '요금정보 = 유료 and 주차장구분 = 공영 and 주차구획수 > 100',
        limit: 0,
      }),
    ],
    /^104 records/m,
  ],
  [
    'Which car park has most places?',
    [
      find('공영주차장'),
      query('file_990000001', {
        sort: ['-주차구획수'],
        select: ['주차장명', '주차구획수'],
        limit: 3,
      }),
    ],
    /모퉁이 2호공영주차장\(예시\) \| 300/,
  ],
  [
    '시도별 주차장 수를 표로',
    [find('공영주차장'), group('file_990000001', { by: ['_sido'] })],
    /41 경기도 \| 102/,
  ],
  [
    '경기도 시군구별 주차장 수는?',
    [
      find('공영주차장'),
      group('file_990000001', { by: ['_sigungu'], region: '경기도', limit: 10 }),
    ],
    /^Districts of cities .* are groups of their own/m,
  ],
  [
    'How many places do the car parks of Seoul have?',
    [
      find('공영주차장'),
      group('file_990000001', { agg: ['count', 'sum(주차구획수)'], region: '서울' }),
    ],
    /\| 55 \| 7811 \|/,
  ],
  [
    '시청(37.5665,126.978)에서 5km 안의 주차장은?',
    [
      find('공영주차장'),
      query('file_990000001', {
        near: { lat: 37.5665, lon: 126.978, radius: 5_000 },
        select: ['주차장명'],
      }),
    ],
    /of 10 of[^]*나래 1호공영주차장\(예시\) \| 53\d/,
  ],
  [
    '유료와 무료 주차장은 각각 몇 곳?',
    [find('공영주차장'), group('file_990000001', { by: ['요금정보'] })],
    /무료 \| 320[^]*유료 \| 300/,
  ],
  [
    'Public or small libraries, how many of each?',
    [find('예시 도서관'), group('file_990000002', { by: ['도서관유형'] })],
    /공공도서관 \| 244[^]*작은도서관 \| 236/,
  ],
  [
    '열람좌석이 300석을 넘는 도서관 수는?',
    [find('예시 도서관'), query('file_990000002', { where: '열람좌석수 > 300', limit: 0 })],
    /^129 records/m,
  ],
  [
    '경기도의 도서관은 몇 곳?',
    [find('도서관'), query('std_library', { where: '시도명 = 경기도', limit: 0 })],
    /^208 records/m,
  ],
  [
    '수영장은 몇 곳?',
    [find('체육시설'), query('file_990000008', { where: '업종 = 수영장업', limit: 0 })],
    /^411 records/m,
  ],
  [
    '은행나무는 모두 몇 그루?',
    [find('가로수'), group('file_990000009', { agg: ['sum(그루수)'], where: '수종 = 은행나무' })],
    /25595/,
  ],
  [
    'Cameras by purpose?',
    [find('CCTV'), group('file_990000006', { by: ['설치목적구분'], agg: ['sum(카메라대수)'] })],
    /생활방범 \| 1464/,
  ],
  [
    '산업단지 면적이 가장 넓은 시도는?',
    [
      find('산업단지'),
      group('file_990000016', {
        by: ['시도'],
        agg: ['sum("면적(천㎡)")'],
        sort: ['-sum("면적(천㎡)")'],
        limit: 3,
      }),
    ],
    /세종특별자치시 \| 4860/,
  ],
  [
    '권역응급의료센터는 몇 곳?',
    [find('응급의료기관'), group('gen_egytlistinfoinqire', { by: ['응급의료기관분류명'] })],
    /권역응급의료센터 \| 18/,
  ],
  [
    '강남구와 해운대구를 비교해 줘',
    [
      ['describe_region', { region: '강남구' }],
      ['describe_region', { region: '해운대구' }],
    ],
    /^부산광역시 해운대구 \(code 26350\)/m,
  ],
  [
    'Is 광주광역시 of 2020 the same area today?',
    [['describe_region', { region: '광주광역시' }]],
    /was merged into 전남광주통합특별시 \(since 2026-07-01\)/,
  ],
  [
    '군위군은 어느 시도였어?',
    [['describe_region', { region: '대구 군위군' }]],
    /경상북도 군위군 \(until 2023-07-01\)/,
  ],
  [
    '중구의 데이터는?',
    [
      ['describe_region', { region: '중구' }],
      ['describe_region', { region: '부산 중구' }],
    ],
    /부산광역시 중구/,
  ],
  [
    'What do people look for that is not stored here?',
    [['find_datasets', { held: false }]],
    /“지도”: rank 1[^]*“미세먼지”: rank 2/,
  ],
  [
    '공휴일 전체를 파일로 줘',
    [find('공휴일'), ['download_link', { axis: 'gen_restdeinfo' }]],
    /^http:\S+\/api\/export\/gen_restdeinfo\.csv$[^]*192 records/m,
  ],
  [
    'All car parks of Gyeonggi as Parquet, with a hash',
    [find('공영주차장'), ['download_link', { axis: 'file_990000001', format: 'parquet' }]],
    /620 records[^]*SHA-256 [0-9a-f]{64}/,
  ],
  [
    '공휴일 데이터의 출처 문장은?',
    [find('공휴일'), query('gen_restdeinfo', { limit: 1 })],
    /출처: [^\n]*「한국천문연구원_특일 정보 - 공휴일 정보조회」/,
  ],
  [
    '설날이 들어간 것을 모두 찾아 줘',
    [['search_records', { q: '설날' }]],
    /34 in [^\n]*gen_restdeinfo/,
  ],
  [
    'Find 나래 in Seoul',
    [['search_records', { q: '나래', region: '서울' }]],
    /records? with “나래”/,
  ],
];

function find(q: string, input: object = {}): AgentTask[1][number] {
  return ['find_datasets', { ...(q === '' ? {} : { q }), ...input }];
}

function describe(axis: string): AgentTask[1][number] {
  return ['describe_dataset', { axis }];
}

function query(axis: string, input: object): AgentTask[1][number] {
  return ['query_records', { axis, ...input }];
}

function group(axis: string, input: object): AgentTask[1][number] {
  return ['summarize', { axis, ...input }];
}
