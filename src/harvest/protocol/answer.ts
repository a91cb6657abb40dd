import { parseExactly } from '../../ingest/files/json-exact.ts';
import { readBody } from './body.ts';
import { openEnvelope, type Envelope } from './envelope.ts';
import { faultOfStatus, faultOfWords, isFault, type Fault } from '../../data/portal/fault.ts';
import { xmlTree } from './xml-tree.ts';

/** Content of a response of the portal. */
export interface PortalAnswer extends Envelope {
  readonly format: 'json' | 'xml';
  /** The body as received, decompressed; an echoed key is removed. */
  readonly body: Uint8Array;
  readonly status: number;
}

/**
 * Reads the rows and counts of a body's envelope, or its fault. The result depends on the arguments alone, so a
 * corrected parser can read stored responses again.
 */
export function readAnswer(bytes: Uint8Array, status: number): PortalAnswer | Fault {
  const { kind, text } = readBody(bytes);
  const quoted = text.slice(0, quotedLengthMax);
  const refused = status < 200 || status > 299;
  if (kind === 'html')
    return { class: 'retry', code: 'html', message: 'the response is an HTML page' };
  if (kind === 'empty') {
    return refused
      ? faultOfStatus(status, 'the response is empty')
      : { class: 'retry', code: 'empty_body', message: 'the response is empty' };
  }
  if (kind === 'text') {
    const fault = faultOfWords(text);
    if (fault !== undefined) return fault;
    return refused
      ? faultOfStatus(status, quoted)
      : {
          class: 'retry',
          code: 'not_data',
          message: `the response is neither JSON nor XML, but “${quoted}”`,
        };
  }
  const root = parsed(kind, text);
  if (root === broken) {
    if (refused) return faultOfStatus(status, quoted);
    return { class: 'retry', code: `${kind}_broken`, message: `the ${kind} is cut off or broken` };
  }
  const opened = openEnvelope(root);
  if (opened === undefined) {
    if (refused) return faultOfStatus(status, quoted);
    return { class: 'retry', code: 'unknown_envelope', message: `no known envelope: “${quoted}”` };
  }
  if (isFault(opened)) return opened;
  if (refused) return faultOfStatus(status, quoted);
  return { ...opened, format: kind, body: bytes, status };
}

/** Length of the quoted part of a body; redaction shortens the whole message further. */
const quotedLengthMax = 1_000;

const broken = Symbol('broken');

function parsed(kind: 'json' | 'xml', text: string): unknown {
  try {
    return kind === 'json' ? parseExactly(text, (spelling) => spelling) : xmlTree(text);
  } catch {
    // The parser's error is dropped: it quotes the body, which may echo the key.
    return broken;
  }
}
