import { createHmac } from 'node:crypto';
import { base32, randomLetters } from '../../members/base32.ts';
import { keyedHash, type MemberContext } from '../../members/context.ts';

/** A seed of the second factor. It is not secret: `totpSecret` derives the secret from it and the service's secret. */
export function newTotpSeed(): string {
  return randomLetters(seedLength);
}

export function isTotpSeed(text: string): boolean {
  return text.length === seedLength && /^[a-z2-7]+$/.test(text);
}

/** The 160-bit secret that an operator's app shares with the service (RFC 4226, 4). */
export function totpSecret(
  context: Pick<MemberContext, 'secret'>,
  name: string,
  seed: string,
): Buffer {
  return keyedHash(context, 'totp', `${seed}\n${name}`).subarray(0, 20);
}

/** The address that an authenticator app reads, and the secret in it as base32. */
export function totpEnrolment(name: string, secret: Uint8Array) {
  const letters = base32(secret).toUpperCase();
  const label = encodeURIComponent(`Maru:${name}`);
  return { secret: letters, uri: `otpauth://totp/${label}?secret=${letters}&issuer=Maru` };
}

/**
 * Time step of a code; null for a code that is wrong or was used before. The previous and the next step are accepted,
 * too, because clocks differ and typing takes time (RFC 6238, 5.2).
 */
export function acceptedStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { readonly now: number; readonly lastStep: number },
): number | null {
  const current = Math.floor(now / stepMs);
  const typed = code.replaceAll(/\s/g, '');
  const steps = [current - 1, current, current + 1].filter((step) => step > lastStep);
  return steps.find((step) => totpAt(secret, step) === typed) ?? null;
}

/** The code of a time step: six digits, by HMAC-SHA-1 (RFC 4226, 5.3). */
export function totpAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest[digest.length - 1]! & 15;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const stepMs = 30_000;
const seedLength = 26;
