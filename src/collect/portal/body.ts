/** What a body is, whatever its content type says: the gateway mislabels most of its errors. */
export type BodyKind = 'json' | 'xml' | 'html' | 'text' | 'empty';

export interface ReadBody {
  readonly kind: BodyKind;
  readonly text: string;
}

/** Decodes UTF-8, without its mark, and looks at the first characters. */
export function readBody(bytes: Uint8Array): ReadBody {
  const text = new TextDecoder().decode(bytes).trim();
  return { kind: kindOf(text), text };
}

/** Parses JSON without changing a number's spelling: one that would be written otherwise becomes its own text. */
export function parseJson(text: string): unknown {
  if (!spelledOtherwise.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? (source ?? String(value)) : value,
  );
}

// The reviver's third argument is in the runtime (ECMAScript 2026), not yet in the type library.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/**
 * More than 15 digits, an exponent, a zero at the end of a fraction, many at its start, or a negative zero.
 * Rare, and worth looking for: the way that keeps the spelling takes several times as long.
 */
const spelledOtherwise =
  /[:[,]\s*-?(?:\d{16}|\d[\d.]{16}|[\d.]+[eE]|\d+\.\d*0(?!\d)|0\.0{6}|(?<=-)0(?![\d.]))/;

function kindOf(text: string): BodyKind {
  if (text === '') return 'empty';
  const first = text.charAt(0);
  if (first === '{' || first === '[') return 'json';
  if (first !== '<') return 'text';
  return html.test(text.slice(0, sniffedLength)) ? 'html' : 'xml';
}

/** Judged by the first element: `head` and `body` inside are also names of the portal's XML. */
const html =
  /^(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title|center|div|p)[\s>]/i;
const sniffedLength = 2_000;
