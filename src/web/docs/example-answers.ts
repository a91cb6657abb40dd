import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import answers from './example-answers.json' with { type: 'json' };
import { referenceTexts } from './texts.ts';

/**
 * The start of a real answer below a call. `npm run examples` writes them from calls over the sample data; `target` is
 * the call on this page, whose axis can be another one. A file has none.
 */
export function exampleAnswer(key: string, language: Language, target?: string): Html {
  const words = referenceTexts[language];
  const example = (answers as Readonly<Record<string, ExampleAnswer>>)[key];
  if (example === undefined) return emptyHtml;
  const { target: called, answer } = example;
  const text = typeof answer === 'string' ? answer : shownJson(answer).replaceAll('"…"', '…');
  return html`<div class="answer">
    <p class="quiet">
      ${words.exampleAnswer}${called === target ? emptyHtml : html` (<code>${called}</code>)`}
    </p>
    <pre
      tabindex="0"
      role="group"
      aria-label="${words.exampleAnswer}"
    ><code translate="no">${text}</code></pre>
  </div>`;
}

export interface ExampleAnswer {
  /** Path and query of a call of the lookup service. */
  readonly target?: string;
  /** JSON, or the first lines of a text; `…` stands where it is cut. */
  readonly answer: unknown;
}

/** JSON with an object or list on one line where it fits. */
function shownJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null) return line;
  if (indent.length + line.length <= lineLengthMax) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(([name, each]) => {
    const shown = shownJson(each, inner);
    return Array.isArray(value) ? inner + shown : `${inner}${JSON.stringify(name)}: ${shown}`;
  });
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

const lineLengthMax = 76;
