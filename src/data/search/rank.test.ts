import assert from 'node:assert/strict';
import test from 'node:test';
import { compareRanks, rankOf } from './rank.ts';

test('titles with the word precede those with it in the provider, a synonym or a longer word', () => {
  const terms = [{ text: '화재', phrase: false, nameSynonyms: ['소방'] }];
  const query = { terms, text: '화재', ranksTitles: true };
  const inOrder = [
    '소방청_연도별 화재\u001f소방청',
    '화재보험협회_일람\u001f화재보험협회',
    '서울특별시_소방 출동\u001f서울특별시',
    '고성군 문화재위원회\u001f강원도 고성군',
    '기상청_산불 위험\u001f기상청\u001f화재',
  ];
  const ranks = inOrder.map((text) => rankOf(text, query)!);
  assert.deepEqual(ranks.toSorted(compareRanks), ranks);
  assert.deepEqual(
    ranks.map(({ tier }) => tier),
    [3, 3, 4, 4, 6],
  );
});

test('a title with the word, also in a compound, precedes one with its letters in another word', () => {
  for (const [word, inOrder] of [
    ['화재', ['서울_화재', '서울_공장화재현황', '고성군 문화재', '충청북도_문화재자료']],
    ['수도', ['서울_수도요금', '전라북도_상수도 현황', '국토교통부_수도권 계획']],
    ['남구', ['울산광역시 남구_도로', '서울특별시 강남구_도로']],
    ['ev', ['ev 충전소 목록', '제주도청_evs 목록', '제주_bus event']],
  ] as const) {
    const query = { terms: [{ text: word, phrase: false }], text: word, ranksTitles: true };
    const ranks = inOrder.map((text) => rankOf(text, query)!);
    const sorted = ranks.toSorted(compareRanks).map((rank) => inOrder[ranks.indexOf(rank)]);
    assert.deepEqual(sorted, inOrder);
  }
});

test('a title with more words of the query precedes one with fewer', () => {
  const terms = ['2018', '미세먼지', '지도'].map((text) => ({ text, phrase: false }));
  const query = { terms, text: '2018 미세먼지 지도', ranksTitles: true };
  const [two, one] = ['국토_2018 미세먼지\u001f국토', '서울_미세먼지\u001f서울'].map((text) =>
    rankOf(text, query, 0b101)!,
  );
  assert.ok(compareRanks(two!, one!) < 0);
});
