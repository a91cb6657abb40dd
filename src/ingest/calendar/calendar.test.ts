import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Cell } from '../files/table.ts';
import { createFieldProfiler } from '../fields/profiler.ts';
import { anniversaries } from './anniversaries.ts';
import { almanacAxes } from './axes.ts';
import { dayNumber, isoDay, lunarDay, lunarParts, stemOf, weekdayOf } from './days.ts';
import { nationalDays, publicHolidays } from './holidays.ts';
import { solarTerms } from './solar-terms.ts';
import type { SpecialDay } from './special-day.ts';
import { sundryDays } from './sundry-days.ts';

const shared = new URL('../../../../shared/data/', import.meta.url);
const axes = almanacAxes('2026-11-21T00:00:00Z');
const dayAxes = axes.filter(({ axis }) => axis.portalId === '15012690');
const absent = 'shared/data is absent: this check did not run';

function listed(days: readonly SpecialDay[]): string[] {
  return days.map(({ day, name }) => `${isoDay(day)} ${name}`);
}

/** Items of one of KASI's answers, values trimmed. */
function kasiItems(operation: string): Record<string, string>[] {
  const xml = readFileSync(new URL(`api-kasi/${operation}_2021.xml`, shared), 'utf8');
  return [...xml.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) =>
    Object.fromEntries(
      [...item.matchAll(/<(\w+)>(.*?)<\/\1>/g)].map(([, name, value]) => [name, value?.trim()]),
    ),
  );
}

function dated(item: Record<string, string>): string {
  return `${item['locdate']?.replace(/(....)(..)(..)/, '$1-$2-$3')} ${item['dateName']}`;
}

/** Of `hhmm`. */
function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(2));
}

function rowsOf(code: string): Record<string, Cell>[] {
  const axis = axes.find((each) => each.axis.code === code);
  assert.ok(axis);
  return axis.rows.map((cells) =>
    Object.fromEntries(axis.columns.map((name, at) => [name, cells[at] ?? null])),
  );
}

function sequence2026(code: string, name: string): Cell | undefined {
  const row = rowsOf(code).find(
    (each) => each['dateName'] === name && String(each['locdate']).startsWith('2026'),
  );
  return row?.['seq'];
}

test('days are counted without clocks', () => {
  assert.equal(dayNumber('1970-01-02'), 1);
  assert.equal(isoDay(dayNumber('2024-02-29')), '2024-02-29');
  assert.equal(weekdayOf(dayNumber('2026-11-21')), 6);
  // 2024-01-01 was a 갑자 day.
  assert.equal(stemOf(dayNumber('2024-01-01')), 0);
});

test('lunar dates are those of the Korean calendar', () => {
  assert.equal(isoDay(lunarDay(2026, 1, 1)), '2026-02-17');
  assert.equal(isoDay(lunarDay(2025, 8, 15)), '2025-10-06');
  assert.equal(isoDay(lunarDay(2020, 5, 5)), '2020-06-25');
});

test('solar terms that fall around midnight are on their side of it', () => {
  const terms = new Map(solarTerms(2021).map((term) => [term.name, term]));
  assert.equal(isoDay(terms.get('입춘')?.day ?? 0), '2021-02-03');
  assert.equal(terms.get('입춘')?.kst, '2359');
  assert.equal(isoDay(terms.get('동지')?.day ?? 0), '2021-12-22');
  assert.deepEqual([terms.size, terms.get('춘분')?.sunLongitude], [24, 0]);
});

test('sundry days follow their rules', () => {
  assert.deepEqual(listed(sundryDays(2026)), [
    '2026-03-03 정월대보름',
    '2026-04-06 한식',
    '2026-06-19 단오',
    '2026-07-15 초복',
    '2026-07-25 중복',
    '2026-08-14 말복',
    '2026-08-19 칠석',
  ]);
  assert.ok(listed(sundryDays(2024)).includes('2024-08-14 말복'));
});

test('holidays are spelled as KASI spells them, two on one day are two records', () => {
  const days = listed(publicHolidays(2025));
  assert.equal(days.filter((day) => day.endsWith(' 설날')).length, 3);
  assert.ok(days.includes('2025-03-03 대체공휴일(삼일절)'));
  assert.ok(days.includes('2025-05-05 어린이날') && days.includes('2025-05-05 부처님오신날'));
  assert.deepEqual(listed(publicHolidays(2030)), []);
});

test('제헌절 is a national day in every year, and a holiday from 2026', () => {
  const days = [2025, 2026].flatMap(nationalDays).filter(({ name }) => name === '제헌절');
  assert.deepEqual(
    days.map(({ isHoliday }) => isHoliday),
    [false, true],
  );
});

test('anniversaries that move fall on their weekday', () => {
  const days = listed(anniversaries(2027));
  for (const day of ['2027-03-17 상공의 날', '2027-05-17 성년의 날', '2027-10-26 금융의 날']) {
    assert.ok(days.includes(day), day);
  }
});

