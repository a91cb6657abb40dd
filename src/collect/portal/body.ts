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

/**
 * Parses JSON without losing digits: a number beyond 2^53, which the source wrote as an identifier,
 * becomes its own text.
 */
export function parseJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && !isExact(value) ? (source ?? String(value)) : value,
  );
}

// The reviver's third argument is in the runtime (ECMAScript 2026), not yet in the type library.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Rare, and worth looking for: the way that keeps digits takes twice the time. */
const longNumber = /[:[,]\s*-?(?:\d{16,}|\d[\d.]*[eE]\+?\d{3})/;

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

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
