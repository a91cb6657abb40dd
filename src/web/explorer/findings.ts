import { pageContract } from '../../contract/pages.ts';
import { koreanDay } from '../../data/korean-time.ts';
import { counted } from '../../kernel/counted.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { findingName } from './finding-names.ts';
import { labelIn, type DatasetView } from './dataset-view.ts';
import { valueFindings, type ValueFinding } from './value-findings.ts';

/** Findings of the last collection or load of a dataset, and those about its values. */
export async function findingSection(view: DatasetView): Promise<Html> {
  const { stored, store, words, language } = view;
  const ofValues = await valueFindings(stored, store);
  const hasCodes = ofValues.some(({ kind }) => kind === 'codes');
  const findings = (stored.quality?.findings ?? []).filter(
    ({ kind }) => kind !== 'code_as_date' || !hasCodes,
  );
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
            ${ofValues.map((finding) => html`<li>${valueText(finding, view)} ${recordsLink(finding, view)}</li>`)}
          </ul>`
    }
  </section>`;
}

/** The records of a finding, without the filters of the page. */
function recordsLink(finding: ValueFinding, { params, language }: DatasetView): Html {
  if (!('where' in finding)) return emptyHtml;
  const { where } = finding;
  const { axis, lang } = params;
  const href = canonicalUrl(pageContract.dataset, { axis, where, lang });
  return html`<a rel="nofollow" href="${href}#table">${codeTexts[language].seeRecords}</a>`;
}

function valueText(finding: ValueFinding, { words, language }: DatasetView): string {
  if (finding.kind === 'times') {
    const [from, to] = [finding.from, finding.to].map((field) => labelIn(field, language));
    return words.timesReversed(from!, to!, formatNumber(finding.count));
  }
  const label = labelIn(finding.field, language);
  const count = formatNumber(finding.count);
  if (finding.kind === 'fillers') return words.fillers(label, count);
  if (finding.kind === 'codes') return codeTexts[language].codesAsDates(label, count);
  return finding.kind === 'zips'
    ? words.zipsShortened(label, count)
    : words.keysRepeated(label, count);
}

const codeTexts = {
  ko: {
    codesAsDates: (label: string, count: string) =>
      `${label}: 엑셀이 코드를 날짜로 바꾼 값 ${count}건`,
    seeRecords: '레코드 보기',
  },
  en: {
    codesAsDates: (label: string, count: string) =>
      `${label}: ${counted(count, 'code')} that a spreadsheet made dates of`,
    seeRecords: 'See the records',
  },
} as const;
