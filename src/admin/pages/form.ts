import type { BilingualText } from '../../contract/language.ts';
import { emptyHtml } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import { passkeyButton, passkeyFault, type PasskeyRequest } from './passkey-button.ts';
import { wordOf, type View } from './view.ts';

interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  /**
   * `choice` allows one option, `checks` several; `lines` is one value per line, `flag` a yes or no, `passkey` the
   * response of a passkey.
   */
  readonly kind?:
    'text' | 'password' | 'hidden' | 'choice' | 'checks' | 'lines' | 'flag' | 'passkey';
  readonly values?: readonly string[];
  readonly options?: readonly FieldOption[];
  readonly hint?: string;
  /** Request to a passkey. Its button stands beside the button of the form. */
  readonly passkey?: PasskeyRequest;
  /** Picture above the label. */
  readonly figure?: Html;
  /** Regular expression that the whole text must match; the hint explains it. */
  readonly pattern?: string;
  /** Text that explains how to correct the submitted value. */
  readonly fault?: string | undefined;
  readonly isOptional?: boolean;
  readonly autocomplete?:
    'off' | 'username' | 'current-password' | 'new-password' | 'one-time-code';
}

interface FormOptions {
  readonly action: string;
  readonly method?: 'get' | 'post';
  /** Label of the button; null for a form that is only sent by the button of a passkey. */
  readonly button: string | null;
  readonly fields: readonly FormField[];
  readonly isDangerous?: boolean;
  /** Link beside the button. */
  readonly cancel?: { readonly href: string; readonly label: string };
  readonly kind?: string;
}

/** A form of labelled fields. Screen readers find hint and error by `aria-describedby`. */
export function form({
  action,
  method = 'post',
  button,
  fields,
  isDangerous,
  cancel,
  kind = '',
}: FormOptions): Html {
  const passkeys = fields.filter((field) => field.kind === 'passkey');
  return html`<form method="${method}" action="${action}" class="fields ${kind}">
    ${fields.map(fieldOf)}
    <p class="act">
      ${button === null ? emptyHtml : html`<button type="submit" class="${isDangerous === true ? 'danger' : ''}">${button}</button>`}
      ${passkeys.map(({ label, passkey }) => passkeyButton(label, passkey!))}
      ${cancel === undefined ? emptyHtml : html`<a href="${cancel.href}">${cancel.label}</a>`}
    </p>
    ${passkeys.map(({ passkey }) => passkeyFault(passkey!))}
  </form>`;
}

export function hiddenField(name: string, ...values: readonly string[]): FormField {
  return { name, label: '', kind: 'hidden', values };
}

/** Options of a field, each a name with its label: `stats:read (Read statistics)`. */
export function optionsOf(
  view: View,
  names: readonly string[],
  words: Readonly<Record<string, BilingualText>>,
): readonly FieldOption[] {
  return names.map((name) => ({ value: name, label: `${name} (${wordOf(view, words, name)})` }));
}

/**
 * Response of a passkey in a field of a form; the text itself if it is not JSON, which the check of the body refuses.
 */
export function parsedPasskey(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fieldOf(field: FormField): Html {
  const { name, label, kind = 'text', values = [], options = [], hint, fault } = field;
  if (kind === 'hidden')
    return html`${values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
  if (kind === 'passkey')
    return html`<input type="hidden" name="${name}" class="passkey-response" />`;
  const noteId = `note-${name}`;
  const hasNote = hint !== undefined || fault !== undefined;
  const describedBy = hasNote ? html`aria-describedby="${noteId}"` : emptyHtml;
  const note = !hasNote
    ? emptyHtml
    : html`<span class="note" id="${noteId}"
        >${fault === undefined ? emptyHtml : html`<strong class="fault">${fault}</strong> `}${hint ?? ''}</span
      >`;
  if (kind === 'checks')
    return html`<fieldset ${describedBy}>
      <legend>${label}</legend>
      ${options.map((option) => checkbox(name, option, values.includes(option.value)))}${note}
    </fieldset>`;
  if (kind === 'flag')
    return html`<div class="field">
      ${checkbox(name, { value: 'true', label }, values.includes('true'))}${note}
    </div>`;
  const attributes = html`id="field-${name}" name="${name}" ${describedBy}
  ${fault === undefined ? emptyHtml : html`aria-invalid="true"`}
  ${field.pattern === undefined ? emptyHtml : html`pattern="${field.pattern}" title="${hint ?? ''}"`}
  ${field.isOptional === true ? emptyHtml : html`required`}`;
  return html`<div class="field">
    ${field.figure ?? emptyHtml}<label for="field-${name}">${label}</label>
    ${control(kind, attributes, field)}${note}
  </div>`;
}

function control(
  kind: string,
  attributes: Html,
  { values = [], options = [], autocomplete = 'off' }: FormField,
): Html {
  if (kind === 'choice')
    return html`<select ${attributes}>
      ${options.map(
        ({ value, label }) =>
          html`<option value="${value}" ${values.includes(value) ? 'selected' : ''}>
            ${label}
          </option>`,
      )}
    </select>`;
  if (kind === 'lines')
    return html`<textarea rows="3" spellcheck="false" ${attributes}>
${values.join('\n')}</textarea>`;
  return html`<input
    type="${kind}"
    value="${values[0] ?? ''}"
    autocomplete="${autocomplete}"
    spellcheck="false"
    ${attributes}
  />`;
}

function checkbox(name: string, { value, label }: FieldOption, isChecked: boolean): Html {
  return html`<label class="check"
    ><input type="checkbox" name="${name}" value="${value}" ${isChecked ? 'checked' : ''} />
    ${label}</label
  >`;
}
