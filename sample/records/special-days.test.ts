import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specialDaysOf } from './special-days.ts';

/** Published by the institute for 2021. */
const terms2021 = {
  입춘: '2021-02-03 2359',
  춘분: '2021-03-20 1837',
  하지: '2021-06-21 1232',
  동지: '2021-12-22 0059',
};

test('solar terms fall on the published day, to the minute or the one beside it', () => {
  for (const [name, published] of Object.entries(terms2021)) {
    const day = specialDaysOf(2021).find((one) => one.name === name);
    assert.equal(day?.date, published.slice(0, 10), name);
    assert.ok(Math.abs(minutes(day.kst) - minutes(published.slice(11))) <= 1, name);
  }
});

test('days of the lunar calendar and the dog days are those of 2021', () => {
  const days = specialDaysOf(2021).filter(({ kind }) => kind === '04');
  assert.deepEqual(
    days.map(({ date, name }) => `${date.slice(5)} ${name}`),
    [
      '02-26 정월대보름',
      '04-05 한식',
      '06-14 단오',
      '07-11 초복',
      '07-21 중복',
      '08-10 말복',
      '08-14 칠석',
    ],
  );
});

test('제헌절 is a national day that became a holiday in 2026', () => {
  assert.deepEqual(
    [2025, 2026].map((year) => specialDaysOf(year).find(({ name }) => name === '제헌절')?.holiday),
    [false, true],
  );
});

test('a year that the gazette of the package does not have is empty', () => {
  assert.deepEqual(specialDaysOf(2001), []);
});

function minutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(2));
}
