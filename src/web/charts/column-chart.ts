import type { Language } from '../../contract/language.ts';
import { roundTicks } from '../../data/values/round-ticks.ts';
import { html } from '../html.ts';
import type { Drawing } from './chart-file.ts';
import { percentBetween } from './scale.ts';
import { fullNumber, shortNumber } from './short-number.ts';

/** A column of a chart. */
interface Column {
  /** Text below the column. */
  readonly label: string;
  readonly value: number | null;
  /** Part of the value, drawn at the foot of the column. */
  readonly part: number | null;
}

interface ColumnChart {
  /** Text in place of the chart for screen readers. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** Name of the part, for tooltips. */
  readonly partName: string;
  /** True if the period of the last column has not ended. */
  readonly isLastPartial?: boolean;
}

/** Columns of any width, each with a part of it at its foot and a tooltip. */
export function columnChart(
  { name, columns, partName, isLastPartial = false }: ColumnChart,
  language: Language,
): Drawing {
  const ticks = roundTicks(0, Math.max(1, ...columns.map(({ value }) => value ?? 0)), 3);
  const heightOf = (value: number | null) =>
    Math.round(percentBetween(value ?? 0, 0, ticks.at(-1)!) * plotHeight) / 100;
  const yOf = (value: number | null) => Math.round((base - heightOf(value)) * 100) / 100;
  const step = 100 / columns.length;
  const percent = (at: number) => `${Math.round(at * step * 100) / 100}%`;
  const svg = html`<svg
    class="chart columns-chart"
    width="100%"
    height="${height}"
    role="img"
    aria-label="${name}"
    xmlns="http://www.w3.org/2000/svg"
  >
    ${ticks.map((tick) => html`<line class="grid" x1="0" x2="100%" y1="${yOf(tick)}" y2="${yOf(tick)}" />`)}
    ${columns.map(({ label, value, part }, at) => {
      const partText = part === null ? '' : ` (${partName} ${fullNumber(part)})`;
      const tooltip = `${label}: ${value === null ? '–' : fullNumber(value)}${partText}`;
      const isPartial = isLastPartial && at === columns.length - 1;
      const place = html`x="${percent(at + 0.16)}" width="${percent(0.68)}"`;
      return html`<g class="${isPartial ? 'partial' : ''}">
        <rect class="band" x="${percent(at)}" width="${percent(1)}" height="${base}" />
        <rect class="column" ${place} y="${yOf(value)}" height="${heightOf(value)}" />
        <rect class="column part" ${place} y="${yOf(part)}" height="${heightOf(part)}" />
        ${value === null ? null : html`<text class="above" x="${percent(at + 0.5)}" y="${yOf(value) - 5}">${shortNumber(value, language)}</text>`}
        <text class="date middle" x="${percent(at + 0.5)}" y="${height - 4}">${label}</text>
        <title>${tooltip}</title>
      </g>`;
    })}
    ${
      // After the columns, which would cover them on a phone.
      ticks
        .filter((tick) => tick > 0)
        .map(
          (tick) =>
            html`<text class="tick" x="0" y="${yOf(tick) - 4}"
              >${shortNumber(tick, language)}</text
            >`,
        )
    }
  </svg>`;
  return { svg, height };
}

const plotHeight = 180;
/** Distance of the foot of all columns from the top. */
const base = 24 + plotHeight;
const height = base + 24;
