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
