import type { Language } from '../../contract/language.ts';
import { roundTicks } from '../../data/values/round-ticks.ts';
import { html, raw, type Html } from '../html.ts';
import type { Drawing } from './chart-file.ts';
import { percentBetween } from './scale.ts';
import { fullNumber, shortNumber } from './short-number.ts';
import { periodAt, periodNumber, periodText, shortPeriodText } from './periods.ts';

interface TimePoint {
  /** `2024`, `2024-06` or `2024-06-01`, all of one length. */
  readonly period: string;
  readonly value: number;
}

interface TimeChart {
  readonly name: string;
  /** In the order of time. */
  readonly points: readonly TimePoint[];
  /** True if a period without a point has the value 0; otherwise the line is interrupted there. */
  readonly isAdditive: boolean;
}

/** Values of periods as a line of any width. Each period has a tooltip. */
export function timeChart({ name, points, isAdditive }: TimeChart, language: Language): Drawing {
  const values = points.map(({ value }) => value);
  const floor = isAdditive ? Math.min(0, ...values) : Math.min(...values);
  const ticks = roundTicks(floor, Math.max(...values, isAdditive ? 1 : -Infinity));
  const scale = scaleOf(points, ticks);
  const lines = linesOf(points, isAdditive);
  const drawn = lines.map((line) => pathOf(line, scale));
  const height = plotTop + plotHeight + 28;
  const svg = html`<svg
    class="chart"
    width="100%"
    height="${height}"
    role="img"
    aria-label="${name}"
    xmlns="http://www.w3.org/2000/svg"
  >
    ${ticks.map((tick) => {
      const y = scale.pixels(tick);
      return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />
        <text class="tick" x="0" y="${y - 4}">${shortNumber(tick, language)}</text>`;
    })}
    ${tooltips(points, scale, language)}
    <svg
      class="plot"
      y="${plotTop}"
      width="100%"
      height="${plotHeight}"
      viewBox="0 0 ${across} ${plotHeight}"
      preserveAspectRatio="none"
      overflow="visible"
    >
      ${isAdditive ? areaOf(lines[0] ?? [], scale) : null}
      <path class="line" vector-effect="non-scaling-stroke" d="${drawn.join('')}" />
    </svg>
    ${dots(points, lines, scale)} ${dateLabels(points, scale, language)}
  </svg>`;
  return { svg, height };
}

const plotTop = 24;
const plotHeight = 240;
/** Width of the drawing in units of its own. */
const across = 1_000;
const dotsMax = 60;

interface Position {
  /** Number of the period, counted from the first period. */
  readonly at: number;
  readonly value: number;
}

interface Scale {
  readonly percent: (at: number) => number;
  /** Distance of a value from the top of the chart. */
  readonly pixels: (value: number) => number;
  readonly placeOf: (point: TimePoint) => number;
}

function scaleOf(points: readonly TimePoint[], ticks: readonly number[]): Scale {
  const first = periodNumber(points[0]!.period);
  const last = periodNumber(points.at(-1)!.period);
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  return {
    percent: (at) => (last === first ? 50 : percentBetween(at, 0, last - first)),
    pixels: (value) =>
      plotTop + Math.round((1 - percentBetween(value, low, high) / 100) * plotHeight * 10) / 10,
    placeOf: ({ period }) => periodNumber(period) - first,
  };
}

/** The parts of the line between interruptions; one part if missing periods have the value 0. */
function linesOf(points: readonly TimePoint[], isAdditive: boolean): Position[][] {
  const first = periodNumber(points[0]!.period);
  const lines: Position[][] = [];
  let line: Position[] = [];
  for (const { period, value } of points) {
    const at = periodNumber(period) - first;
    const last = line.at(-1);
    const isGap = last !== undefined && at - last.at > 1;
    if (isGap && isAdditive) line.push({ at: last.at + 1, value: 0 }, { at: at - 1, value: 0 });
    if (last === undefined || (isGap && !isAdditive)) lines.push((line = []));
    line.push({ at, value });
  }
  return lines;
}

function pathOf(line: readonly Position[], { percent, pixels }: Scale): string {
  return line
    .map(({ at, value }, index) => {
      const [x, y] = [Math.round((percent(at) / 100) * across * 10) / 10, pixels(value) - plotTop];
      return `${index === 0 ? 'M' : 'L'}${x} ${Math.round(y * 10) / 10}`;
    })
    .join('');
}

function areaOf(line: readonly Position[], scale: Scale): Html {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined || first === last) return raw('');
  const ends = [
    { at: last.at, value: 0 },
    { at: first.at, value: 0 },
  ];
  return html`<path class="area" d="${pathOf([...line, ...ends], scale)}Z" />`;
}

/** A dot for each of a few points, and for points that no line reaches. */
function dots(points: readonly TimePoint[], lines: readonly Position[][], scale: Scale): Html {
  const shown =
    points.length <= dotsMax
      ? points.map((point) => ({ at: scale.placeOf(point), value: point.value }))
      : lines.filter(({ length }) => length === 1).flat();
  return html`${shown.map(
    ({ at, value }) =>
      html`<circle cx="${scale.percent(at)}%" cy="${scale.pixels(value)}" r="3.5" />`,
  )}`;
}

/** Bands behind the line, one a period, which name it and its value. */
function tooltips(points: readonly TimePoint[], scale: Scale, language: Language): Html {
  const half = points.length === 1 ? 50 : scale.percent(1) / 2;
  return html`${points.map((point) => {
    const center = scale.percent(scale.placeOf(point));
    const left = Math.max(0, center - half);
    const width = Math.min(100, center + half) - left;
    return html`<rect
      class="band"
      x="${left.toFixed(2)}%"
      y="${plotTop}"
      width="${width.toFixed(2)}%"
      height="${plotHeight}"
      ><title>${periodText(point.period, language)}: ${fullNumber(point.value)}</title></rect
    >`;
  })}`;
}

/** Dates below the line at equal distances, the first and the last among them. */
function dateLabels(points: readonly TimePoint[], scale: Scale, language: Language): Html {
  const { period } = points[0]!;
  const first = periodNumber(period);
  const span = periodNumber(points.at(-1)!.period) - first;
  // A day needs more room than a year.
  const places = labelPlaces(span, period.length === 10 ? 3 : 4);
  return html`${places.map((at, step) => {
    const isEnd = step === places.length - 1;
    const style = span === 0 ? 'middle' : step === 0 ? 'start' : isEnd ? 'end' : 'middle';
    return html`<text
      class="date ${style}"
      x="${scale.percent(at)}%"
      y="${plotTop + plotHeight + 20}"
      >${shortPeriodText(periodAt(first + at, period), language)}</text
    >`;
  })}`;
}

/** Periods at equal distances from the first one, and the last one. */
function labelPlaces(span: number, stepsMax: number): number[] {
  if (span === 0) return [0];
  const step = Math.ceil(span / stepsMax);
  const places = Array.from({ length: Math.ceil(span / step) }, (_, at) => at * step);
  return [...places.filter((place) => span - place > step / 2), span];
}
