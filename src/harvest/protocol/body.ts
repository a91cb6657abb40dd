/** Format of a body by its content: the gateway mislabels most of its errors. */
type BodyKind = 'json' | 'xml' | 'html' | 'text' | 'empty';

interface ReadBody {
  readonly kind: BodyKind;
  readonly text: string;
}

/** Decodes UTF-8, without its mark, and detects the format by the first characters. */
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

/** First element of a page: `head` and `body` inside are names of the portal's XML, too. */
const html =
  /^(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title|center|div|p)[\s>]/i;
const sniffedLength = 2_000;
