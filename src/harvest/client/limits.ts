/** Bounds of requests to upstreams and of their responses. */
export const portalLimits = {
  /** From the start of a request to the headers of its response. */
  answerTimeoutMs: 30_000,
  /** From the start of a request to the end of its response, redirects included. */
  overallTimeoutMs: 120_000,
  /** Size of a decompressed body; a page of 10,000 wide records is far smaller. */
  bodyBytesMax: 64 * 1_024 * 1_024,
  redirectsMax: 3,
  attemptsMax: 6,
  backoffMs: 500,
  backoffMsMax: 30_000,
  /** A longer `Retry-After` ends the retries; the error carries its time. */
  retryAfterMsMax: 120_000,
  /** The gateway allows about 30 requests a second for a key (observed in 2026). */
  callsPerSecond: 20,
  /** Failures of a service in a row until its circuit opens. */
  circuitFailuresMax: 10,
  circuitOpenMs: 60_000,
  circuitOpenMsMax: 15 * 60_000,
  /** Nesting of XML elements. */
  xmlDepthMax: 32,
  /** Length of an upstream's message in an error, in UTF-16 units. */
  messageLengthMax: 200,
  /** Fields of one answer that its axis does not know. */
  unknownFieldsMax: 200,
  /** Length of the name of such a field, in UTF-16 units: each record repeats it. */
  unknownFieldLengthMax: 200,
  serviceKeyLengthMax: 512,
} as const;

export type PortalLimits = { readonly [Name in keyof typeof portalLimits]: number };
