import { portalLimits } from './limits.ts';

/** The account's service key in both of its spellings. */
export interface ServiceKey {
  /** For a query: percent-encoded once. */
  readonly encoded: string;
  /** For a header. */
  readonly plain: string;
}

/**
 * Reads a key in either of the portal's spellings. A percent sign marks the encoded one, since neither base64 nor
 * hex has it. The portal refuses a key that is encoded twice, or that has quotes, with code 30.
 */
export function readServiceKey(text: string): ServiceKey {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > portalLimits.serviceKeyLengthMax) {
    throw new Error(
      `The service key must have 1 to ${portalLimits.serviceKeyLengthMax} characters: copy it from your account’s page on the portal.`,
    );
  }
  const plain = trimmed.includes('%') ? decode(trimmed) : trimmed;
  if (/["'`“”‘’]/.test(plain)) throw new Error(quotesAdvice);
  if (!/^[\x21-\x7e]+$/.test(plain)) throw invalidKey();
  return { encoded: encodeURIComponent(plain), plain };
}

/** Spellings of the key that an echo of a request may contain, the longest first. */
export function spellingsOf({ encoded, plain }: ServiceKey): string[] {
  const encodedTwice = encodeURIComponent(encoded);
  const spellings = [
    plain,
    encoded,
    encodedTwice,
    encoded.replace(/%../g, (octet) => octet.toLowerCase()),
    plain.replaceAll('/', '\\/'),
    plain.replaceAll('+', ' '),
    plain.replaceAll('=', '\\u003d'),
    plain.replaceAll('=', '&#x3D;').replaceAll('/', '&#x2F;'),
    encodeURI(plain),
    Buffer.from(plain).toString('base64'),
  ];
  // A shorter spelling, replaced first, would leave pieces of a longer one.
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The cause would repeat the key.
    throw invalidKey();
  }
}

/** Neither spelling of a key contains quotes, so they come from a file or a shell that does not remove them. */
const quotesAdvice =
  'The service key has quotes in it, and the portal would refuse it: write MARU_SERVICE_KEY=… without them. A ' +
  'shell removes straight quotes around a value; the files of `docker --env-file`, a second pair of quotes ' +
  'and curly ones stay in it.';

function invalidKey(): Error {
  return new Error(
    'The service key is in neither of the portal’s two forms: copy it again, without blanks or quotes.',
  );
}
