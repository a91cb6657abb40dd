import { html } from 'hono/html';
import { exportContract, interfaceVersion, lookupContract } from '../../contract/lookup.ts';
import type { Endpoint, Parameter } from '../../kernel/http/endpoint.ts';
import type { Language } from '../../kernel/http/preferences.ts';
import type { Content } from '../../kernel/http/respond.ts';
import { problemTable } from '../../kernel/problem.ts';
import { memberProblemTable } from '../../members/problem.ts';
import { nothing, page, type Html } from '../layout.ts';
import { referenceTexts } from './texts.ts';

export interface ReferenceOptions {
  readonly language: Language;
  /** A held axis for the examples; null while there is none. */
  readonly example: string | null;
  /** Such as `http://127.0.0.1:3000`. */
  readonly address: string;
}

/** The reference of the interface, from the rows of the contract. */
export async function reference(options: ReferenceOptions): Promise<Content> {
  const { language, example, address } = options;
  const words = referenceTexts[language];
  const rows = Object.entries<Endpoint>({ ...lookupContract, ...exportContract });
  return page({
    language,
    title: words.title,
    otherLanguage: `/docs?lang=${language === 'ko' ? 'en' : 'ko'}`,
    main: html`
      <h1>${words.heading}</h1>
      <p class="quiet">${words.lead(interfaceVersion)}</p>
      <pre><code>curl -L '${address}/api/data/search?q=강남역'</code></pre>
      <nav aria-label="${words.contents}">
        <ul class="chips">
          ${rows.map(([name, { path }]) => html`<li><a href="#${name}">${path}</a></li>`)}
          <li><a href="#problems">${words.problems}</a></li>
        </ul>
      </nav>
      <p>${words.spreadsheet}</p>
      ${rows.map(([name, row]) => endpoint(name, row, language, example ?? 'file_15012896'))}
      ${problems(language)}
    `,
  });
}

function endpoint(name: string, row: Endpoint, language: Language, example: string): Html {
  const words = referenceTexts[language];
  const parameters = Object.entries(row.parameters);
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}"><code>GET ${row.path}</code></h2>
    <p>${row.purpose[language]}</p>
    ${parameters.length === 0 ? nothing : parameterTable(parameters, language)}
    <ul>
      ${row.examples.map(({ target, purpose }) => {
        const filled = target.replaceAll('{axis}', example);
        return html`<li>${purpose[language]}: <a href="${encodeURI(filled)}">${filled}</a></li>`;
      })}
    </ul>
    ${
      row.problems.length === 0
        ? nothing
        : html`<p>
            ${words.mayAnswer}
            ${row.problems.map((code) => html`<a href="#problem-${code}"><code>${code}</code></a> `)}
          </p>`
    }
    <details>
      <summary>${words.answer}</summary>
      <pre><code>${JSON.stringify(row.response, null, 2)}</code></pre>
    </details>
  </section>`;
}

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
  if (parameter.kind === 'text') return parameter.required === true ? words.required : words.text;
  const fallback =
    parameter.default === undefined ? '' : ` (${words.fallback} ${parameter.default})`;
  if (parameter.kind === 'choice') return parameter.values.join(', ') + fallback;
  const most = parameter.maximum === undefined ? '' : `–${parameter.maximum}`;
  return `0${most}${fallback}`;
}

function problems(language: Language): Html {
  const words = referenceTexts[language];
  return html`<section aria-labelledby="problems">
    <h2 id="problems">${words.problems}</h2>
    <p>${words.problemLead}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="${words.problems}">
      <table>
        <tbody>
          ${Object.entries({ ...problemTable, ...memberProblemTable }).map(
            ([code, problem]) =>
              html`<tr id="problem-${code}">
                <th scope="row"><code>${code}</code></th>
                <td>${problem.status}</td>
                <td>${problem[language]}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
