import assert from 'node:assert/strict';
import test from 'node:test';
import { parseQuery } from '../../data/korean/terms.ts';
import { titleQuery } from './title-query.ts';

test('a query over titles requires its topics alone', () => {
  const table: readonly (readonly [typed: string, required: readonly string[]])[] = [
    ['도서관은 어디에 있나요', ['도서관']],
    ['전국에 있는 도서관', ['도서관']],
    ['서울에서 도서관이 가장 많은 지역은', ['서울', '도서관']],
    ['도서관현황', ['도서관']],
    ['미세먼지 api', ['미세먼지']],
    ['어린이집 연도별 통계 2022', ['어린이집']],
    ['fire station list', ['fire', 'station']],
    ['경기도 버스', ['경기도', '버스']],
    ['"도서관 현황"', ['도서관 현황']],
    ['현황 목록', ['현황', '목록']],
    ['여권 발급?', ['여권', '발급']],
    ['코로나 어디서 받나요', ['코로나']],
    ['산불이 많이 나는 곳은', ['산불']],
    ['폐기물 얼마나 버리나', ['폐기물']],
    ['병원 가도 될까', ['병원', '가도']],
    ['바나나 수입', ['바나나', '수입']],
    ['우크라이나 코로나 케냐', ['우크라이나', '코로나', '케냐']],
    ['2018년', ['2018']],
    ['2018년 미세먼지', ['미세먼지']],
  ];
  for (const [typed, expected] of table) {
    const { query, fulfilled } = titleQuery(parseQuery(typed));
    const required = query.terms.filter((_, at) => (fulfilled & (1 << at)) === 0);
    assert.deepEqual(
      required.map(({ text }) => text),
      expected,
      typed,
    );
  }
});

test('a long word is also found with a blank in it, unlike a short one and a phrase', () => {
  assert.deepEqual(spellingsWithBlank('부대식단'), ['부대 식단']);
  assert.deepEqual(spellingsWithBlank('흡연구역도'), ['흡연 구역도', '흡연구 역도']);
  assert.deepEqual(spellingsWithBlank('도서관'), []);
  assert.deepEqual(spellingsWithBlank('"부대식단"'), []);
});

test('a joined word is found in titles that have a synonym of it with a blank', () => {
  assert.ok(spellingsWithBlank('전기차충전소').includes('전기자동차 충전소'));
});

test('every spelling of 전기차 충전소 finds titles with 전기충전소', () => {
  for (const typed of ['전기차 충전소', '전기자동차 충전소', '전기차충전소', '전기자동차충전소']) {
    const { terms } = titleQuery(parseQuery(typed)).query;
    for (const { text, nameSynonyms = [] } of terms)
      assert.ok(
        [text, ...nameSynonyms].some((word) => '전기충전소'.includes(word)),
        typed,
      );
  }
});

function spellingsWithBlank(typed: string): string[] {
  const { terms } = titleQuery(parseQuery(typed)).query;
  return terms.flatMap(({ nameSynonyms = [] }) =>
    nameSynonyms.filter((word) => word.includes(' ')),
  );
}
