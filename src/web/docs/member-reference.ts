import { type GuardedRoute, answersOf, problemsOf } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';
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
  // The keys of the contract are its names.
  const names = Object.keys(membersContract) as (keyof typeof membersContract)[];
  return html`
    <h1>${words.members}</h1>
    <p>${words.membersLead}</p>
    ${names.map((name) => operation(name, language))}
  `;
}

function operation(name: keyof typeof membersContract, language: Language): Html {
  const words = referenceTexts[language];
  const row: GuardedRoute = membersContract[name];
  const shapes = answersOf(row).map(
    ([status, schema]) => [`${words.answer} (${status})`, schemaOutline(schema)] as const,
  );
  // 200 and 201 often have the same schema.
  const answers = shapes.filter(([, shape], at) => shape !== shapes[at - 1]?.[1]);
  const parameters = Object.entries(row.parameters);
  return html`<section aria-labelledby="${name}" class="endpoint">
    <h2 id="${name}"><span class="method">${row.method}</span> <code>${row.path}</code></h2>
    <p>${row.purpose[language]}</p>
    <ul class="facts">
      ${callersOf(row).map((caller) => html`<li>${words.callers[caller]}</li>`)}
      ${row.scope === undefined ? nothing : html`<li>${words.scope}: <code>${row.scope}</code></li>`}
      <li>${words.limit(formatted(row.limit.calls))}</li>
      ${parameters.map(
        ([key, { kind, purpose }]) =>
          html`<li>
            <code>${kind === 'path' ? `{${key}}` : `?${key}=`}</code> ${purpose[language]}
          </li>`,
      )}
    </ul>
    ${sample(memberCall(name), 'curl', language)}
    ${row.body === undefined ? nothing : shape(words.body, schemaOutline(row.body), language)}
    ${answers.map(([title, outline]) => shape(title, outline, language))}
    ${problemLinks(problemsOf(row), language)}
  </section>`;
}

/** An operator calls none of these routes. */
function callersOf({ callers }: GuardedRoute) {
  return callers.filter((caller) => caller !== 'operator');
}

function shape(title: string, outline: string, language: Language): Html {
  return html`<details>
    <summary>${title}</summary>
    ${sample(outline, 'JSON', language)}
  </details>`;
}
