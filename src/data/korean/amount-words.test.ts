import assert from 'node:assert/strict';
import test from 'node:test';
import { readAmountWords } from './amount-words.ts';

test('an amount and a comparison are read as a condition: operator, number and unit', () => {
  const table: readonly (readonly [typed: string, condition: string, rest: string])[] = [
    ['강남구 주차장 100 이상', 'from 100 -', '강남구 주차장'],
    ['주차장 100면 이상', 'from 100 면', '주차장'],
    ['100 면 이하 주차장', 'to 100 면', '주차장'],
    ['승강기 1,000대가 넘는 구', 'above 1000 대', '승강기 구'],
    ['주차장 기본요금 1만 원 미만', 'below 10000 원', '주차장 기본요금'],
    ['50개소보다 많은 시도', 'above 50 개소', '시도'],
    ['주차장 2.5 초과인 곳', 'above 2.5 -', '주차장'],
  ];
  for (const [typed, expected, rest] of table) {
    const read = readAmountWords(typed)!;
    const texts = read.conditions.map(
      ({ test: operator, value, unit }) => `${operator} ${value} ${unit ?? '-'}`,
    );
    assert.deepEqual([texts.join(), read.rest], [expected, rest], typed);
  }
});

test('words such as 많은 순 are read as a sort order: key, direction and level of regions', () => {
  const table: readonly (readonly [typed: string, order: string, rest: string])[] = [
    ['주차장 많은 순', 'amount desc - -', '주차장'],
    ['주차장 적은순으로', 'amount asc - -', '주차장'],
    ['가장 많은 주차장', 'amount desc - -', '주차장'],
    ['주차장 가장 많은 곳', 'amount desc - -', '주차장'],
    ['주차장 싼 순', 'amount asc 원 -', '주차장'],
    ['화재 최신순', 'date desc - -', '화재'],
    ['학교 오래된 순서', 'date asc - -', '학교'],
    ['약국 이름순', 'name asc - -', '약국'],
    ['주차장 면수순', 'amount desc 면 -', '주차장'],
    ['강남구 주차장 요금 순으로', 'amount desc 원 -', '강남구 주차장'],
    ['승강기 정원수순', 'amount desc - -', '승강기 정원수'],
    ['화재 날짜순', 'date desc - -', '화재'],
    ['주차장이 가장 많은 시군구', 'amount desc - sigungu', '주차장이'],
    ['엘리베이터 제일 적은 시도는', 'amount asc - sido', '엘리베이터'],
    ['약국 많은 구', 'amount desc - sigungu', '약국'],
  ];
  for (const [typed, expected, rest] of table) {
    const read = readAmountWords(typed);
    const { by, isDescending, unit, groups } = read?.order ?? {};
    const text = `${by} ${isDescending ? 'desc' : 'asc'} ${unit ?? '-'} ${groups ?? '-'}`;
    assert.deepEqual([text, read?.rest], [expected, rest], typed);
  }
});

test('어느 달, 어느 해 and 어느 시도 are read as an order of these groups', () => {
  const table: readonly (readonly [typed: string, order: string, rest: string])[] = [
    ['화재가 가장 많은 달', 'desc month', '화재가'],
    ['화재가 가장 많은 달은 언제인가요?', 'desc month', '화재가'],
    ['어느 달에 화재가 가장 많이 났나요?', 'desc month', '화재가'],
    ['몇 월에 사고가 많은가', 'desc month', '사고가'],
    ['어느 구가 아파트 제일 싼가요', 'asc sigungu', '아파트'],
    ['어느 구 공원 작은도서관', 'none sigungu', '공원 작은도서관'],
    ['어느 지역 적십자병원', 'none sido', '적십자병원'],
    ['어느 해에 화재가 적었나', 'asc year', '화재가'],
    ['어느 시도에 도서관이 가장 많나', 'desc sido', '도서관이'],
    ['주차장 제일 많은 연도', 'desc year', '주차장'],
  ];
  for (const [typed, expected, rest] of table) {
    const read = readAmountWords(typed);
    const { isDescending, groups } = read?.order ?? {};
    const order = isDescending === null ? 'none' : isDescending ? 'desc' : 'asc';
    assert.deepEqual([`${order} ${groups ?? '-'}`, read?.rest], [expected, rest], typed);
  }
});

test('a query without a comparison, without other words, or in quotes has no condition', () => {
  const table: readonly (readonly [typed: string, reason: string])[] = [
    ['100', 'no comparison'],
    ['100 이상', 'no other words'],
    ['"100 이상" 주차장', 'in quotes'],
    ['이상 기후', 'no number'],
    ['65세 이상 인구', 'an age, which is no amount'],
    ['많은 순', 'no other words'],
  ];
  for (const [typed, reason] of table)
    assert.equal(readAmountWords(typed), null, `${typed}: ${reason}`);
});
