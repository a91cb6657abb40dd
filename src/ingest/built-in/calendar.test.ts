import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dayNumber, isoDay, lunarParts, stemOf, weekdayOf } from '../../../tools/calendar/days.ts';
import { createFieldProfiler } from '../fields/profiler.ts';
import { calendarAxes } from './calendar.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

const axes = calendarAxes('2026-11-21T00:00:00Z');

type Day = Readonly<Record<string, string | null>>;

/** The days of an axis, of one year if it is given. */
function daysOf(code: string, year: number | '' = ''): Day[] {
  const axis = axes.find((each) => each.axis.code === code);
  assert.ok(axis);
  return axis.rows
    .map((cells) => Object.fromEntries(axis.columns.map((name, at) => [name, cells[at] ?? null])))
    .filter((day) => day['locdate']?.startsWith(String(year)));
}

/** Date and name: `2026-03-03 정월대보름`. */
function dateAndName({ locdate, dateName }: Day): string {
  return `${locdate?.replace(/(....)(..)(..)/, '$1-$2-$3')} ${dateName}`;
}

function datedDays(code: string, year: number): string[] {
  return daysOf(code, year).map(dateAndName);
}

function findDay(code: string, year: number, name: string): Day | undefined {
  return daysOf(code, year).find(({ dateName }) => dateName === name);
}

/** Items of one of KASI's responses, values trimmed. */
function kasiItems(operation: string): Record<string, string>[] {
  const xml = readFileSync(join(realData, `api-kasi/${operation}_2021.xml`), 'utf8');
  return [...xml.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) =>
    Object.fromEntries(
      [...item.matchAll(/<(\w+)>(.*?)<\/\1>/g)].map(([, name, value]) => [name, value?.trim()]),
    ),
  );
}

/** Minutes since midnight of `hhmm`. */
function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(2));
}

test('day numbers, weekdays and stems follow the calendar', () => {
  assert.equal(dayNumber('1970-01-02'), 1);
  assert.equal(isoDay(dayNumber('2024-02-29')), '2024-02-29');
  assert.equal(weekdayOf(dayNumber('2026-11-21')), 6);
  // 2024-01-01 was a 갑자 day.
  assert.equal(stemOf(dayNumber('2024-01-01')), 0);
});

test('lunar dates are those of the Korean calendar', () => {
  assert.equal(findDay('gen_restdeinfo', 2026, '부처님오신날')?.['locdate'], '20260524');
  assert.equal(findDay('gen_restdeinfo', 2025, '추석')?.['locdate'], '20251005');
  assert.equal(findDay('gen_sundrydayinfo', 2020, '단오')?.['locdate'], '20200625');
});

test('solar terms around midnight have the right date', () => {
  const terms = daysOf('gen_24divisionsinfo', 2021);
  const findTerm = (name: string) => terms.find(({ dateName }) => dateName === name);
  assert.deepEqual(
    [findTerm('입춘')?.['locdate'], findTerm('입춘')?.['kst']],
    ['20210203', '2359'],
  );
  assert.equal(findTerm('동지')?.['locdate'], '20211222');
  assert.deepEqual([terms.length, findTerm('춘분')?.['sunLongitude']], [24, '0']);
});

test('sundry days follow their rules', () => {
  assert.deepEqual(datedDays('gen_sundrydayinfo', 2026), [
    '2026-03-03 정월대보름',
    '2026-04-06 한식',
    '2026-06-19 단오',
    '2026-07-15 초복',
    '2026-07-25 중복',
    '2026-08-14 말복',
    '2026-08-19 칠석',
  ]);
  assert.ok(datedDays('gen_sundrydayinfo', 2024).includes('2024-08-14 말복'));
});

test('holidays have the names of KASI, and two on one day are two records', () => {
  const days = datedDays('gen_restdeinfo', 2025);
  assert.equal(days.filter((day) => day.endsWith(' 설날')).length, 3);
  assert.ok(days.includes('2025-03-03 대체공휴일(삼일절)'));
  assert.ok(days.includes('2025-05-05 어린이날') && days.includes('2025-05-05 부처님오신날'));
});

