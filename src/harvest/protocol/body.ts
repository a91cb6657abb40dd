/** Format of a body by its content, since the gateway mislabels most of its errors. */
type BodyKind = 'json' | 'xml' | 'html' | 'text' | 'empty';

interface DecodedBody {
  readonly kind: BodyKind;
  readonly text: string;
}

/** Decodes UTF-8, drops the byte order mark, and detects the format by the first characters. */
export function readBody(bytes: Uint8Array): DecodedBody {
  const text = new TextDecoder().decode(bytes).trim();
  return { kind: kindOf(text), text };
}

function kindOf(text: string): BodyKind {
  if (text === '') return 'empty';
  const first = text.charAt(0);
  if (first === '{' || first === '[') return 'json';
  if (first !== '<') return 'text';
  return htmlStart.test(text.slice(0, sniffedLength)) ? 'html' : 'xml';
}

/** Matches the first element of an HTML page. Later ones are ignored: the portal's XML has `head` and `body`, too. */
const htmlStart =
  /^(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title|center|div|p)[\s>]/i;
const sniffedLength = 2_000;
