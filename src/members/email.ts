import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { memberLimits } from './limits.ts';
import type { Problem } from '../kernel/problem.ts';
import { invalid } from './problem.ts';
import { sha256 } from './sha256.ts';

/**
 * The one spelling of an address that members are told apart by: trimmed, A–Z of the local part folded,
 * the domain as lower-case ASCII (UTS 46). Dots and plus signs stay: they are another's mailbox elsewhere.
 */
export function canonicalEmail(typed: unknown, pointer = '/email'): string {
  if (typeof typed !== 'string') throw refusal(pointer, reasons.notText);
  const text = typed.trim();
  const bytes = Buffer.byteLength(text);
  if (bytes < memberLimits.emailBytesMin || bytes > memberLimits.emailBytesMax) {
    throw refusal(pointer, reasons.length);
  }
  if (!text.isWellFormed() || unseen.test(text)) throw refusal(pointer, reasons.unseen);
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
  // Punycode can be longer than what was typed.
  if (Buffer.byteLength(canonical) > memberLimits.emailBytesMax) {
    throw refusal(pointer, reasons.length);
  }
  return canonical;
}

/** SHA-256 of a canonical address: members are found by it, and platforms compare their lists by it. */
export function emailHash(canonical: string): Buffer {
  return sha256(canonical);
}

/** `ab***@ex***.com`: enough to recognise one's own address, not enough to learn another's. */
export function maskedEmail(canonical: string): string {
  const at = canonical.lastIndexOf('@');
  const local = Array.from(canonical.slice(0, at));
  const domain = canonical.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const shown = local.length > 3 ? local.slice(0, 2) : local.slice(0, 1);
  return `${shown.join('')}***@${domain.slice(0, 1)}***${domain.slice(dot)}`;
}

/**
 * `domainToASCII` is the URL parser's host step: it cuts at `/`, `?` and `#`, decodes `%41`, turns `0x7f.1`
 * into an address. So only letters of a host name go in, and only LDH labels may come out.
 */
function canonicalDomain(typed: string): string | null {
  if (urlSyntax.test(typed)) return null;
  const domain = domainToASCII(typed);
  if (!domain.includes('.') || domain.length > 253 || isIP(domain) !== 0) return null;
  const labels = domain.split('.');
  if (!labels.every((label) => hostLabel.test(label))) return null;
  // The last label of a name is never a number: such names are read as addresses somewhere.
  return /^\d+$/.test(labels.at(-1)!) ? null : domain;
}

function foldAscii(local: string): string {
  return local.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** White space and what has no width or no direction of its own: Unicode 16 categories C and Z, and fillers. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u115F\u1160\u3164\uFFA0]/u;
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
  unseen: {
    ko: '이메일에 공백이나 보이지 않는 문자가 있습니다.',
    en: 'The email holds white space or characters that cannot be seen.',
  },
  lookalike: {
    ko: '이메일에 다른 글자처럼 보이는 호환 문자가 있습니다.',
    en: 'The email holds compatibility characters that look like others.',
  },
  shape: {
    ko: '이메일에는 @가 하나 있어야 합니다.',
    en: 'The email must hold one @ with text before it.',
  },
  local: {
    ko: '@ 앞은 64바이트를 넘을 수 없습니다.',
    en: 'The part before the @ may not exceed 64 bytes.',
  },
  domain: {
    ko: '@ 뒤가 인터넷 도메인이 아닙니다.',
    en: 'The part after the @ is no internet domain.',
  },
} as const;
