import { englishMark } from './frame.ts';
import type { Library, LibraryPage } from './library.ts';
import { problems } from '../../contract/problems.ts';
import { docsTexts, referenceTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** Front page of the docs, with every page and every problem code: the `type` of a problem links here. */
export function docsFrontPage({ language, pages }: Library): Html {
  const words = docsTexts[language];
  return html`
    <h1>${words.heading}</h1>
    <p class="lead">${words.lead}</p>
    ${(['start', 'guide', 'reference'] as const).map(
      (group) =>
        html`<section aria-labelledby="${group}">
          <h2 id="${group}">${words.groups[group]}</h2>
          <ul class="cards docs">
            ${pages
              .filter((page) => page.group === group)
              .map(
                (page) =>
                  html`<li>
                    <h3>
                      <a href="/docs/${page.slug}?lang=${language}">${page.title}</a
                      >${englishMark(page, language)}
                    </h3>
                    <p class="quiet">${leadOf(page)}</p>
                  </li>`,
              )}
          </ul>
        </section>`,
    )}
    <section aria-labelledby="problems">
      <h2 id="problems">${referenceTexts[language].problems}</h2>
      <p class="quiet">${words.problemsHere}</p>
      <ul class="chips">
        ${Object.keys(problems).map(
          (code) =>
            html`<li id="problem-${code}">
              <a href="/docs/problems?lang=${language}#${code}"><code>${code}</code></a>
            </li>`,
        )}
      </ul>
    </section>
  `;
}

/** The first sentence of a page. */
function leadOf({ sections }: LibraryPage): string {
  const text = sections[0]?.text ?? '';
  return /^.{1,160}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 120);
}
