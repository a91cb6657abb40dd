import { html, type Html } from '../html.ts';

/** Small columns of one series, each relative to its greatest. Screen readers skip them: a number stands beside. */
export function sparkline(
  values: readonly number[],
  { isLastPartial = false }: { readonly isLastPartial?: boolean } = {},
): Html {
  const most = Math.max(1, ...values);
  const width = values.length * 4;
  return html`<svg
    class="spark"
    viewBox="0 0 ${width} 20"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="floor" y="19.5" width="${width}" height="0.5" />
    ${values.map((value, at) => {
      const height = Math.round((value / most) * 2_000) / 100;
      const isPartial = isLastPartial && at === values.length - 1;
      return html`<rect
        class="${isPartial ? 'column partial' : 'column'}"
        x="${at * 4 + 0.5}"
        y="${Math.round((20 - height) * 100) / 100}"
        width="3"
        height="${height}"
      />`;
    })}
  </svg>`;
}
