import { exportContract, interfaceVersion, lookupContract } from '../../contract/lookup.ts';
import type { Route, Parameter } from '../../contract/route.ts';
import type { Language } from '../../contract/language.ts';
import { nothing } from '../layout.ts';
import { problemLinks } from './problem-list.ts';
import { sample } from './sample.ts';
import { schemaOutline } from './schema-outline.ts';
import { referenceTexts } from './texts.ts';
import { tryForm } from './try-form.ts';
import { html, type Html } from '../html.ts';

/** A stored axis, offered as a choice. */
export interface AxisChoice {
  readonly code: string;
  readonly title: string;
}

/** The reference of the lookup service, from the rows of its contract. */
export function lookupReference(language: Language, axes: readonly AxisChoice[]): Html {
  const words = referenceTexts[language];
  const rows = Object.entries<Route>({ ...lookupContract, ...exportContract });
  const example = axes[0]?.code ?? 'file_15012896';
  return html`
    <h1>${words.lookup}</h1>
    <p>${words.lookupLead(interfaceVersion)}</p>
    ${rows.map(([name, row]) => endpoint(name, row, language, example))}
    <p>${words.spreadsheet}</p>
    <datalist id="held-axes">
      ${axes.slice(0, choicesMax).map(({ code, title }) => html`<option value="${code}">${title}</option>`)}
    </datalist>
  `;
}

/** A longer list is no help in choosing. */
const choicesMax = 1_000;

function endpoint(name: string, row: Route, language: Language, example: string): Html {
  const words = referenceTexts[language];
  const parameters = Object.entries(row.parameters);
  return html`<section aria-labelledby="${name}" class="endpoint">
    <h2 id="${name}"><span class="method">GET</span> <code>${row.path}</code></h2>
    <p>${row.purpose[language]}</p>
    ${parameters.length === 0 ? nothing : parameterTable(parameters, language)}
    ${row.examples?.map(({ target, purpose }) => {
      const filled = target.replaceAll('{axis}', example);
      return html`<p>${purpose[language]}: <a href="${encodeURI(filled)}">${filled}</a></p>
        ${sample(`curl -L '${lookupAddress}${filled.replaceAll(' ', '+')}'`, 'curl', language)}`;
    })}
    ${row.path.includes('{') ? nothing : tryForm(name, row, language, example)}
    ${row.problems.length === 0 ? nothing : problemLinks(row.problems, language)}
    <details>
      <summary>${words.answer}</summary>
      ${sample(schemaOutline(row.answers[200]!), 'JSON', language)}
    </details>
  </section>`;
}

/** Address in the documents, which the site replaces by its own. */
export const lookupAddress = 'http://127.0.0.1:3000';

function parameterTable(parameters: [string, Parameter][], language: Language): Html {
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
        ${parameters.map(
          ([name, parameter]) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td>${valuesOf(parameter, language)}</td>
              <td>${parameter.purpose[language]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function valuesOf(parameter: Parameter, language: Language): string {
  const words = referenceTexts[language];
  switch (parameter.kind) {
    case 'integer':
      return `0${parameter.maximum === undefined ? '' : `–${parameter.maximum}`} (${words.fallback} ${parameter.default})`;
    case 'choice':
      return `${parameter.values.join(', ')}${parameter.default === undefined ? '' : ` (${words.fallback} ${parameter.default})`}`;
    default:
      return 'required' in parameter ? words.required : words.text;
  }
}
