import {
  answersOf,
  membersContract,
  problemsOf,
  type MemberOperation,
} from '../../contract/members.ts';
import type { Language } from '../../contract/language.ts';
import { formatted, nothing } from '../layout.ts';
import { memberCall } from './member-calls.ts';
import { problemLinks } from './problem-list.ts';
import { sample } from './sample.ts';
import { schemaOutline } from './schema-outline.ts';
import { referenceTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** The reference of the members service, from the rows of its contract. */
export function memberReference(language: Language): Html {
  const words = referenceTexts[language];
  // Object.keys of the contract are its names.
  const names = Object.keys(membersContract) as (keyof typeof membersContract)[];
  return html`
    <h1>${words.members}</h1>
    <p>${words.membersLead}</p>
    ${names.map((name) => operation(name, language))}
  `;
}

function operation(name: keyof typeof membersContract, language: Language): Html {
  const words = referenceTexts[language];
  const row: MemberOperation = membersContract[name];
  const shapes = answersOf(row).map(
    ([status, schema]) => [`${words.answer} (${status})`, schemaOutline(schema)] as const,
  );
  // 200 and 201 often have one shape.
  const answers = shapes.filter(([, shape], at) => shape !== shapes[at - 1]?.[1]);
  const query = Object.entries(row.query ?? {});
  return html`<section aria-labelledby="${name}" class="endpoint">
    <h2 id="${name}"><span class="method">${row.method}</span> <code>${row.path}</code></h2>
    <p>${row.purpose[language]}</p>
    <ul class="facts">
      ${row.callers.map((caller) => html`<li>${words.callers[caller]}</li>`)}
      ${row.scope === undefined ? nothing : html`<li>${words.scope}: <code>${row.scope}</code></li>`}
      <li>${words.limit(formatted(row.limit.calls))}</li>
      ${query.map(([key, purpose]) => html`<li><code>?${key}=</code> ${purpose[language]}</li>`)}
    </ul>
    ${sample(memberCall(name), 'curl', language)}
    ${row.body === undefined ? nothing : shape(words.body, schemaOutline(row.body), language)}
    ${answers.map(([title, outline]) => shape(title, outline, language))}
    ${problemLinks(problemsOf(row), language)}
  </section>`;
}

function shape(title: string, outline: string, language: Language): Html {
  return html`<details>
    <summary>${title}</summary>
    ${sample(outline, 'JSON', language)}
  </details>`;
}
