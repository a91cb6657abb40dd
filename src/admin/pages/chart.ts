import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml } from '../../web/layout.ts';

/** A column of a chart. */
interface ChartColumn {
  /** Text below the column. */
  readonly label: string;
  readonly value: number | null;
  /** Part of the value, drawn at the foot of the column. */
  readonly part: number | null;
}

interface ColumnChartOptions {
  readonly language: Language;
  /** Text in place of the chart for screen readers; the table beside it has all numbers. */
  readonly summary: string;
  readonly columns: readonly ChartColumn[];
  /** True if the period of the last column has not ended. */
  readonly isLastPartial?: boolean;
}

/**
 * A column chart as SVG without a script. Places across are percentages and those down are pixels, so that it fills any
 * width and its text keeps its size.
 */
export function columnChart({
  language,
  summary,
  columns,
  isLastPartial = false,
}: ColumnChartOptions): Html {
  const top = roundedUp(Math.max(1, ...columns.map(({ value }) => value ?? 0)));
  const step = 100 / columns.length;
  const heightOf = (value: number | null) => rounded(((value ?? 0) / top) * plotHeight);
  return html`<svg class="chart" role="img" aria-label="${summary}" height="${chartHeight}">
    ${[top, top / 2].map(
      (value) =>
        html`<line x1="0" x2="100%" y1="${yOf(heightOf(value))}" y2="${yOf(heightOf(value))}" />
          <text class="tick" x="0" y="${yOf(heightOf(value)) - 4}">
            ${compactNumber(value, language)}
          </text>`,
    )}
    <line class="base" x1="0" x2="100%" y1="${yOf(0)}" y2="${yOf(0)}" />
    ${columns.map(({ label, value, part }, at) => {
      const [height, partHeight] = [heightOf(value), heightOf(part)];
      const middle = `${rounded((at + 0.5) * step)}%`;
      const place = html`x="${rounded((at + 0.16) * step)}%" width="${rounded(step * 0.68)}%"`;
      const isPartial = isLastPartial && at === columns.length - 1;
      return html`<g class="${isPartial ? 'partial' : ''}">
        <rect ${place} y="${yOf(height)}" height="${height}" />
        <rect class="part" ${place} y="${yOf(partHeight)}" height="${partHeight}" />
        ${value === null ? emptyHtml : html`<text class="value" x="${middle}" y="${yOf(height) - 5}">${compactNumber(value, language)}</text>`}
        <text class="label" x="${middle}" y="${chartHeight - 4}">${label}</text>
      </g>`;
    })}
  </svg>`;
}

/** Small columns of one series, each relative to its greatest. Screen readers skip them. */
export function sparkline(
  values: readonly number[],
  { isLastPartial = false }: { readonly isLastPartial?: boolean } = {},
): Html {
  const most = Math.max(1, ...values);
  return html`<svg
    class="spark"
    viewBox="0 0 ${values.length * 4} 20"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="floor" y="19.5" width="${values.length * 4}" height="0.5" />
    ${values.map((value, at) => {
      const height = rounded((value / most) * 20);
      const isPartial = isLastPartial && at === values.length - 1;
      return html`<rect
        class="${isPartial ? 'partial' : ''}"
        x="${at * 4 + 0.5}"
        y="${rounded(20 - height)}"
        width="3"
        height="${height}"
      />`;
    })}
  </svg>`;
}

/** `1.2만`, `12K`. */
function compactNumber(value: number, language: Language): string {
  const format = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return format.format(value);
}

/** The next number of 1, 2, 4, 6, 8 or 10 times a power of ten: its half is round, too. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 6, 8, 10].find((one) => one * power >= value)!;
  return Math.max(2, factor * power);
}

function yOf(height: number): number {
  return rounded(plotTop + plotHeight - height);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

const plotTop = 22;
const plotHeight = 170;
const chartHeight = plotTop + plotHeight + 24;
