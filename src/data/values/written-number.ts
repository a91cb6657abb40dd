import type { Field } from '../axis.ts';
import { readSeparated } from './separated-number.ts';
import { readShape } from './shape.ts';
import { shapes, type ParsedValue } from './shapes.ts';

/**
 * Reads a number with an accounting sign, a unit, the words 조, 억, 만, 천, or unusual separators: `△12`, `(1,234)`, `15㎡`,
 * `3만 5천원`, `1 234`. Null for any other text.
 */
export function readWrittenNumber(text: string): WrittenNumber | null {
  if (text.length > lengthMax) return null;
  if (fullWidthDigit.test(text)) return readWrittenNumber(text.normalize('NFKC'));
  let body = text;
  let sign: WrittenSign | null = signs.get(text[0]!) ?? null;
  let factor = sign === null ? 1 : -1;
  if (sign !== null) body = text.slice(1).trimStart();
  else if (minusSigns.has(text[0]!)) [factor, body] = [-1, text.slice(1).trimStart()];
  else if (text[0] === '(' && text.at(-1) === ')') {
    [sign, factor, body] = ['bracket', -1, text.slice(1, -1).trim()];
  } else if (text.endsWith('-')) {
    [sign, factor, body] = ['bracket', -1, text.slice(0, -1).trimEnd()];
  }
  const currency = currencies.get(body[0]!);
  if (currency !== undefined) body = body.slice(1).trimStart();
  if (!startsWithDigit(body) && !(factor > 0 && startsWithDigit(body.slice(1)))) return null;
  const amount = currency === undefined ? amountWithUnit(body) : amountIn(currency, body);
  if (amount === null) {
    const separated = readSeparated(text);
    return separated === null ? null : { ...separated, unit: null };
  }
  if (amount.value < 0 && factor < 0) return null;
  return { value: amount.value * factor || 0, unit: amount.unit, sign };
}

/** A number with its unit and its sign. */
interface WrittenNumber {
  /** Number in its unit; negative if an accounting sign precedes it. */
  readonly value: number;
  /** Unit in the spelling of the source; null without one. */
  readonly unit: string | null;
  /** Sign or separator whose meaning depends on the column; null without one. */
  readonly sign: WrittenSign | null;
}

/**
 * `rise` is △ and `solidRise` ▲, which mean minus in accounts and plus in prices; `fall` is ▽ and ▼. A minus after the
 * number, as accounting programs print it, is a `bracket`. The others are separators (`readSeparated`).
 */
export type WrittenSign =
  'rise' | 'solidRise' | 'fall' | 'bracket' | 'blanks' | 'blanksOrList' | 'commas' | 'commasOrList';

/** True if a number with a sign can be read in a column whose field has `signs`. */
export function isSignValid(sign: WrittenSign | null, signs: Field['signs']): boolean {
  switch (sign) {
    case null:
      return true;
    case 'fall':
      return false;
    case 'blanks':
    case 'blanksOrList':
      return signs === 'blanks' || signs === 'commas';
    case 'commas':
    case 'commasOrList':
      return signs === 'commas';
    default:
      return signs === 'accounting';
  }
}

/**
 * Factor that converts a value in `unit` for a column of `columnUnit`; null if the units differ. Amounts in 천원 or 억원
 * are converted in a column of 원.
 */
export function unitFactor(unit: string | null, columnUnit: string | null): number | null {
  if (unit === null) return 1;
  if (columnUnit === null) return null;
  if (unit === columnUnit) return 1;
  const [one, other] = [canonicalUnit(unit), canonicalUnit(columnUnit)];
  if (one === other) return 1;
  return other === '원' ? (moneyUnits.get(one) ?? null) : null;
}

/** True for a unit that always marks an amount. `p` and 대 are not such units: they may be part of a code or an age. */
export function isCertainUnit(unit: string): boolean {
  return units.includes(unit);
}

const fullWidthDigit = /[０-９]/;
/** Limit on a text that is read as a number. */
const lengthMax = 40;

const signs: ReadonlyMap<string, WrittenSign> = new Map([
  ['△', 'rise'],
  ['▲', 'solidRise'],
  ['▽', 'fall'],
  ['▼', 'fall'],
]);

/** Characters for a minus, other than the hyphen. */
const minusSigns: ReadonlySet<string> = new Set('−－–');

const currencies: ReadonlyMap<string, string> = new Map([
  ['₩', '원'],
  ['￦', '원'],
  ['$', '달러'],
]);

/** Units of Korean money, in 원. */
const moneyUnits: ReadonlyMap<string, number> = new Map([
  ['천원', 1e3],
  ['만원', 1e4],
  ['십만원', 1e5],
  ['백만원', 1e6],
  ['천만원', 1e7],
  ['억원', 1e8],
  ['조원', 1e12],
]);

/**
 * Units that follow a number. Words of an order or a class are left out: 3호, 1종, 5급, 20대 and 2차 are not quantities.
 */
