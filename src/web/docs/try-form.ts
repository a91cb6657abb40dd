import { textLengthMax, type Route, type Parameter } from '../../contract/route.ts';
import type { Language } from '../../contract/language.ts';
import { referenceTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** A form that calls the running service. The response appears below it, or as a page where scripts are off. */
export function tryForm(name: string, row: Route, language: Language, example: string): Html {
  const words = referenceTexts[language];
  const given = new URL(row.examples![0]!.target.replaceAll('{axis}', example), 'http://maru');
  const fields = Object.entries(row.parameters).map(([parameterName, parameter]) =>
    field(name, parameterName, parameter, given.searchParams.get(parameterName) ?? ''),
  );
  return html`<details class="trial">
    <summary>${words.tryIt}</summary>
    <form
      class="try"
      method="get"
      action="${row.path}"
      aria-labelledby="${name}"
      data-failed="${words.failed}"
    >
      <div class="fields">${fields}</div>
      <button>${words.send}</button>
      <div class="answer" aria-live="polite" hidden>
        <p></p>
        <pre
          tabindex="0"
          role="group"
          aria-label="${words.answerBox}"
        ><code translate="no"></code></pre>
      </div>
    </form>
  </details>`;
}

function field(endpoint: string, name: string, parameter: Parameter, value: string): Html {
  const id = `${endpoint}-${name}`;
  return html`<label for="${id}"
    ><code>${name}</code>${control(id, name, parameter, value)}</label
  >`;
}

function control(id: string, name: string, parameter: Parameter, value: string): Html {
  if (parameter.kind === 'choice') {
    return html`<select id="${id}" name="${name}">
      <option value=""></option>
      ${parameter.values.map((choice) =>
        choice === value
          ? html`<option selected>${choice}</option>`
          : html`<option>${choice}</option>`,
      )}
    </select>`;
  }
  if (parameter.kind === 'integer') {
    return html`<input
      id="${id}"
      name="${name}"
      value="${value}"
      type="number"
      min="0"
      placeholder="${parameter.default ?? ''}"
    />`;
  }
  const list = 'codes' in parameter ? html` list="held-axes"` : html``;
  const required = 'required' in parameter ? html` required` : html``;
  return html`<input
    id="${id}"
    name="${name}"
    value="${value}"
    maxlength="${('lengthMax' in parameter && parameter.lengthMax) || textLengthMax}"
    autocomplete="off"
    ${list}${required}
  />`;
}
