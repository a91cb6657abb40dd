/** Bounds that all HTTP servers share. */
export const limits = {
  /** Request target, in bytes as sent. */
  urlBytesMax: 8_192,
  /** Request line and headers; larger than a URL, so that a long URL gets its own problem. */
  headerBytesMax: 32_768,
  headersMax: 100,
  headersTimeoutMs: 10_000,
  /** Interval of the check for slow requests. */
  connectionsCheckMs: 1_000,
  requestTimeoutMs: 30_000,
  /** Lifetime of an idle connection. It is bounded, because a client that stopped reading keeps its snapshot open. */
  idleTimeoutMs: 120_000,
  /** Time for a refused client to read the response. */
  lingerMs: 1_000,
  connectionsMax: 10_000,
  /** Query parameters of one request. */
  parametersMax: 64,
  /**
   * Digits of an integer. A warning repeats the number, and a JSON number may overflow past 308 digits.
   */
  digitsMax: 300,
  /** Offsets past this are refused: no store counts that far. */
  offsetMax: Number.MAX_SAFE_INTEGER,
  /** Warnings in one answer; further ones are dropped. */
  warningsMax: 16,
  /** A client's value that an error repeats, in UTF-16 units. */
  echoLengthMax: 100,
  /** Shorter bodies are not compressed. */
  compressBytesMin: 1_024,
  /** Bodies up to this are compressed synchronously; longer ones on the thread pool. */
  compressNowBytesMax: 32_768,
  /** Cached compressed bodies. */
  compressedCacheBytesMax: 64 * 1_024 * 1_024,
  /** A JSON body, unless its route allows more. */
  bodyBytesMax: 65_536,
  /** Nesting of a JSON body. */
  bodyDepthMax: 8,
  /** Time in which a server that stops still accepts requests, and closes each connection with its response. */
  connectionsCloseMs: 0,
  /** Time for requests under way when the server stops. */
  drainMs: 10_000,
} as const;