const units: readonly string[] = (
  '% ％ %p 퍼센트 원 천원 만원 백만원 억원 조원 달러 명 인 세 개 개소 개교 건 회 권 면 석 점 세대 가구 호실 병상 필지 ' +
  '마리 그루 시간 분 초 일 개월 년 층 매 편 곳 배 ㎡ m² m2 ㎢ km² km2 ㎥ m³ m3 ha 평 m ㎜ mm ㎝ cm ㎞ km kg ㎏ g ' +
  'mg ㎎ t 톤 L ℓ 리터 ㎘ mL ㎖ ℃ °C m/s km/h ㎞/h hPa kW ㎾ MW kWh MWh GWh TOE ppm ㎍/㎥ dB'
)
  .split(' ')
  .toSorted((a, b) => b.length - a.length);
/** Units by their last character, longest first. */
const unitsByEnd: ReadonlyMap<string, readonly string[]> = Map.groupBy(units, (unit) =>
  unit.at(-1)!,
);

interface Amount {
  readonly value: number;
  readonly unit: string | null;
}

function amountWithUnit(text: string): Amount | null {
  for (const unit of unitsByEnd.get(text.at(-1)!) ?? []) {
    if (!text.endsWith(unit)) continue;
    const amount = amountIn(unit, text.slice(0, -unit.length).trimEnd());
    if (amount !== null) return amount;
  }
  const amount = amountIn(null, text);
  if (amount !== null) return amount;
  const last = text.at(-1)!;
  return anyUnit.test(last) ? amountIn(last, text.slice(0, -last.length).trimEnd()) : null;
}

/** A letter that may be a unit; 3월 and 3시 are parts of dates and times. */
const anyUnit = /^(?![조억만천백십월시])\p{L}$/u;

/** 3만원 is 3 of the unit 만원; 3만 5천원 is 35,000 원. */
function amountIn(unit: string | null, digits: string): Amount | null {
  const isPlain = unit !== null && moneyUnits.has(unit);
  const value = isPlain ? readPlain(digits) : readAmount(digits);
  return value === null ? null : { value, unit };
}

function canonicalUnit(unit: string): string {
  return unit === '퍼센트' ? '%' : unit.normalize('NFKC').replace('리터', 'l').replace('ℓ', 'l');
}

function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Reads `1,234.5`, `1억 2천` or `3만5,000`; null for any other text, a code such as `007` included. */
function readAmount(text: string): number | null {
  const plain = readPlain(text);
  if (plain !== null) return plain;
  if (!inWords.test(text)) return null;
  const match = amountPattern.exec(text);
  if (match === null) return null;
  const { trillions, hundredMillions, tenThousands, rest } = match.groups!;
  const parts = [trillions, hundredMillions, tenThousands, rest].map((part) =>
    part === undefined || part === '' ? 0 : readBelowTenThousand(part),
  );
  if (parts.includes(null)) return null;
  // The pattern has four parts.
  const [jo, eok, man, one] = parts as [number, number, number, number];
  const hasLarge = hundredMillions !== undefined || trillions !== undefined;
  if (hasLarge && tenThousands === undefined && one > 0) {
    // 1억 2천 means 1억 2천만 in a price; the meaning of 1억 500 is uncertain.
    return /^\d[천백십]$/.test(rest ?? '') ? jo * 1e12 + eok * 1e8 + one * 1e4 : null;
  }
  return jo * 1e12 + eok * 1e8 + man * 1e4 + one;
}

const inWords = /[조억만천백십]/;
const amountPattern =
  /^(?:(?<trillions>[\d,.]+)조 ?)?(?:(?<hundredMillions>[\d,.천백십]+)억 ?)?(?:(?<tenThousands>[\d,.천백십]+)만 ?)?(?<rest>[\d,.천백십]*)$/;

/** Reads `2천5백`, `35` or `1.5`; null for any other text. */
function readBelowTenThousand(text: string): number | null {
  const plain = readPlain(text);
  if (plain !== null) return plain;
  const match = /^(?:([\d,]+)천)?(?:(\d)백)?(?:(\d)십)?(\d{1,3})?$/.exec(text);
  if (match === null) return null;
  const digits = match.slice(1).map((part) => readPlain(part ?? '0') ?? NaN);
  const value = digits.reduce((sum, digit, at) => sum + digit * powers[at]!, 0);
  return Number.isNaN(value) ? null : value;
}

/** Values of 천, 백, 십 and ones. */
const powers = [1000, 100, 10, 1];

function readPlain(text: string): number | null {
  switch (readShape(text, parsed)) {
    case shapes.integer:
    case shapes.decimal:
    case shapes.latitude:
    case shapes.longitude:
    case shapes.compactDate:
    case shapes.compactDateTime:
    case shapes.compactImpossible:
    case shapes.compactMonth:
    case shapes.dottedMonth:
      return parsed.value;
    case shapes.zero:
      return 0;
    default:
      return null;
  }
}

const parsed: ParsedValue = { value: 0 };
