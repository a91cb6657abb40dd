import type { Language } from '../../contract/language.ts';

/** A number in few characters: `1.2만` and `3억` in Korean, `12K` and `300M` in English. */
export function shortNumber(value: number, language: Language): string {
  const unit = units[language].find(([size]) => Math.abs(value) >= size);
  if (unit === undefined) return upToTwoDecimals.format(value);
  const [size, word] = unit;
  const scaled = value / size;
  return `${Math.abs(scaled) < 100 ? upToOneDecimal.format(scaled) : whole.format(scaled)}${word}`;
}

/** A number with all that a reader can use of it: `12,345.67`. */
export function fullNumber(value: number): string {
  return upToTwoDecimals.format(value);
}

const units = {
  ko: [
    [1e12, '조'],
    [1e8, '억'],
    [1e4, '만'],
  ],
  en: [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ],
} as const;

const upToTwoDecimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const upToOneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
