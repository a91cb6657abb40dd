import type { Language } from '../../contract/language.ts';
import type { Origin } from '../../data/axis.ts';
import { html, type Html } from '../html.ts';
import { sampleBadge } from './badge.ts';

/** A line of a list of datasets. */
interface DatasetLine {
  readonly title: string;
  readonly href: string;
  readonly origin: Origin | null;
  /** Facts in a few words, such as the provider and the number of records. */
  readonly facts: readonly (string | null)[];
  /** Other links of the dataset. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
}

/** Datasets by title, each with a few facts. */
export function datasetList(lines: readonly DatasetLine[], language: Language): Html {
  return html`<ul class="datasets">
    ${lines.map(
      ({ title, href, origin, facts, links = [] }) =>
        html`<li>
          <p class="title"><a href="${href}">${title}</a> ${sampleBadge(origin, language)}</p>
          <p class="quiet">${facts.filter((fact) => fact !== null).join(' · ')}</p>
          ${
            links.length === 0
              ? null
              : html`<p class="links">
                  ${links.map(({ text, href: to }) => html`<a href="${to}">${text}</a>`)}
                </p>`
          }
        </li>`,
    )}
  </ul>`;
}
