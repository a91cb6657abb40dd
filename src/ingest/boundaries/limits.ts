/** Limits of a file of boundaries; a file that exceeds one is refused with `too_large`. */
export const boundaryLimits = {
  bytesMax: 128 * 1024 ** 2,
  featuresMax: 10_000,
  positionsMax: 4_000_000,
  creditLengthMax: 200,
} as const;
