import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCatalog, testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { SnapshotStore } from './snapshot.ts';

test('near entries have the subject: first of the sido, then of all regions, then others', async () => {
  const titles = await nearTitles('강남구 어린이집', [
    entry('부산광역시_어린이집 현황', '부산광역시'),
    entry('서울특별시 강남구_가로수 현황', '서울특별시 강남구'),
    entry('전국어린이집표준데이터', '보건복지부'),
    entry('서울특별시_어린이집 정보', '서울특별시'),
  ]);
  assert.deepEqual(titles, [
    '서울특별시_어린이집 정보',
    '전국어린이집표준데이터',
    '부산광역시_어린이집 현황',
  ]);
});

test('a general election leads to the winners, the candidates and the counting of votes', async () => {
  const entries = [
    entry('서울특별시_국회의원 사무실', '서울특별시'),
    entry('중앙선거관리위원회 당선인정보', '중앙선거관리위원회'),
    entry('중앙선거관리위원회 후보자 정보', '중앙선거관리위원회'),
    entry('중앙선거관리위원회 개표소정보', '중앙선거관리위원회'),
    entry('서울특별시_2020 예산', '서울특별시'),
  ];
  for (const typed of ['총선', '2020 총선', '국회의원선거', '국회의원 선거']) {
    const found = (await nearTitles(typed, entries)).slice(0, 3);
    assert.deepEqual(new Set(found), new Set(entries.slice(1, 4).map(({ title }) => title)), typed);
  }
});

test('a former region leads to the current one; a district never to another province', async () => {
  const masan = await nearTitles('마산시 인구', [
    entry('경상남도 거제시_인구', '경상남도 거제시'),
    entry('경상남도 창원시_인구 현황', '경상남도 창원시'),
    entry('부산광역시_인구', '부산광역시'),
  ]);
  assert.deepEqual(masan, ['경상남도 창원시_인구 현황', '경상남도 거제시_인구', '부산광역시_인구']);
  const namgu = await nearTitles('인천 남구 흡연구역', [
    entry('울산광역시 남구_흡연구역', '울산광역시 남구'),
    entry('인천광역시 서구_흡연구역 현황', '인천광역시 서구'),
  ]);
  assert.deepEqual(namgu, ['인천광역시 서구_흡연구역 현황', '울산광역시 남구_흡연구역']);
});

test('a short name of a region is a region, unless it is more often another word', async () => {
  const entries = [
    entry('충청북도 청주시_물가정보', '충청북도 청주시'),
    entry('강원도_미세먼지 측정', '강원도'),
    entry('충청북도_미세먼지 경보 발령 현황', '충청북도'),
  ];
  assert.deepEqual((await nearTitles('청주 미세먼지', entries)).slice(0, 2), [
    '충청북도_미세먼지 경보 발령 현황',
    '강원도_미세먼지 측정',
  ]);
  const budgets = [entry('서울특별시_예산', '서울특별시'), entry('충청남도_도로', '충청남도')];
  assert.deepEqual(await nearTitles('예산 심의', budgets), ['서울특별시_예산']);
});

test('rare words of a query count more than common ones, and titles more than descriptions', async () => {
  const common = Array.from({ length: 30 }, (_, i) => entry(`${i}동_학교 현황`, '시험기관'));
  const titles = await nearTitles('폐교된 학교 빌리기', [
    ...common,
    entry('교육청_폐교재산', '시험기관'),
    { ...entry('교육청_학교 재산', '시험기관'), description: '폐교를 빌려줍니다.' },
  ]);
  assert.deepEqual(titles.slice(0, 2), ['교육청_폐교재산', '교육청_학교 재산']);
});

test('a compound word is near to entries with its parts; numbers are not divided', async () => {
  const entries = [entry('한국도로공사_휴게소 현황', '한국도로공사'), entry('2호선 역', '공단')];
  assert.deepEqual(await nearTitles('고속도로휴게소 맛집', entries), ['한국도로공사_휴게소 현황']);
  assert.deepEqual(await nearTitles('5호선', entries), []);
});

test('a word that few titles have is near to those with its words, whatever stands between', async () => {
  const titles = [
    '경찰청_음주운전 단속 현황',
    '경찰청_운전 면허',
    '경찰청_단속 카메라',
    '경찰청_음주운전 사고',
  ];
  const entries = titles.map((title) => entry(title, '경찰청'));
  const [first] = await nearTitles('음주운전단속 경찰서', entries);
  assert.equal(first, '경찰청_음주운전 단속 현황');
});

test('near entries have the requested type and leave out entries that the query finds', async () => {
  const entries = [
    entry('강릉시_길고양이 중성화', '강릉시'),
    entry('서천군_길고양이 중성화', '서천군'),
    { ...entry('서천군_길고양이', '서천군'), id: 'API:9', portalId: '9', type: 'API' as const },
  ];
  assert.deepEqual(await nearTitles('강릉시 길고양이', entries, 'FILE'), [
    '서천군_길고양이 중성화',
  ]);
  assert.deepEqual(await nearTitles('강릉시 길고양이', entries, 'API'), ['서천군_길고양이']);
  assert.deepEqual(await nearTitles('없는낱말', entries), []);
});

test('a general word is worth little beside a subject, and what it is worth without one', async () => {
  const entries = [
    entry('재단_사람 그림', '재단'),
    ...Array.from({ length: 9 }, (_, i) => entry(`${i}시_도박 상담`, '시험기관')),
  ];
  const [first] = await nearTitles('도박에 빠진 사람', entries);
  assert.equal(first, '8시_도박 상담');
  assert.deepEqual(await nearTitles('사람 초상화', entries), ['재단_사람 그림']);
});

test('an everyday word leads to its official words where hardly any title has it', async () => {
  const others = Array.from({ length: 30 }, (_, i) => entry(`${i}동_도로 현황`, '시험기관'));
  const official = entry('고용노동부_임금 현황', '고용노동부');
  assert.deepEqual(await nearTitles('초봉', [...others, official]), ['고용노동부_임금 현황']);
  const own = Array.from({ length: 5 }, (_, i) => entry(`${i}시_초봉 현황`, '시험기관'));
  assert.deepEqual(await nearTitles('초봉', [...others, ...own, official]), []);
});

test('an everyday phrase is near to its official words before its own', async () => {
  const titles = await nearTitles('아이 주말에 맡길 곳', [
    ...Array.from({ length: 30 }, (_, i) => entry(`${i}동_도로 현황`, '시험기관')),
    entry('서울시_아이 사진', '시험기관'),
    entry('서울시_어린이집 현황', '시험기관'),
  ]);
  assert.equal(titles[0], '서울시_어린이집 현황');
});

async function nearTitles(
  q: string,
  entries: readonly CatalogEntry[],
  type?: CatalogEntry['type'],
): Promise<string[]> {
  using data = temporaryFolder();
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const { terms } = parseQuery(q);
  const near = await store.catalogNear(type === undefined ? { terms } : { terms, type }, 10);
  return near.map((record) => (JSON.parse(record.toString()) as CatalogEntry).title);
}

let portalId = 1000;

function entry(title: string, provider: string): CatalogEntry {
  return testEntry({ type: 'FILE', portalId: String(portalId++), title, provider });
}
