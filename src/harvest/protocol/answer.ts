import { parseExactly } from '../../ingest/files/json-exact.ts';
import { readBody } from './body.ts';
import { openEnvelope, type Envelope } from './envelope.ts';
import { faultOfStatus, faultOfWords, isFault, type Fault } from '../../data/portal/fault.ts';
import { xmlTree } from './xml-tree.ts';

/** An answer that can be read again at any time from what was kept of it. */
export interface PortalAnswer extends Envelope {
  readonly format: 'json' | 'xml';
  /** As received and unpacked, the key taken out where it was echoed. */
  readonly body: Uint8Array;
  readonly status: number;
}

/**
 * Reads a kept body: the envelope's rows and counts, or the fault it tells. A pure function of its
 * arguments, so that a mended parser reads old answers without asking again.
 */
export function readAnswer(bytes: Uint8Array, status: number): PortalAnswer | Fault {
  const { kind, text } = readBody(bytes);
  const said = text.slice(0, saidLengthMax);
  const refused = status < 200 || status > 299;
  if (kind === 'html') return { class: 'retry', code: 'html', message: 'an HTML page came' };
  if (kind === 'empty') {
    return refused
      ? faultOfStatus(status, 'nothing came')
      : { class: 'retry', code: 'empty_body', message: 'nothing came' };
  }
  if (kind === 'text') {
    const fault = faultOfWords(text);
    if (fault !== undefined) return fault;
    return refused
      ? faultOfStatus(status, said)
      : { class: 'retry', code: 'not_data', message: `neither JSON nor XML came, but “${said}”` };
  }
  const root = parsed(kind, text);
  if (root === broken) {
    if (refused) return faultOfStatus(status, said);
    return { class: 'retry', code: `${kind}_broken`, message: `the ${kind} is cut off or broken` };
  }
  const opened = openEnvelope(root);
  if (opened === undefined) {
    if (refused) return faultOfStatus(status, said);
    return { class: 'retry', code: 'unknown_envelope', message: `no known envelope: “${said}”` };
  }
  if (isFault(opened)) return opened;
  if (refused) return faultOfStatus(status, said);
  return { ...opened, format: kind, body: bytes, status };
}

/** Of a body that is shown; what is shown of a message is bounded again when it is redacted. */
const saidLengthMax = 1_000;

const broken = Symbol('broken');

function parsed(kind: 'json' | 'xml', text: string): unknown {
  try {
    return kind === 'json' ? parseExactly(text, (spelling) => spelling) : xmlTree(text);
  } catch {
    // Parsers quote what they read, which may echo the key.
    return broken;
  }
}
