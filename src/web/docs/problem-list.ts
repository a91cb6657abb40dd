import { exportContract } from '../../contract/export-routes.ts';
import { lookupContract } from '../../contract/lookup.ts';
import { sharedProblems } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';
import { problems } from '../../contract/problems.ts';
import type { Language } from '../../contract/language.ts';
import { referenceTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** The problem codes of both services, with the endpoints that return each. */
export function problemList(language: Language): Html {
  const words = referenceTexts[language];
  return html`
    <h1>${words.problems}</h1>
    <p>${words.problemsLead}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="${words.problems}">
      <table>
        <thead>
          <tr>
            <th scope="col">${words.code}</th>
            <th scope="col">${words.statusCode}</th>
            <th scope="col">${words.meaning}</th>
            <th scope="col">${words.answeredBy}</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(problems).map(
            ([code, { status, title, remedy }]) =>
              html`<tr id="${code}">
                <th scope="row"><code>${code}</code></th>
                <td data-label="${words.statusCode}">${status}</td>
                <td data-label="${words.meaning}">
                  <strong>${title[language]}</strong><br />${remedy[language]}
                </td>
                <td data-label="${words.answeredBy}">${sourcesOf(code, language)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The problem codes of an endpoint, linked to their rows in the list. */
export function problemLinks(codes: readonly string[], language: Language): Html {
  return html`<p class="codes">
    ${referenceTexts[language].problemsOf}:
    ${codes.map(
      (code) => html`<a href="/docs/problems?lang=${language}#${code}"><code>${code}</code></a> `,
    )}
  </p>`;
}

function sourcesOf(code: string, language: Language): Html {
  const links = rowsWithProblems
    .filter(({ codes }) => codes.includes(code))
    .map(
      ({ page, name, path }) =>
        html`<a href="/docs/${page}?lang=${language}#${name}"><code>${path}</code></a> `,
    );
  return links.length === 0 ? html`${sharedSource(code, language)}` : html`${links}`;
}

/** Callers that can receive a code which no single row lists. */
function sharedSource(code: string, language: Language): string {
  const { server, browser, body } = sharedProblems;
  const ways: readonly [readonly string[], 'anyServer' | 'anyBrowser' | 'anyBody'][] = [
    [server, 'anyServer'],
    [browser, 'anyBrowser'],
    [body, 'anyBody'],
  ];
  const way = ways.find(([codes]) => codes.includes(code))?.[1] ?? 'anywhere';
  return referenceTexts[language][way];
}

const rowsWithProblems = [
  ...rowsOf('lookup-api', { ...lookupContract, ...exportContract }),
  ...rowsOf('members-api', membersContract),
];

function rowsOf(page: string, contract: Readonly<Record<string, PathWithProblems>>) {
  return Object.entries(contract).map(([name, { path, problems: codes }]) => ({
    page,
    name,
    path,
    codes,
  }));
}

interface PathWithProblems {
  readonly path: string;
  readonly problems: readonly string[];
}
