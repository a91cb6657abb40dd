import type { Language } from '../../contract/language.ts';
import { codeSample } from './code-sample.ts';
import { html, type Html } from '../html.ts';

interface CodeSample {
  /** Unique on the page, of small letters. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly remark?: Html;
}

/**
 * The same code in several languages, one of which is shown; radio buttons choose it without a script. Each group of a
 * page has its own name.
 */
export function codeTabs(
  legend: string,
  samples: readonly CodeSample[],
  language: Language,
  group = 'code',
): Html {
  return html`<fieldset class="tabs">
    <legend class="spoken">${legend}</legend>
    <div class="tab-names">
      ${samples.map(
        ({ id, name }, at) =>
          html`<label
            ><input type="radio" name="${group}" value="${id}" ${at === 0 ? html`checked` : null} />
            <span>${name}</span></label
          >`,
      )}
    </div>
    ${samples.map(
      ({ id, name, code, remark }) =>
        html`<div class="tab" data-tab="${id}">${codeSample(code, name, language)} ${remark}</div>`,
    )}
  </fieldset>`;
}
