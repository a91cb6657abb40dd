/** Place of a value between two others, as a percentage with two decimals. */
export function percentBetween(value: number, from: number, to: number): number {
  return to === from ? 0 : Math.round(((value - from) / (to - from)) * 10_000) / 100;
}
