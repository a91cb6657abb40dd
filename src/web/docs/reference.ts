import { exportContract } from '../../contract/export-routes.ts';
import { interfaceVersion, lookupContract } from '../../contract/lookup.ts';
import type { Language } from '../../contract/language.ts';
import { membersContract } from '../../contract/members.ts';
import { answersOf, problemsOf, type Parameter, type Route } from '../../contract/route.ts';
import { html, type Html } from '../html.ts';
import { formatNumber, emptyHtml } from '../layout.ts';
import { callSamples } from './call-samples.ts';
import { memberCall, type MemberOperation } from './member-calls.ts';
import { memberSamples } from './member-samples.ts';
import { exampleAnswer } from './example-answers.ts';
import { problemLinks } from './problem-list.ts';
import { codeSample } from '../components/code-sample.ts';
import { codeTabs } from '../components/code-tabs.ts';
import { schemaOutline } from './schema-outline.ts';
import { referenceTexts } from './texts.ts';
import { tryForm } from './try-form.ts';

/** A stored axis, as a suggestion for an input. */
export interface AxisChoice {
  readonly code: string;
  readonly title: string;
}

/** The reference of the lookup service, from the rows of its contract. */
export function lookupReference(language: Language, axes: readonly AxisChoice[]): Html {
  const words = referenceTexts[language];
  const rows = Object.entries<Route>({ ...lookupContract, ...exportContract });
  const axis = axes[0]?.code ?? 'file_15012896';
  return html`
    <h1>${words.lookup}</h1>
    <p>${words.lookupLead(interfaceVersion)}</p>
    ${rows.map(([name, row]) => section(name, row, language, lookupExamples(name, row, language, axis)))}
    <p>${words.spreadsheet}</p>
    <datalist id="held-axes">
      ${axes.slice(0, choicesMax).map(({ code, title }) => html`<option value="${code}">${title}</option>`)}
    </datalist>
  `;
}

/** The reference of the members service, from the rows of its contract. */
export function memberReference(language: Language): Html {
  const words = referenceTexts[language];
  // The keys of the contract are its names.
  const names = Object.keys(membersContract) as MemberOperation[];
  return html`
    <h1>${words.members}</h1>
    <p>${words.membersLead}</p>
    ${names.map((name) =>
      section(name, membersContract[name], language, memberExample(name, language)),
    )}
  `;
}

/** A longer list would not help users to choose. */
const choicesMax = 1_000;

function section(name: string, row: Route, language: Language, examples: Html): Html {
  const words = referenceTexts[language];
  const { method, path, purpose, parameters, body } = row;
  const outlines = answersOf(row).map(
    ([status, schema]) => [`${words.answer} (${status})`, schemaOutline(schema)] as const,
  );
  // 200 and 201 often have the same schema.
  const answers = outlines.filter(([, outline], at) => outline !== outlines[at - 1]?.[1]);
  return html`<section aria-labelledby="${name}" class="endpoint">
    <h2 id="${name}"><span class="method">${method}</span> <code>${path}</code></h2>
    <p>${purpose[language]}</p>
    ${row.callers === undefined ? emptyHtml : accessFacts(row, language)}
    ${Object.keys(parameters).length === 0 ? emptyHtml : parameterTable(parameters, language)}
    ${examples}
    ${body === undefined ? emptyHtml : details(words.body, schemaOutline(body), language)}
    ${answers.map(([title, outline]) => details(title, outline, language))}
    ${problemLinks(problemsOf(row), language)}
  </section>`;
}

function lookupExamples(name: string, row: Route, language: Language, axis: string): Html {
  return html`${row.examples?.map(({ target, purpose }, at) => {
    const filled = target.replaceAll('{axis}', axis);
    return html`<p>${purpose[language]}: <a href="${encodeURI(filled)}">${filled}</a></p>
      ${codeTabs(referenceTexts[language].codeName, callSamples(filled), language, `${name}-${at}`)}
      ${exampleAnswer(`${name}-${at}`, language, filled)}`;
  })}
  ${row.path.includes('{') ? emptyHtml : tryForm(name, row, language, axis)}`;
}

function memberExample(name: MemberOperation, language: Language): Html {
  const samples = memberSamples(memberCall(name));
  const code =
    samples.length === 1
      ? codeSample(samples[0]!.code, 'curl', language)
      : codeTabs(referenceTexts[language].codeName, samples, language, name);
  return html`${code} ${exampleAnswer(name, language)}`;
}

/** Callers of a route, their scope and their limit. */
function accessFacts({ callers = [], scope, role, limit }: Route, language: Language): Html {
  const words = referenceTexts[language];
  return html`<ul class="facts">
    ${callers.map((caller) => (caller === 'operator' ? emptyHtml : html`<li>${words.callers[caller]}</li>`))}
    ${scope === undefined ? emptyHtml : html`<li>${words.scope}: <code>${scope}</code></li>`}
    ${role === undefined ? emptyHtml : html`<li>${words.role}: <code>${role}</code></li>`}
    ${limit === undefined ? emptyHtml : html`<li>${words.limit(formatNumber(limit.calls))}</li>`}
  </ul>`;
}

function details(title: string, outline: string, language: Language): Html {
  return html`<details>
    <summary>${title}</summary>
    ${codeSample(outline, 'JSON', language)}
  </details>`;
}

function parameterTable(parameters: Route['parameters'], language: Language): Html {
  const words = referenceTexts[language];
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${words.parameters}">
    <table>
      <thead>
        <tr>
          <th scope="col">${words.parameter}</th>
          <th scope="col">${words.values}</th>
          <th scope="col">${words.meaning}</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(parameters).map(
          ([name, parameter]) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td data-label="${words.values}">${valuesOf(parameter, language)}</td>
              <td data-label="${words.meaning}">${parameter.purpose[language]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function valuesOf(parameter: Parameter, language: Language): string {
  const { fallback, required, text } = referenceTexts[language];
  if (parameter.kind !== 'choice' && parameter.kind !== 'integer') {
    return 'required' in parameter ? required : text;
  }
  const range =
    parameter.kind === 'choice' ? parameter.values.join(', ') : rangeOf(parameter.maximum);
  return parameter.default === undefined ? range : `${range} (${fallback} ${parameter.default})`;
}

function rangeOf(maximum: number | undefined): string {
  return maximum === undefined ? '0' : `0–${maximum}`;
}
