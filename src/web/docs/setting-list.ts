import type { Language } from '../../contract/language.ts';
import { settingsTable } from '../../kernel/settings.ts';
import { referenceTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** Every setting with its type, default and purpose. */
export function settingList(language: Language): Html {
  const words = referenceTexts[language];
  return html`
    <h1>${words.settings}</h1>
    <p>${words.settingsLead}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="${words.settings}">
      <table>
        <thead>
          <tr>
            <th scope="col">${words.variable}</th>
            <th scope="col">${words.kind}</th>
            <th scope="col">${words.defaultValue}</th>
            <th scope="col">${words.meaning}</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(settingsTable).map(
            ([name, setting]) =>
              html`<tr id="${name}">
                <th scope="row"><code>${name}</code></th>
                <td data-label="${words.kind}">${setting.kind}</td>
                <td data-label="${words.defaultValue}">${defaultOf(setting.default)}</td>
                <td data-label="${words.meaning}">${setting.help[language]}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function defaultOf(value: string): Html {
  return value === '' ? html`–` : html`<code>${value}</code>`;
}
