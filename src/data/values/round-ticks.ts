/** Round numbers from below the smallest value to above the largest, in about `count` equal steps. */
export function roundTicks(min: number, max: number, count = 4): readonly number[] {
  const isFlat = max - min <= Math.max(1, Math.abs(min), Math.abs(max)) * 1e-9;
  const span = isFlat ? Math.max(1, Math.abs(max)) : max - min;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough)! * power;
  const first = Math.floor(min / step);
  const last = Math.ceil(max / step);
  const steps = Math.max(1, last - first);
  // A multiple of the step, because adding steps would add up their rounding errors.
  return Array.from({ length: steps + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}
