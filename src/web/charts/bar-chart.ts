import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../html.ts';
import type { Drawing } from './chart-file.ts';
import { percentBetween } from './scale.ts';
import { fullNumber, shortNumber } from './short-number.ts';

interface Bar {
  readonly label: string;
  readonly value: number;
  /** True for the rest of a list, which has no bar. */
  readonly isRest: boolean;
  /** Address of the records behind the bar; null if nothing leads there. */
  readonly href: string | null;
}

/** Values as bars of any width, each below its label. Text keeps its size, so it can be read on a phone. */
export function barChart(name: string, bars: readonly Bar[], language: Language): Drawing {
  // The rest may be larger than any value, and would make them look small.
  const compared = bars.filter(({ isRest }) => !isRest).map(({ value }) => Math.abs(value));
  const largest = Math.max(...compared, Number.MIN_VALUE);
  const height = bars.length * rowHeight;
  const svg = html`<svg
    class="chart"
    width="100%"
    height="${height}"
    role="group"
    aria-label="${name}"
    xmlns="http://www.w3.org/2000/svg"
  >
    ${bars.map(({ label, value, isRest, href }, at) => {
      const top = at * rowHeight;
      const row = html`<rect class="room" y="${top}" width="100%" height="${rowHeight}" />
        <text x="0" y="${top + 14}">${cut(label)}</text>
        <text class="value" x="100%" y="${top + 14}">${numberText(value, language)}</text>
        ${isRest ? null : barOf(value, percentBetween(Math.abs(value), 0, largest), top + 20)}
        <title>${label}: ${fullNumber(value)}</title>`;
      return href === null
        ? html`<g>${row}</g>`
        : html`<a href="${href}" rel="nofollow">${row}</a>`;
    })}
  </svg>`;
  return { svg, height };
}

const rowHeight = 38;

/** A bar on its track; one of a value above none is visible. */
function barOf(value: number, share: number, y: number): Html {
  const width = value === 0 ? 0 : Math.max(0.4, share);
  return html`<rect class="track" y="${y}" width="100%" height="8" rx="2" />
    <rect
      class="${value < 0 ? 'bar negative' : 'bar'}"
      y="${y}"
      width="${width}%"
      height="8"
      rx="2"
    />`;
}

/** A number in full where there is room for it. */
function numberText(value: number, language: Language): string {
  return Math.abs(value) < 1e9 ? fullNumber(value) : shortNumber(value, language);
}

/** SVG cannot end a text in dots; the whole one stands in the title. */
function cut(label: string): string {
  let width = 0;
  for (const [at, character] of [...label].entries()) {
    width += character > '\u{ff}' ? 2 : 1;
    if (width > labelWidthMax) return `${[...label].slice(0, at).join('')}…`;
  }
  return label;
}

/** In Latin letters; a syllable is twice as wide. */
const labelWidthMax = 36;
