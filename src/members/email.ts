import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { memberLimits } from './limits.ts';
import type { Problem } from '../kernel/problem.ts';
import { invalid } from './problem.ts';
import { sha256 } from './sha256.ts';

/**
 * The canonical form of an address, which identifies a member: trimmed, A–Z of the local part in lower case, the domain
 * as lower-case ASCII (UTS 46). Dots and plus signs stay, because many providers give them to different mailboxes.
 */
export function canonicalEmail(typed: unknown, pointer = '/email'): string {
  if (typeof typed !== 'string') throw refusal(pointer, reasons.notText);
  const text = typed.trim();
  const bytes = Buffer.byteLength(text);
  if (bytes < memberLimits.emailBytesMin || bytes > memberLimits.emailBytesMax) {
    throw refusal(pointer, reasons.length);
  }
  if (!text.isWellFormed() || invisible.test(text)) throw refusal(pointer, reasons.invisible);
  if (text.normalize('NFKC') !== text) throw refusal(pointer, reasons.lookalike);
  const at = text.indexOf('@');
  if (at < 1 || at !== text.lastIndexOf('@')) throw refusal(pointer, reasons.shape);
  const local = text.slice(0, at);
  if (Buffer.byteLength(local) > memberLimits.emailLocalBytesMax) {
    throw refusal(pointer, reasons.local);
  }
  const domain = canonicalDomain(text.slice(at + 1));
  if (domain === null) throw refusal(pointer, reasons.domain);
  const canonical = `${foldAscii(local)}@${domain}`;
  // Punycode can be longer than the typed domain.
  if (Buffer.byteLength(canonical) > memberLimits.emailBytesMax) {
    throw refusal(pointer, reasons.length);
  }
  return canonical;
}

/** The address as typed, trimmed; null if that is its canonical form. */
export function typedForm(typed: string, canonical: string): string | null {
  const trimmed = typed.trim();
  return trimmed === canonical ? null : trimmed;
}

/** SHA-256 of a canonical address: the key that members are found by, and that platforms compare their lists with. */
export function emailHash(canonical: string): Buffer {
  return sha256(canonical);
}

/** `ab***@e***.com`: users recognise their own address, and learn no other. */
export function maskedEmail(canonical: string): string {
  const at = canonical.lastIndexOf('@');
  const local = Array.from(canonical.slice(0, at));
  const domain = canonical.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const shown = local.length > 3 ? local.slice(0, 2) : local.slice(0, 1);
  return `${shown.join('')}***@${domain.slice(0, 1)}***${domain.slice(dot)}`;
}

/**
 * The domain as ASCII; null for anything but an internet name. `domainToASCII` is the host parser of URLs: it cuts at `/`,
 * `?` and `#`, decodes `%41`, turns `0x7f.1` into an address. So URL syntax is refused before it, and all but letters,
 * digits and hyphens after it.
 */
function canonicalDomain(typed: string): string | null {
  if (urlSyntax.test(typed)) return null;
  const domain = domainToASCII(typed);
  if (!domain.includes('.') || domain.length > 253 || isIP(domain) !== 0) return null;
  const labels = domain.split('.');
  if (!labels.every((label) => hostLabel.test(label))) return null;
  // Some software reads a name with a numeric last label as an IP address.
  return /^\d+$/.test(labels.at(-1)!) ? null : domain;
}

function foldAscii(local: string): string {
  return local.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** White space and invisible characters: Unicode 16 categories C and Z, and fillers. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u115F\u1160\u3164\uFFA0]/u;
const urlSyntax = /[!-,/:-@[-`{-~]/;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function refusal(pointer: string, reason: { ko: string; en: string }): Problem {
  return invalid('invalid_email', pointer, reason, {
    ko: 'name@example.com 꼴의 주소를 보내세요.',
    en: 'Send an address such as name@example.com.',
  });
}

const reasons = {
  notText: { ko: '이메일은 문자열이어야 합니다.', en: 'The email must be a string.' },
  length: {
    ko: '이메일은 3바이트 이상 254바이트 이하여야 합니다.',
    en: 'The email must be 3 to 254 bytes long.',
  },
  invisible: {
    ko: '이메일에 공백이나 보이지 않는 문자가 있습니다.',
    en: 'The email contains white space or invisible characters.',
  },
  lookalike: {
    ko: '이메일에 다른 글자처럼 보이는 호환 문자가 있습니다.',
    en: 'The email contains compatibility characters that look like others.',
  },
  shape: {
    ko: '이메일에는 @가 하나 있어야 합니다.',
    en: 'The email must contain one @ with text before it.',
  },
  local: {
    ko: '@ 앞은 64바이트를 넘을 수 없습니다.',
    en: 'The part before the @ may not exceed 64 bytes.',
  },
  domain: {
    ko: '@ 뒤가 인터넷 도메인이 아닙니다.',
    en: 'The part after the @ is not an internet domain.',
  },
} as const;
