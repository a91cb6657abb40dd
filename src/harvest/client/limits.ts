/** Every bound on what the portal may do to us. */
export const portalLimits = {
  /** From the first byte sent to the head of the answer, connecting included. */
  answerTimeoutMs: 30_000,
  /** From the first byte sent to the last received, redirects included. */
  overallTimeoutMs: 120_000,
  /** Unpacked: a page of 10,000 wide records stays far below it. */
  bodyBytesMax: 64 * 1_024 * 1_024,
  redirectsMax: 3,
  attemptsMax: 6,
  backoffMs: 500,
  backoffMsMax: 30_000,
  /** A longer `Retry-After` is not waited for; the error says until when. */
  retryAfterMsMax: 120_000,
  /** The gateway counts about 30 calls a second for a key (seen 2026). */
  callsPerSecond: 20,
  /** Failures in a row, over all calls of a service, until it is left alone. */
  circuitFailuresMax: 10,
  circuitOpenMs: 60_000,
  circuitOpenMsMax: 15 * 60_000,
  /** Nesting of XML elements. */
  xmlDepthMax: 32,
  /** Of a foreign message shown in an error, in UTF-16 units. */
  messageLengthMax: 200,
  /** Fields of one answer that its axis does not know. */
  unknownFieldsMax: 200,
  serviceKeyLengthMax: 512,
} as const;

export type PortalLimits = { readonly [Name in keyof typeof portalLimits]: number };
