import { koreanDay } from '../../data/korean-time.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { findingName } from './finding-names.ts';
import { labelIn, type DatasetView } from './dataset-view.ts';
import { valueFindings, type ValueFinding } from './value-findings.ts';

/** Findings of the last collection or load of a dataset, and those about its values. */
export async function findingSection(view: DatasetView): Promise<Html> {
  const { stored, store, words, language } = view;
  const findings = stored.quality?.findings ?? [];
  const ofValues = await valueFindings(stored, store);
  return html`<section aria-labelledby="findings">
    <h2 id="findings">${words.findings}</h2>
    ${
      findings.length + ofValues.length === 0
        ? html`<p>${words.noFindings}</p>`
        : html`<ul>
            ${findings.map(({ kind, count, since }) => {
              const name = findingName(kind, language);
              return html`<li>${words.finding(name, formatNumber(count), koreanDay(since))}</li>`;
            })}
            ${ofValues.map((finding) => html`<li>${valueText(finding, view)}</li>`)}
          </ul>`
    }
  </section>`;
}

function valueText(finding: ValueFinding, { words, language }: DatasetView): string {
  if (finding.kind === 'times') {
    const [from, to] = [finding.from, finding.to].map((field) => labelIn(field, language));
    return words.timesReversed(from!, to!, formatNumber(finding.count));
  }
  const label = labelIn(finding.field, language);
  const count = formatNumber(finding.count);
  return finding.kind === 'zips'
    ? words.zipsShortened(label, count)
    : words.keysRepeated(label, count);
}
