import type { Language } from '../../contract/language.ts';

/** A number in few characters: `1.2만` and `3억` in Korean, `12K` and `300M` in English. */
export function shortNumber(value: number, language: Language): string {
  const unit = units[language].find(([size]) => Math.abs(value) >= size);
  if (unit === undefined) return upToTwoDecimals.format(value);
  const [size, word] = unit;
  const scaled = value / size;
  return `${Math.abs(scaled) < 100 ? upToOneDecimal.format(scaled) : whole.format(scaled)}${word}`;
}

/** A short number with its unit. Amounts in 만원 are amounts in 원: `11.6억원`. */
export function shortAmount(value: number, unit: string | null, language: Language): string {
  const size = language === 'ko' && unit !== null ? sizeOfWon(unit) : null;
  if (size !== null) return `${shortNumber(value * size, language)}원`;
  return withUnit(shortNumber(value, language), unit);
}

/** A number with its unit, which stands close to it if it is Korean. */
export function withUnit(number: string, unit: string | null): string {
  if (unit === null) return number;
  return /^[가-힣㎡%℃]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`;
}

function sizeOfWon(unit: string): number | null {
  const [, word] = /^(천|만|백만|억)원$/.exec(unit) ?? [];
  return word === undefined ? null : wonSizes[word as keyof typeof wonSizes];
}

const wonSizes = { 천: 1e3, 만: 1e4, 백만: 1e6, 억: 1e8 } as const;

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
