/**
 * Apparent longitude of the sun in degrees at a moment (milliseconds since 1970, UTC), good to about a
 * minute of time: the series of Bretagnon and Simon (1986) as printed in “Calendrical Calculations”.
 */
export function sunLongitude(moment: number): number {
  const centuries = (moment + terrestrialLeadMs - epoch2000) / (36_525 * 86_400_000);
  let sum = 0;
  for (let at = 0; at < terms.length; at += 3)
    sum += (terms[at] ?? 0) * sine((terms[at + 2] ?? 0) + (terms[at + 1] ?? 0) * centuries);
  const mean = 282.7771834 + 36_000.76953744 * centuries + 0.000005729577951308232 * sum;
  const aberration = 0.0000974 * sine(267.63 + 35_999.01848 * centuries) - 0.005575;
  const nutation =
    -0.004778 * sine(124.9 - 1934.134 * centuries + 0.002063 * centuries ** 2) -
    0.0003667 * sine(201.11 + 72_001.5377 * centuries + 0.00057 * centuries ** 2);
  return (((mean + aberration + nutation) % 360) + 360) % 360;
}

/** When, within 20 days of a moment, the sun has a longitude. */
export function momentOfLongitude(degrees: number, near: number): number {
  let low = near - 20 * 86_400_000;
  let high = near + 20 * 86_400_000;
  while (high - low > 1000) {
    const middle = (low + high) / 2;
    const past = (sunLongitude(middle) - degrees + 540) % 360 >= 180;
    if (past) high = middle;
    else low = middle;
  }
  return low;
}

const epoch2000 = Date.UTC(2000, 0, 1, 12);
/** Terrestrial time runs ahead of the clock on the wall; 69 s for the years around 2020. */
const terrestrialLeadMs = 69_000;

function sine(degrees: number): number {
  return Math.sin((degrees * Math.PI) / 180);
}

/** Amplitude, degrees per century, and phase of each term, one after the other. */
// prettier-ignore
const terms: readonly number[] = [
  403406, 0.9287892, 270.54861, 195207, 35999.1376958, 340.19128, 119433, 35999.4089666, 63.91854,
  112392, 35998.7287385, 331.2622, 3891, 71998.20261, 317.843, 2819, 71998.4403, 86.631,
  1721, 36000.35726, 240.052, 660, 71997.4812, 310.26, 350, 32964.4678, 247.23,
  334, -19.441, 260.87, 314, 445267.1117, 297.82, 268, 45036.884, 343.14,
  242, 3.1008, 166.79, 234, 22518.4434, 81.53, 158, -19.9739, 3.5,
  132, 65928.9345, 132.75, 129, 9038.0293, 182.95, 114, 3034.7684, 162.03,
  99, 33718.148, 29.8, 93, 3034.448, 266.4, 86, -2280.773, 249.2,
  78, 29929.992, 157.6, 72, 31556.493, 257.8, 68, 149.588, 185.1,
  64, 9037.75, 69.9, 46, 107997.405, 8, 38, -4444.176, 197.1,
  37, 151.771, 250.4, 32, 67555.316, 65.3, 29, 31556.08, 162.7,
  28, -4561.54, 341.5, 27, 107996.706, 291.6, 27, 1221.655, 98.5,
  25, 62894.167, 146.7, 24, 31437.369, 110, 21, 14578.298, 5.2,
  21, -31931.757, 342.6, 20, 34777.243, 230.9, 18, 1221.999, 256.1,
  17, 62894.511, 45.3, 14, -4442.039, 242.9, 13, 107997.909, 115.2,
  13, 119.066, 151.8, 13, 16859.071, 285.3, 12, -4.578, 53.3,
  10, 26895.292, 126.6, 10, -39.127, 205.7, 10, 12297.536, 85.9, 10, 90073.778, 146.1,
];
