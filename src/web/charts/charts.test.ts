import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { barChart } from './bar-chart.ts';
import { chartFile } from './chart-file.ts';
import { valueClasses } from './choropleth.ts';
import { columnChart } from './column-chart.ts';
import { periodAt, periodNumber, periodText, shortPeriodText } from './periods.ts';
import { roundTicks } from '../../data/values/round-ticks.ts';
import { shortNumber } from './short-number.ts';
import { timeChart } from './time-chart.ts';

test('a number is shortened with the words of its language', () => {
  const cases = [
    [0, '0', '0'],
    [9_999, '9,999', '10K'],
    [12_345, '1.2만', '12.3K'],
    [1_234_567, '123만', '1.2M'],
    [1_234_567_890, '12.3억', '1.2B'],
    [-30_000, '-3만', '-30K'],
    [2.346, '2.35', '2.35'],
    [5e12, '5조', '5T'],
  ] as const;
  for (const [value, korean, english] of cases) {
    assert.equal(shortNumber(value, 'ko'), korean);
    assert.equal(shortNumber(value, 'en'), english);
  }
});

test('ticks are round, ascend by one step and enclose all values', () => {
  assert.deepEqual(roundTicks(0, 1_510), [0, 500, 1_000, 1_500, 2_000]);
  fc.assert(
    fc.property(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      (min, span) => {
        const ticks = roundTicks(min, min + span);
        assert.ok(ticks.length >= 2 && ticks.length <= 7, String(ticks));
        const room = Math.max(1, Math.abs(min) + span) * 1e-8;
        assert.ok(ticks[0]! <= min + room && ticks.at(-1)! >= min + span - room);
        assert.deepEqual(
          ticks,
          ticks.toSorted((a, b) => a - b),
        );
      },
    ),
  );
});

test('every value is in one of at most five classes, and equal values are in the same', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }), (values) => {
      const classes = valueClasses(values);
      assert.ok(classes.length <= 5);
      assert.equal(classes.at(-1)!.level, 5);
      for (const value of values) {
        assert.equal(classes.filter(({ low, high }) => low <= value && value <= high).length, 1);
      }
    }),
  );
  assert.deepEqual(valueClasses([7, 7]), [{ level: 5, low: 7, high: 7 }]);
  const far = valueClasses([212_187, 198_000, 44_472, 40_000, 30_000, 20_000, 19_000, 3_000]);
  const levelOf = (value: number): number => far.findLast(({ low }) => low <= value)!.level;
  assert.ok(
    levelOf(44_472) < levelOf(198_000),
    'Values that stand apart have colours of their own.',
  );
});

test('the period of the number of a period is that period, and the next day follows it', () => {
  const days = fc.date({
    min: new Date('1391-01-01'),
    max: new Date('2100-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, fc.constantFrom(4, 7, 10), (date, length) => {
      const period = date.toISOString().slice(0, length);
      assert.equal(periodAt(periodNumber(period), period), period);
    }),
  );
  assert.equal(periodNumber('2025-01') - periodNumber('2024-12'), 1);
  assert.equal(periodNumber('2024-03-01') - periodNumber('2024-02-29'), 1);
});

test('a period is written as readers of each language write it', () => {
  assert.equal(periodText('2024-06-01', 'ko'), '2024년 6월 1일');
  assert.equal(periodText('2024-06', 'en'), 'June 2024');
  assert.equal(shortPeriodText('2024', 'ko'), '2024년');
  assert.equal(shortPeriodText('2024-06', 'ko'), '2024. 6.');
  assert.equal(shortPeriodText('2024-06-01', 'en'), '1 Jun 2024');
});

test('a line falls to zero over missing months of a count, and is interrupted in a mean', () => {
  const points = ['2024-01', '2024-02', '2024-07', '2024-08'].map((period) => ({
    period,
    value: 8,
  }));
  const pathOf = (isAdditive: boolean): string =>
    /class="line"[^]*? d="([^"]*)"/.exec(
      timeChart({ name: '건수', points, isAdditive }, 'ko').svg.markup,
    )![1]!;
  assert.equal(pathOf(true).match(/M/g)?.length, 1);
  assert.equal(pathOf(true).match(/L/g)?.length, 5, 'Two of them are March and June.');
  assert.equal(pathOf(false).match(/M/g)?.length, 2);
});

test('each period of a line has its value as a tooltip, also a single one', () => {
  const { svg } = timeChart(
    { name: '건수', points: [{ period: '2024-06', value: 12 }], isAdditive: true },
    'ko',
  );
  assert.match(svg.markup, /<title>2024년 6월: 12<\/title>/);
  assert.match(svg.markup, /<circle cx="50%"/);
  assert.doesNotMatch(svg.markup, /NaN|Infinity|undefined/);
});

test('bars are as long as their values, and the rest of a list has none', () => {
  const bar = { isRest: false, href: '/data/file_1' };
  const { svg } = barChart(
    '요금',
    [
      { ...bar, label: '무료 <주차>', value: 100 },
      { ...bar, label: '유료', value: 25 },
      { label: '그 외 9가지', value: 1_000, isRest: true, href: null },
    ],
    'ko',
  );
  assert.deepEqual(
    Array.from(svg.markup.matchAll(/class="bar"[^>]*width="([\d.]+)%"/g), ([, width]) => width),
    ['100', '25'],
  );
  assert.match(svg.markup, /무료 &lt;주차&gt;/);
  assert.match(svg.markup, /1,000/);
});

test('columns are as high as their values on one scale, with the part at the foot of each', () => {
  const { svg, height } = columnChart(
    {
      name: '주별',
      partName: '가입',
      columns: [
        { label: '11-09', value: 300, part: 75 },
        { label: '<11-16>', value: null, part: null },
        { label: '11-23', value: 150, part: 0 },
      ],
      isLastPartial: true,
    },
    'ko',
  );
  const heights = Array.from(
    svg.markup.matchAll(/class="column( part)?"[^>]*?height="([\d.]+)"/g),
    ([, part, value]) => [part === undefined ? 'whole' : 'part', Number(value)],
  );
  assert.deepEqual(heights, [
    ['whole', 180],
    ['part', 45],
    ['whole', 0],
    ['part', 0],
    ['whole', 90],
    ['part', 0],
  ]);
  assert.match(svg.markup, /<title>11-09: 300 \(가입 75\)<\/title>/);
  assert.match(svg.markup, /&lt;11-16&gt;: –/);
  assert.equal(svg.markup.match(/class="partial"/g)?.length, 1);
  assert.doesNotMatch(svg.markup, /NaN|Infinity|undefined|style="/);
  assert.ok(height > 180);
  const [lastColumn, firstTick] = [svg.markup.lastIndexOf('<rect'), svg.markup.indexOf('tick"')];
  assert.ok(lastColumn < firstTick, 'No column covers a number of the scale.');
});

test('the file of a chart has colours instead of variables, and no style that a policy forbids', () => {
  const { svg, height } = timeChart(
    { name: '건수', points: [{ period: '2024', value: 3 }], isAdditive: true },
    'ko',
  );
  const file = chartFile({ svg, height }, { title: '제목', notes: [], source: '자료' }).toString();
  assert.doesNotMatch(file, /var\(|light-dark|currentColor|style="/);
  assert.match(file, /\.chart \.line \{[^}]*stroke: #8a4f24/);
  assert.doesNotMatch(svg.markup, /style="/);
});
