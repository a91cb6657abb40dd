import iconv from 'iconv-lite';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';

/** A parameter of a query: decoded, or with a fault if it cannot be decoded. */
export interface RawParameter {
  readonly value: string;
  readonly fault: Fault | null;
  readonly isRepeated: boolean;
}

type Fault =
  /** `%` without two hexadecimal digits. */
  | { readonly kind: 'percent' }
  | { readonly kind: 'nul' }
  /** Bytes that are not UTF-8; `korean` is their text in EUC-KR, or null if that is not Korean. */
  | { readonly kind: 'bytes'; readonly korean: string | null };

/** The parameters of a raw query string by name. Throws if there are too many. */
export function readQuery(query: string): Map<string, RawParameter> {
  const parameters = new Map<string, RawParameter>();
  if (query === '') return parameters;
  const pieces = query.split('&', limits.parametersMax + 1);
  if (pieces.length > limits.parametersMax) throw tooMany();
  for (const piece of pieces) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = decode(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? faultless('') : decode(piece.slice(equals + 1));
    const isRepeated = parameters.has(name.value);
    parameters.set(name.value, { ...value, fault: name.fault ?? value.fault, isRepeated });
  }
  return parameters;
}

/** Rewrites the EUC-KR parts of a query in UTF-8. */
export function queryInUtf8(query: string): string {
  return query
    .split('&')
    .map((piece) => piece.split('=').map(partInUtf8).join('='))
    .join('&');
}

interface DecodedPart {
  readonly value: string;
  readonly fault: Fault | null;
}

function faultless(value: string): DecodedPart {
  return { value, fault: null };
}

function decode(part: string): DecodedPart {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return faultless(spaced);
  try {
    const value = decodeURIComponent(spaced);
    return value.includes('\0') ? { value, fault: { kind: 'nul' } } : faultless(value);
  } catch {
    return { value: part, fault: faultOf(spaced) };
  }
}

function faultOf(part: string): Fault {
  if (/%(?![0-9a-f]{2})/i.test(part)) return { kind: 'percent' };
  return { kind: 'bytes', korean: koreanOf(bytesOf(part)) };
}

function partInUtf8(part: string): string {
  const { fault } = decode(part);
  return fault?.kind === 'bytes' && fault.korean !== null ? encodeURIComponent(fault.korean) : part;
}

function bytesOf(part: string): Buffer {
  const latin = part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin, 'latin1');
}

/** Decodes CP949, a superset of EUC-KR and once the default of browsers for Korean pages; null if not Korean. */
function koreanOf(bytes: Buffer): string | null {
  const text = iconv.decode(bytes, 'cp949');
  return /[가-힣]/.test(text) && !text.includes('\uFFFD') ? text : null;
}

function tooMany(): Problem {
  return new Problem('invalid_parameter', {
    ko: `매개변수는 ${limits.parametersMax}개까지 쓸 수 있습니다. 개수를 줄이세요.`,
    en: `A query may have up to ${limits.parametersMax} parameters. Send fewer.`,
  });
}
