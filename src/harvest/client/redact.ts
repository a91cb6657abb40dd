import { portalLimits } from './limits.ts';

/** Remover of secrets from everything that is shown or stored. */
export interface Redactor {
  text(text: string): string;
  /** Removes secrets from an upstream's message and makes it one line of bounded length. */
  message(text: string): string;
  /** Removes secrets; returns the same array if it contains none. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** Creates a redactor. `secrets` has every spelling that an echo of a request may contain, the longest first. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = secrets.map(patternOf);
  const hide = (text: string): string => redact(hideAll(text, patterns));
  return {
    text: hide,
    // Secrets are removed before the cut: half a key would match no spelling.
    message: (text) => oneLine(hide(text)),
    bytes: (bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!secrets.some((spelling) => buffer.includes(startOf(spelling)))) return bytes;
      // Latin-1 keeps every other byte as it is, and secrets are ASCII.
      return Buffer.from(hideAll(buffer.toString('latin1'), patterns), 'latin1');
    },
  };
}

function hideAll(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((clean, pattern) => clean.replace(pattern, mask), text);
}

/** Matches a spelling, whole or cut off by the upstream, in upper or lower case. */
function patternOf(spelling: string): RegExp {
  const start = startOf(spelling);
  const cut = start === spelling ? '' : `|${RegExp.escape(start)}[\\w+/=%\\\\-]*`;
  return new RegExp(`${RegExp.escape(spelling)}${cut}`, 'gi');
}

/** The start by which a long secret is recognised; a short secret is recognised only as a whole. */
function startOf(spelling: string): string {
  return spelling.length < startLength * 2 ? spelling : spelling.slice(0, startLength);
}

const startLength = 16;

/** Hides the value of every parameter and header that carries a key, even if the key is not among the secrets. */
export function redact(text: string): string {
  return text
    .replace(/(service_?key(?:=|%3D))[^&\s"'<>]*/gi, `$1${mask}`)
    .replace(/(infuser\s+)[^\s"'<>,]+/gi, `$1${mask}`);
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const lengthMax = portalLimits.messageLengthMax;
  return line.length > lengthMax ? `${line.slice(0, lengthMax)}…` : line;
}

const mask = '***';
