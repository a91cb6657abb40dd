import iconv from 'iconv-lite';
import { encodingOf } from '../../ingest/files/encoding.ts';
import { afterProlog } from '../../ingest/files/markup-prolog.ts';

/** Format of a body by its content, since the gateway mislabels most of its errors. */
type BodyKind = 'json' | 'xml' | 'html' | 'text' | 'empty';

interface DecodedBody {
  readonly kind: BodyKind;
  readonly text: string;
}

/** Decodes a body like the text of a file, and detects its format by the first characters. */
export function readBody(bytes: Uint8Array): DecodedBody {
  const whole = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).trim();
  const text = withoutCallback(whole);
  return { kind: kindOf(text), text };
}

/** The JSON inside the call of a function (JSONP); any other text as it is. */
function withoutCallback(text: string): string {
  const start = /^[\w$.]{1,100}\(\s*(?=[{[])/.exec(text.slice(0, sniffedLength));
  if (start === null) return text;
  const end = /\)\s*;?$/.exec(text.slice(-10));
  return end === null ? text : text.slice(start[0].length, text.length - end[0].length);
}

function decode(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  // The decoder of Node is faster, and reads damaged UTF-8 as other clients do.
  return encoding === 'utf-8' ? new TextDecoder().decode(bytes) : iconv.decode(bytes, encoding);
}

function kindOf(text: string): BodyKind {
  if (text === '') return 'empty';
  const first = text.charAt(0);
  if (first === '{' || first === '[') return 'json';
  if (first !== '<') return 'text';
  return htmlStart.test(afterProlog(text.slice(0, sniffedLength))) ? 'html' : 'xml';
}

/** Matches the first element of an HTML page. Later ones are ignored: the portal's XML has `head` and `body`, too. */
const htmlStart = /^<(?:!doctype\s+html|html|head|body|script|meta|title|center|div|p)[\s>]/i;
const sniffedLength = 2_000;
