import { formComparisons } from '../../contract/pages.ts';
import { columnsOf } from '../../lookup/selection.ts';
import { printName } from '../../lookup/where/print.ts';
import { panel } from '../components/panel.ts';
import { html, type Html } from '../html.ts';
import { conditionTexts } from './condition-texts.ts';
import { labelIn, whereOf, type DatasetParams, type DatasetView } from './dataset-view.ts';
import { expressionOf, needsValue } from './simple-condition.ts';

/**
 * The condition of the address with the one of the form added; null if the form's condition lacks its value. Throws 400
 * for an unknown field.
 */
export function whereWithAdded(
  { column, test, value = '' }: DatasetParams,
  { conditions, stored }: Pick<DatasetView, 'conditions' | 'stored'>,
): string | null {
  if (column === undefined || (needsValue(test) && value === '')) return null;
  const { name } = columnsOf(stored).find({ text: column, position: 0 }, 'column');
  return whereOf([...conditions, expressionOf({ column: name, test, value })]) ?? null;
}

/** Inputs that add a condition by field, test and value, and the condition of the address as a text. */
export function conditionInputs({ params, stored, language }: DatasetView): Html {
  const words = conditionTexts[language];
  const { column = '', test, value = '', where = '' } = params;
  const example = stored.fields[0] === undefined ? '' : printName(stored.fields[0].label);
  return panel(
    words.addCondition,
    html`<div class="inputs condition" data-axis="${stored.axis.code}">
        <label
          ><span>${words.field}</span>
          <select name="column">
            ${option('', words.chooseField, column)}
            ${stored.fields.map((field) => option(field.name, labelIn(field, language), column))}
          </select></label
        >
        <label
          ><span>${words.comparison}</span>
          <select name="test">
            ${formComparisons.map((one) => option(one, words.tests[one], test))}
          </select></label
        >
        <label
          ><span>${words.value}</span>
          <input name="value" value="${value}" maxlength="200" autocomplete="off" list="values"
        /></label>
        <datalist id="values"></datalist>
        <button>${words.add}</button>
      </div>
      <label class="written"
        ><span>${words.where}</span>
        <input
          name="where"
          value="${where}"
          maxlength="2000"
          placeholder="${words.whereExample(example)}"
      /></label>
      <p><a href="/docs/read">${words.whereHelp}</a></p>`,
    column !== '',
  );
}

function option(name: string, text: string, chosen: string): Html {
  return html`<option value="${name}" ${name === chosen ? html`selected` : null}>${text}</option>`;
}