test('the axes hold records in the portal’s form, without one missing or doubled', () => {
  assert.deepEqual(
    dayAxes.map(({ axis, rows }) => [axis.code, rows.length]),
    [
      ['gen_restdeinfo', 192],
      ['gen_holideinfo', 200],
      ['gen_anniversaryinfo', 246],
      ['gen_24divisionsinfo', 240],
      ['gen_sundrydayinfo', 70],
    ],
  );
  assert.deepEqual(rowsOf('gen_24divisionsinfo')[0], {
    locdate: '20180105',
    seq: '1',
    dateKind: '03',
    isHoliday: 'N',
    dateName: '소한',
    kst: '1849',
    sunLongitude: '285',
  });
  for (const { axis, columns, rows } of axes) {
    assert.equal(axis.origin, 'file');
    const keys = rows.map((cells) =>
      JSON.stringify(axis.keyFields.map((name) => cells[columns.indexOf(name)])),
    );
    assert.equal(new Set(keys).size, rows.length, axis.code);
  }
});

test('days of one date are numbered through all kinds', () => {
  assert.equal(sequence2026('gen_anniversaryinfo', '어린이 날'), '2');
  assert.equal(sequence2026('gen_24divisionsinfo', '입하'), '3');
});

test('the fields of the axes are described as the portal labels them', () => {
  for (const { columns, known, rows } of dayAxes) {
    const profiler = createFieldProfiler(columns, { known });
    for (const row of rows) profiler.add(row);
    const fields = new Map(profiler.fields().map((field) => [field.name, field]));
    assert.deepEqual([fields.get('locdate')?.type, fields.get('locdate')?.label], ['date', '날짜']);
    assert.equal(fields.get('dateName')?.role, 'name');
    assert.equal(fields.get('dateKind')?.type, 'string');
    assert.notEqual(fields.get('kst')?.type, 'integer');
  }
});

test('the dates of 2021 are those KASI answered, the times within a minute', (t) => {
  if (!existsSync(shared)) return t.skip(absent);
  const terms = kasiItems('get24DivisionsInfo');
  const ours = solarTerms(2021);
  assert.deepEqual(listed(ours), terms.map(dated));
  terms.forEach(({ kst = '' }, at) => {
    assert.ok(Math.abs(minutesOf(kst) - minutesOf(ours[at]?.kst ?? '')) <= 1);
  });
  assert.deepEqual(listed(sundryDays(2021)), kasiItems('getSundryDayInfo').map(dated));
  // The answers were taken before the law of July 2021 added substitutes for three of the days.
  const withoutLaterSubstitutes = (days: readonly SpecialDay[]): string[] =>
    listed(days).filter((day) => !day.includes('대체공휴일'));
  assert.deepEqual(
    withoutLaterSubstitutes(publicHolidays(2021)),
    kasiItems('getRestDeInfo').map(dated),
  );
  assert.deepEqual(
    withoutLaterSubstitutes(nationalDays(2021)),
    kasiItems('getHoliDeInfo').map(dated),
  );
});

test('terms, sundry days and anniversaries of 2025 and 2026 are those that were published', (t) => {
  if (!existsSync(shared)) return t.skip(absent);
  for (const year of [2025, 2026]) {
    const path = new URL(`holidays/distbe-${year}.json`, shared);
    // The file's shape is in its manifest; a wrong one fails the comparison.
    const days = JSON.parse(readFileSync(path, 'utf8')) as {
      date: string;
      name: string;
      kind: number;
    }[];
    const published = (kind: number): string[] =>
      days
        .filter((day) => day.kind === kind)
        .map(({ date, name }) => `${date} ${name}`.replaceAll(/(?<=\D) /g, ''))
        .sort();
    const computed = (own: readonly SpecialDay[]): string[] =>
      listed(own)
        .map((day) => day.replaceAll(/(?<=\D) /g, ''))
        .sort();
    assert.deepEqual(computed(solarTerms(year)), published(3));
    assert.deepEqual(computed(sundryDays(year)), published(4));
    assert.deepEqual(computed(anniversaries(year)), published(2));
  }
});

test('the calendar of the runtime is the Korean one on every day of 2018 to 2050', (t) => {
  const path = new URL('load/Kcalendar.csv.gz', shared);
  if (!existsSync(path)) return t.skip(absent);
  let compared = 0;
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
    const [, solar = '', month, day] =
      /^"(\d{4}-\d\d-\d\d)","\d{4}-(\d\d)-(\d\d)"/.exec(line) ?? [];
    if (solar < '2018' || month === undefined) continue;
    const parts = lunarParts(dayNumber(solar));
    assert.deepEqual(
      [Number.parseInt(parts.month, 10), Number(parts.day)],
      [Number(month), Number(day)],
      solar,
    );
    compared++;
  }
  assert.ok(compared > 12_000);
});
