/** Bounds of every HTTP server of ours. */
export const limits = {
  /** Request target, in bytes as sent. */
  urlBytesMax: 8_192,
  /** Request line and headers; larger than a URL so that a long URL gets its own answer. */
  headerBytesMax: 32_768,
  headersMax: 100,
  headersTimeoutMs: 10_000,
  /** Interval of the check for slow requests. */
  connectionsCheckMs: 1_000,
  requestTimeoutMs: 30_000,
  /** Idle connections: a client that stopped reading keeps its snapshot open. */
  idleTimeoutMs: 120_000,
  /** Time for a refused client to read its answer. */
  lingerMs: 1_000,
  connectionsMax: 10_000,
  /** Query parameters of one request. */
  parametersMax: 64,
  /**
   * Digits of an integer. A warning repeats the requested number, and JSON has none past 308 digits.
   */
  digitsMax: 300,
  /** Offsets past this are refused: no store counts that far. */
  offsetMax: Number.MAX_SAFE_INTEGER,
  /** Warnings in one answer; further ones add nothing. */
  warningsMax: 16,
  /** A foreign value echoed in an error, in UTF-16 units. */
  echoLengthMax: 100,
  /** Shorter bodies travel as they are. */
  compressBytesMin: 1_024,
  /** Bodies up to this are compressed at once; longer ones on the thread pool. */
  compressNowBytesMax: 32_768,
  /** Compressed bodies kept ready. */
  compressedCacheBytesMax: 64 * 1_024 * 1_024,
  /** A JSON body, unless its route allows more. */
  bodyBytesMax: 65_536,
  /** Nesting of a JSON body. */
  bodyDepthMax: 8,
  /** Time for requests under way when the server stops. */
  drainMs: 10_000,
} as const;
