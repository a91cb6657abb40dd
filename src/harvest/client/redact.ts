import { portalLimits } from './limits.ts';
import type { ServiceKey } from './service-key.ts';

/** Takes the key out of anything that is shown or kept. */
export interface Redactor {
  text(text: string): string;
  /** A foreign message in one bounded line. */
  message(text: string): string;
  /** The same bytes where the key is not among them. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** Knows the key in every spelling an echo of a request can have. */
export function createRedactor(key: ServiceKey | null): Redactor {
  const spellings = key === null ? [] : spellingsOf(key);
  const hide = (text: string) => {
    let clean = text;
    for (const spelling of spellings) clean = clean.replaceAll(spelling, hidden);
    return redact(clean);
  };
  return {
    text: hide,
    // Hidden first: half a key would be no spelling any more.
    message: (text) => oneLine(hide(text)),
    bytes: (bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!spellings.some((spelling) => buffer.includes(spelling))) return bytes;
      // Latin-1 keeps every other byte as it is, and all spellings are ASCII.
      let text = buffer.toString('latin1');
      for (const spelling of spellings) text = text.replaceAll(spelling, hidden);
      return Buffer.from(text, 'latin1');
    },
  };
}

/** Hides whatever stands where a key is given, known or not. */
export function redact(text: string): string {
  return text
    .replace(/(service_?key(?:=|%3D))[^&\s"'<>]*/gi, `$1${hidden}`)
    .replace(/(infuser\s+)[^\s"'<>,]+/gi, `$1${hidden}`);
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const most = portalLimits.messageLengthMax;
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

const hidden = '***';

function spellingsOf({ encoded, plain }: ServiceKey): string[] {
  const twice = encodeURIComponent(encoded);
  const spellings = [
    plain,
    encoded,
    twice,
    encoded.replace(/%../g, (octet) => octet.toLowerCase()),
    plain.replaceAll('/', '\\/'),
    plain.replaceAll('+', ' '),
    plain.replaceAll('=', '\\u003d'),
    plain.replaceAll('=', '&#x3D;').replaceAll('/', '&#x2F;'),
    encodeURI(plain),
    Buffer.from(plain).toString('base64'),
  ];
  // The longest first: no spelling leaves a piece of another.
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}
