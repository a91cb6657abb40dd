import { html, type Html } from '../../web/html.ts';

/** A selection field of a filter. */
export function choiceField(
  name: string,
  label: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen = '',
): Html {
  return html`<div class="field narrow">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      ${options.map(
        (option) =>
          html`<option value="${option.value}" ${option.value === chosen ? 'selected' : ''}>
            ${option.label}
          </option>`,
      )}
    </select>
  </div>`;
}

/** A field of a filter for a text or a day. */
export function inputField(name: string, label: string, type: 'text' | 'date', value = ''): Html {
  return html`<div class="field narrow">
    <label for="filter-${name}">${label}</label>
    <input id="filter-${name}" type="${type}" name="${name}" value="${value}" />
  </div>`;
}
