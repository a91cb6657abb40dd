/** 128 random bits in hexadecimal. Not `randomUUID`: pages without TLS do not have it. */
export function newIdentifier(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