test('제헌절 is a national day in every year, and a holiday from 2026', () => {
  const days = [2025, 2026].map((year) => findDay('gen_holideinfo', year, '제헌절'));
  assert.deepEqual(
    days.map((day) => day?.['isHoliday']),
    ['N', 'Y'],
  );
});

test('movable anniversaries are on their weekday', () => {
  const days = datedDays('gen_anniversaryinfo', 2027);
  for (const day of ['2027-03-17 상공의 날', '2027-05-17 성년의 날', '2027-10-26 금융의 날']) {
    assert.ok(days.includes(day), day);
  }
});

test('the axes have every record once, in the form of the portal', () => {
  assert.deepEqual(
    axes.map(({ axis, rows }) => [axis.code, rows.length]),
    [
      ['gen_restdeinfo', 192],
      ['gen_holideinfo', 200],
      ['gen_anniversaryinfo', 246],
      ['gen_24divisionsinfo', 240],
      ['gen_sundrydayinfo', 70],
    ],
  );
  assert.deepEqual(daysOf('gen_24divisionsinfo')[0], {
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

test('days of one date are numbered across all kinds', () => {
  assert.equal(findDay('gen_anniversaryinfo', 2026, '어린이 날')?.['seq'], '2');
  assert.equal(findDay('gen_24divisionsinfo', 2026, '입하')?.['seq'], '3');
});

test('the fields of the axes are described as the portal labels them', () => {
  for (const { columns, publishedFields, rows } of axes) {
    const profiler = createFieldProfiler(columns, { publishedFields });
    for (const row of rows) profiler.add(row);
    const fields = new Map(profiler.fields().map((field) => [field.name, field]));
    assert.deepEqual([fields.get('locdate')?.type, fields.get('locdate')?.label], ['date', '날짜']);
    assert.equal(fields.get('dateName')?.role, 'name');
    assert.equal(fields.get('dateKind')?.type, 'string');
    assert.notEqual(fields.get('kst')?.type, 'integer');
  }
});

realDataTest('the dates of 2021 are those that KASI published, the times within a minute', () => {
  const terms = kasiItems('get24DivisionsInfo');
  const ours = daysOf('gen_24divisionsinfo', 2021);
  assert.deepEqual(ours.map(dateAndName), terms.map(dateAndName));
  terms.forEach(({ kst = '' }, at) => {
    assert.ok(Math.abs(minutesOf(kst) - minutesOf(ours[at]?.['kst'] ?? '')) <= 1);
  });
  const sundry = kasiItems('getSundryDayInfo').map(dateAndName);
  assert.deepEqual(datedDays('gen_sundrydayinfo', 2021), sundry);
  // The responses were taken before the law of July 2021 added substitutes for three of the days.
  const withoutLaterSubstitutes = (code: string): string[] =>
    datedDays(code, 2021).filter((day) => !day.includes('대체공휴일'));
  const holidays = kasiItems('getRestDeInfo').map(dateAndName);
  assert.deepEqual(withoutLaterSubstitutes('gen_restdeinfo'), holidays);
  const national = kasiItems('getHoliDeInfo').map(dateAndName);
  assert.deepEqual(withoutLaterSubstitutes('gen_holideinfo'), national);
});

realDataTest('terms, sundry days and anniversaries of 2025 and 2026 are as published', () => {
  for (const year of [2025, 2026]) {
    const path = join(realData, `holidays/distbe-${year}.json`);
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
    const ours = (code: string): string[] =>
      datedDays(code, year)
        .map((day) => day.replaceAll(/(?<=\D) /g, ''))
        .sort();
    assert.deepEqual(ours('gen_24divisionsinfo'), published(3));
    assert.deepEqual(ours('gen_sundrydayinfo'), published(4));
    assert.deepEqual(ours('gen_anniversaryinfo'), published(2));
  }
});

realDataTest('the calendar of the runtime is the Korean one from 2018 to 2050', () => {
  const path = join(realData, 'load/Kcalendar.csv.gz');
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
