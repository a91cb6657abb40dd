/** Limits of a file of boundaries; a file that exceeds one is refused with `too_large`. */
export const boundaryLimits = {
  bytesMax: 128 * 1024 ** 2,
  featuresMax: 10_000,
  /** Each takes some 300 bytes of memory while borders are found. */
  positionsMax: 1_000_000,
  creditLengthMax: 200,
} as const;
