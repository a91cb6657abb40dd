import { html } from 'hono/html';
import { exportContract, lookupContract } from '../../contract/lookup.ts';
import { membersContract, sharedProblems } from '../../contract/members.ts';
import type { Language } from '../../kernel/http/preferences.ts';
import { problemTable, type BilingualText } from '../../kernel/problem.ts';
import { memberProblemTable } from '../../members/problem.ts';
import type { Html } from '../layout.ts';
import { remedies } from './remedies.ts';
import { referenceTexts } from './texts.ts';

/** Every code with its status and its title. */
export const problems = Object.entries({ ...problemTable, ...memberProblemTable });

/** The codes of both services, and which endpoints answer each. */
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
          ${problems.map(
            ([code, problem]) =>
              html`<tr id="${code}">
                <th scope="row"><code>${code}</code></th>
                <td>${problem.status}</td>
                <td><strong>${problem[language]}</strong><br />${remedyOf(code)[language]}</td>
                <td>${answeredBy(code, language)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The two tables have no code beside those of `remedies`, as its type says. */
function remedyOf(code: string): BilingualText {
  return remedies[code as keyof typeof remedies];
}

/** The codes of an endpoint, each leading to its row in the list. */
export function problemLinks(codes: readonly string[], language: Language): Html {
  return html`<p class="codes">
    ${referenceTexts[language].problemsOf}:
    ${codes.map(
      (code) => html`<a href="/docs/problems?lang=${language}#${code}"><code>${code}</code></a> `,
    )}
  </p>`;
}

function answeredBy(code: string, language: Language): Html {
  const links = answerers
    .filter(({ codes }) => codes.includes(code))
    .map(
      ({ page, name, path }) =>
        html`<a href="/docs/${page}?lang=${language}#${name}"><code>${path}</code></a> `,
    );
  return links.length === 0 ? html`${widelyAnsweredBy(code, language)}` : html`${links}`;
}

/** Codes of no row in particular belong to a way of calling, or to every address. */
function widelyAnsweredBy(code: string, language: Language): string {
  const { server, browser, body } = sharedProblems;
  const ways: readonly [readonly string[], 'anyServer' | 'anyBrowser' | 'anyBody'][] = [
    [server, 'anyServer'],
    [browser, 'anyBrowser'],
    [body, 'anyBody'],
  ];
  const way = ways.find(([codes]) => codes.includes(code))?.[1] ?? 'anywhere';
  return referenceTexts[language][way];
}

const answerers = [
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
