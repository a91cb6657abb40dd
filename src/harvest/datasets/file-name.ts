import iconv from 'iconv-lite';
import { datasetLimits } from './limits.ts';

/**
 * The name in `Content-Disposition`, made safe by `safeName`; null for none. Half of the portal's
 * servers send CP949 bytes, the others percent-encode, and RFC 5987 occurs too. `header` has one character for each
 * byte, as from fetch.
 */
export function nameOfDisposition(header: string | null): string | null {
  if (header === null) return null;
  const extended = /filename\*\s*=\s*([\w-]*)'[^']*'([^;\s]+)/i.exec(header);
  if (extended !== null) {
    const bytes = decodePercent(extended[2] ?? '');
    const name = /^utf-?8$/i.test(extended[1] ?? '') ? bytes.toString('utf8') : koreanText(bytes);
    return safeName(name);
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
  const value = (plain?.[1] ?? plain?.[2])?.replaceAll(/\\(.)/g, '$1').trim() ?? '';
  const encodedWord = /^=\?([\w-]+)\?B\?([\w+/=]+)\?=$/i.exec(value);
  if (encodedWord !== null)
    return safeName(koreanText(Buffer.from(encodedWord[2] ?? '', 'base64')));
  const isEncoded = /%[0-9a-f]{2}/i.test(value);
  return safeName(koreanText(decodePercent(isEncoded ? value.replaceAll('+', ' ') : value)));
}

/**
 * Makes a name safe for file systems: removes folders and leading dots, replaces control characters and forbidden ones
 * by `_`, and shortens it to `nameBytesMax`. Null if nothing is left.
 */
export function safeName(name: string): string | null {
  const clean = name
    .normalize('NFC')
    .replace(/^.*[/\\]/u, '')
    .replace(/[\p{Cc}<>:"|?*]+/gu, '_')
    .trim()
    .replace(/^\.+/u, '');
  const ending = /\.[a-z0-9]{1,8}$/iu.exec(clean)?.[0] ?? '';
  let stem = clean.slice(0, clean.length - ending.length);
  while (Buffer.byteLength(stem + ending) > datasetLimits.nameBytesMax) {
    stem = Array.from(stem).slice(0, -1).join('');
  }
  return stem === '' ? null : stem + ending;
}

/** Bytes of a text with one character for each byte, percent-encoded or not. */
function decodePercent(text: string): Buffer {
  const octets = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(octets, 'latin1');
}

function koreanText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // CP949 includes EUC-KR.
    return iconv.decode(bytes, 'cp949');
  }
}
