import { portalLimits } from './limits.ts';

/** Remover of secrets from everything that is shown or stored. */
export interface Redactor {
  text(text: string): string;
  /** Removes secrets from an upstream's message and makes it one line of bounded length. */
  message(text: string): string;
  /** Removes secrets; returns the same array if it contains none. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** Creates a redactor. `secrets` has every spelling that an echo of a request can have, the longest first. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const hide = (text: string) => {
    let clean = text;
    for (const spelling of secrets) clean = clean.replaceAll(spelling, mask);
    return redact(clean);
  };
  return {
    text: hide,
    // Secrets are removed before the cut: half a key would match no spelling.
    message: (text) => oneLine(hide(text)),
    bytes: (bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!secrets.some((spelling) => buffer.includes(spelling))) return bytes;
      // Latin-1 keeps every other byte as it is, and secrets are ASCII.
      let text = buffer.toString('latin1');
      for (const spelling of secrets) text = text.replaceAll(spelling, mask);
      return Buffer.from(text, 'latin1');
    },
  };
}

/** Hides the value of every parameter and header for a key, even if the key is unknown. */
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
