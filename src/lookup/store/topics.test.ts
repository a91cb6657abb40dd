import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../data/korean/terms.ts';
import { Topics } from './topics.ts';

const axes = [
  stored('file_1', '서울특별시 공공 도서관', ['도서관명', '열람석 수', '주소']),
  stored('file_2', '전국 CCTV 위치', ['설치목적', '주소']),
  stored('file_3', '주차장 정보', ['주차구획수', '주소']),
  stored('file_4', '전국도시철도역사정보', ['주소']),
  stored('file_5', '소방청_전국 소방서', ['주소']),
  stored('file_6', '전라북도 산', ['주소']),
  stored('file_7', '인천광역시 미추홀구 공원', ['주소'], '조달청'),
  stored('file_8', '환경부_전기자동차 충전소', ['주소']),
  stored('file_9', '승강기 (elevator)', ['주소']),
  stored('file_10', '제주_EV 보급 현황', ['주소']),
  stored('file_11', '한국가스안전공사_전국 도시가스충전소 현황', ['주소']),
];
const topics = new Topics(axes);

test('a dataset is about the words of its title, blanks and case aside', () => {
  assert.equal(fulfilled('file_1', '공공도서관'), 1);
  assert.equal(fulfilled('file_1', '강남 도서관 서울'), 0b110);
  assert.equal(fulfilled('file_2', 'cctv'), 1);
  assert.equal(fulfilled('file_3', '도서관'), 0);
});

test('a dataset is about a label of its own, but not about one that others have too', () => {
  assert.deepEqual(subject('file_1', '열람석수'), { kind: 'label', text: '열람석수' });
  assert.equal(subject('file_1', '주소'), null);
});

test('one syllable, two Latin letters and a phrase are not read as subjects', () => {
  assert.equal(subject('file_1', '관'), null);
  assert.equal(subject('file_2', 'cc'), null);
  assert.equal(subject('file_1', '"도서관"'), null);
});

test('a dataset is about the synonyms of a word of its title', () => {
  assert.deepEqual(subject('file_1', 'library'), { kind: 'synonym', text: '도서관' });
  assert.equal(subject('file_3', 'library'), null);
  assert.deepEqual(subject('file_4', '지하철역'), { kind: 'synonym', text: '도시철도역' });
});

test('words for electric cars and their chargers are one subject, short and joined ones too', () => {
  for (const query of ['전기차 충전소', '전기자동차 충전기', 'EV 충전소', 'ev charger'])
    assert.equal(fulfilled('file_8', query), 0b11, query);
  for (const query of ['전기차충전소', '전기차충전기', '전기자동차충전기', 'EV'])
    assert.equal(fulfilled('file_8', query), 0b1, query);
});

test('a dataset is about a synonym of two letters only if its title has it as a word', () => {
  for (const query of ['전기차', '전기자동차']) {
    assert.equal(subject('file_9', query), null, query);
    assert.deepEqual(subject('file_10', query), { kind: 'synonym', text: 'ev' });
  }
});

test('chargers are of electric cars, while stations to charge are of any fuel', () => {
  for (const query of ['충전기', 'charger']) {
    assert.equal(subject('file_11', query), null, query);
    assert.equal(fulfilled('file_8', query), 1, query);
  }
  assert.equal(subject('file_11', '충전소')?.kind, 'title');
});

test('a dataset is about two terms that are one word of its title in another language', () => {
  assert.equal(fulfilled('file_5', 'fire station'), 0b11);
  assert.equal(fulfilled('file_5', 'fire'), 0);
});

test('a dataset is about a region by its other names, and by the name that it has today', () => {
  assert.equal(fulfilled('file_1', '서울시 도서관'), 0b11);
  assert.equal(fulfilled('file_6', '전북 남구'), 0b1);
  assert.equal(fulfilled('file_7', '인천 남구'), 0b11);
  assert.equal(fulfilled('file_7', '부산 남구'), 0);
});

test('axes are found by a word of their provider’s name', () => {
  const found = topics.providersWith(parseQuery('도서관 조달청').terms);
  assert.deepEqual([...found], [['file_7', 0b10]]);
});

function subject(code: string, query: string) {
  return topics.subjectsOf(parseQuery(query).terms).get(code)?.byTerm[0] ?? null;
}

function fulfilled(code: string, query: string): number {
  return topics.subjectsOf(parseQuery(query).terms).get(code)?.fulfilled ?? 0;
}

function stored(code: string, title: string, labels: readonly string[], provider?: string) {
  return {
    axis: { code, title, provider: provider === undefined ? null : { name: provider, code: null } },
    fields: labels.map((label) => ({ label })),
  };
}
