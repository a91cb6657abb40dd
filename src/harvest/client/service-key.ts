import { portalLimits } from './limits.ts';

/** The account's service key in both of its spellings. */
export interface ServiceKey {
  /** For a query: percent-encoded once. */
  readonly encoded: string;
  /** For a header. */
  readonly plain: string;
}

/**
 * Reads either spelling of the portal. An encoded key that is encoded again is refused with code 30: a percent
 * sign means encoded, since neither base64 nor hex has one.
 */
export function readServiceKey(text: string): ServiceKey {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > portalLimits.serviceKeyLengthMax) {
    throw new Error(
      `The service key must have 1 to ${portalLimits.serviceKeyLengthMax} characters: copy it from your account’s page on the portal.`,
    );
  }
  const plain = trimmed.includes('%') ? decoded(trimmed) : trimmed;
  if (!/^[\x21-\x7e]+$/.test(plain)) throw broken();
  return { encoded: encodeURIComponent(plain), plain };
}

/** Every spelling of the key in an echo of a request, the longest first. */
export function spellingsOf({ encoded, plain }: ServiceKey): string[] {
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
  // The longest first: no replacement leaves a piece of another spelling.
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The cause would repeat the key.
    throw broken();
  }
}

function broken(): Error {
  return new Error(
    'The service key is neither of the portal’s spellings: copy it again, without blanks or quotes.',
  );
}
