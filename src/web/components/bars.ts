import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';

interface Bar {
  readonly label: Html;
  readonly count: number;
}

/** Counts as bars, the longest for the largest. The numbers are text, so that nothing depends on the drawing. */
export function barList(bars: readonly Bar[]): Html {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  return html`<ul class="bars">
    ${bars.map(
      ({ label, count }) =>
        html`<li>
          <span class="label">${label}</span>
          <svg aria-hidden="true" width="100%" height="10" preserveAspectRatio="none">
            <rect width="${barWidth(count, largest)}%" height="10" rx="2" />
          </svg>
          <span class="number">${formatNumber(count)}</span>
        </li>`,
    )}
  </ul>`;
}

/** Percentage with a decimal; a count above none is visible. */
function barWidth(count: number, largest: number): number {
  return count === 0 ? 0 : Math.max(0.5, Math.round((count / largest) * 1_000) / 10);
}
