import { html, type Html } from '../html.ts';

/** A sentence about a dataset with its evidence. */
export interface Fact {
  readonly term: string;
  readonly sentence: string;
  readonly evidence: Html;
  /** `unknown` for a gap in the source, `warning` for one against the use of the data. */
  readonly tone: 'known' | 'unknown' | 'warning';
}

/** Sentences about a dataset, side by side where there is room; on a phone, its reader opens them by their summary. */
export function factList(facts: readonly Fact[], summary?: string): Html {
  return html`${
      summary === undefined
        ? null
        : html`<details class="facts-switch"><summary>${summary}</summary></details>`
    }
    <dl class="facts">
      ${facts.map(
        ({ term, sentence, evidence, tone }) =>
          html`<div class="${tone}">
            <dt>${term}</dt>
            <dd>${sentence}</dd>
            <dd class="evidence">${evidence}</dd>
          </div>`,
      )}
    </dl>`;
}
