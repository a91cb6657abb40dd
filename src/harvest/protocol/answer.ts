import { parseExactly } from '../../ingest/files/json-exact.ts';
import {
  countMembers,
  mendQuotes,
  mendWords,
  renameRepeats,
} from '../../ingest/files/json-record.ts';
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
  /** True if the JSON was mended: escapes that its strings lacked, or words such as NaN. */
  readonly isMended: boolean;
}

/**
 * Reads the rows and counts of a body's envelope, or its fault. `mends` adds missing escapes to JSON that is not cut
 * off. The result depends on the arguments alone, so a corrected parser can read stored responses again.
 */
export function readAnswer(bytes: Uint8Array, status: number, mends = false): PortalAnswer | Fault {
  const { kind, text } = readBody(bytes);
  const excerpt = isBinary(text) ? 'binary data' : text.slice(0, excerptLengthMax);
  const isErrorStatus = status < 200 || status > 299;
  if (kind === 'html')
    return { class: 'retry', code: 'html', message: 'the response is an HTML page' };
  if (kind === 'empty') {
    if (status === noContent)
      return { ...noRecords, format: 'json', body: bytes, status, isMended: false };
    return isErrorStatus
      ? faultOfStatus(status, 'the response is empty')
      : { class: 'retry', code: 'empty_body', message: 'the response is empty' };
  }
  if (kind === 'text') {
    const fault = faultOfWords(text);
    if (fault !== undefined) return fault;
    return isErrorStatus
      ? faultOfStatus(status, excerpt)
      : {
          class: 'retry',
          code: 'not_data',
          message: `the response is neither JSON nor XML, but “${excerpt}”`,
        };
  }
  const parsed = parseBody(kind, text);
  const isMended = parsed === broken && mends && kind === 'json';
  const root = isMended ? parseMended(text) : parsed;
  if (root === broken) {
    if (isErrorStatus) return faultOfStatus(status, excerpt);
    const code = kind === 'json' ? brokenJson : 'xml_broken';
    return { class: 'retry', code, message: `the ${kind} is cut off or broken` };
  }
  const envelope = openEnvelope(root);
  if (envelope === undefined) {
    if (isErrorStatus) return faultOfStatus(status, excerpt);
    return { class: 'retry', code: 'unknown_envelope', message: `no known envelope: “${excerpt}”` };
  }
  if (isFault(envelope)) return envelope;
  if (isErrorStatus) return faultOfStatus(status, excerpt);
  return { ...envelope, format: kind, body: bytes, status, isMended };
}

/** Fault code of broken JSON, which `mends` may make readable. */
export const brokenJson = 'json_broken';

/** Status with which some services answer that there are no records (RFC 9110, section 15.3.5). */
const noContent = 204;
const noRecords = { rows: [], total: 0, code: '03', message: '' } as const;

/** Length of a body's excerpt in a message; redaction shortens the whole message further. */
const excerptLengthMax = 1_000;

/** True for text that no encoding explains, such as a picture. */
function isBinary(text: string): boolean {
  return /[\0\uFFFD]/.test(text.slice(0, excerptLengthMax));
}

/** Parses broken JSON with words such as NaN replaced or, if that is not enough, with missing escapes added. */
function parseMended(text: string): unknown {
  const root = parseBody('json', mendWords(text));
  return root === broken ? parseBody('json', mendQuotes(text)) : root;
}

/** Removes the comment that a proxy wrote behind the JSON, such as its name and time. */
function withoutComment(text: string): string {
  return text.endsWith('-->') ? text.slice(0, text.lastIndexOf('<!--')) : text;
}

const broken = Symbol('broken');

/** Parses JSON. A member that repeats a name of its object is renamed to `name_2`, which becomes an unknown field. */
function parseJson(text: string): unknown {
  const value = parseExactly(text, (spelling) => spelling);
  if (typeof value !== 'object' || value === null) return value;
  let names = 0;
  for (const [, colon] of text.matchAll(stringOrName)) if (colon !== undefined) names++;
  if (names === countMembers(value)) return value;
  return parseExactly(renameRepeats(text).text, (spelling) => spelling);
}

/** Matches a string, and the colon after a member’s name. Matching whole strings keeps the search linear. */
const stringOrName = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

function parseBody(kind: 'json' | 'xml', text: string): unknown {
  try {
    return kind === 'json' ? parseJson(withoutComment(text)) : xmlTree(text);
  } catch {
    // The parser's error is dropped: it quotes the body, which may echo the key.
    return broken;
  }
}
