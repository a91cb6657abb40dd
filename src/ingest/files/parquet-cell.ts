import type { FileMetaData, ParquetParsers, SchemaElement } from 'hyparquet';
import { withoutPadding } from './padding.ts';
import type { Cell } from './table.ts';

/** Cell of a value of a Parquet column: null for a missing value, for NaN and for bytes that are not text. */
export function parquetCell(value: unknown, element: SchemaElement): Cell {
  switch (typeof value) {
    case 'string':
      return textCell(isInstant(element) ? `${value}Z` : value);
    case 'boolean':
      return value;
    case 'number':
      if (isDecimal(element)) return decimalText(BigInt(value), element.scale ?? 0);
      if (isTime(element)) return timeText(BigInt(value), element);
      if (!Number.isFinite(value)) return null;
      return element.type === 'FLOAT' ? shortFloat(value) : value;
    case 'bigint':
      if (isDecimal(element)) return decimalText(value, element.scale ?? 0);
      if (isTime(element)) return timeText(value, element);
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    default:
  }
  if (!(value instanceof Uint8Array)) {
    return value === null || value === undefined ? null : JSON.stringify(value);
  }
  if (isDecimal(element)) return decimalText(signedInteger(value), element.scale ?? 0);
  try {
    return textCell(utf8.decode(value));
  } catch {
    return null;
  }
}

/** Makes texts of dates and times, as a file of text would have them. */
export const parquetParsers: Partial<ParquetParsers> = {
  jsonFromBytes: (bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : utf8.decode(bytes),
  dateFromDays: (days: number) => timestampText(BigInt(days) * dayMs, '').slice(0, 10),
  timestampFromMilliseconds: (time: bigint) => timestampText(time, ''),
  timestampFromMicroseconds: (time: bigint) => preciseTimestamp(time, 1_000_000n),
  timestampFromNanoseconds: (time: bigint) => preciseTimestamp(time, 1_000_000_000n),
};

/** Metadata whose decimals are read as whole numbers, since the reader would make binary fractions of them. */
export function withRawDecimals(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map((element): SchemaElement => {
    if (!isDecimal(element)) return element;
    const { converted_type: _, logical_type: __, ...raw } = element;
    return raw;
  });
  return { ...metadata, schema };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const dayMs = 86_400_000n;

function isDecimal({ converted_type: kind, logical_type: logical }: SchemaElement): boolean {
  return kind === 'DECIMAL' || logical?.type === 'DECIMAL';
}

/** True for a timestamp in UTC; other timestamps are in local time. */
function isInstant({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC;
}

/** True for a time of day. */
function isTime({ converted_type: kind, logical_type: logical }: SchemaElement): boolean {
  return logical?.type === 'TIME' || kind === 'TIME_MILLIS' || kind === 'TIME_MICROS';
}

/** Writes the milliseconds, microseconds or nanoseconds since midnight as `09:30:00.5`. */
function timeText(
  time: bigint,
  { converted_type: kind, logical_type: logical }: SchemaElement,
): string {
  const unit = logical?.type === 'TIME' ? logical.unit : kind?.replace('TIME_', '');
  const perSecond = unit === 'NANOS' ? 1_000_000_000n : unit === 'MICROS' ? 1_000_000n : 1000n;
  return preciseTimestamp(time, perSecond).slice('1970-01-01 '.length);
}

function textCell(text: string): Cell {
  return withoutPadding(text.normalize('NFC')) || null;
}

/** The shortest number that is the same in single precision: 0.1, not 0.10000000149011612. */
function shortFloat(value: number): number {
  const short = Number(value.toPrecision(7));
  return Math.fround(short) === value ? short : Number(value.toPrecision(9));
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** A number in two’s complement, the highest byte first. */
function signedInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

function preciseTimestamp(time: bigint, perSecond: bigint): string {
  const seconds = time / perSecond - (time % perSecond < 0n ? 1n : 0n);
  const rest = time - seconds * perSecond;
  const fraction = String(rest)
    .padStart(String(perSecond).length - 1, '0')
    .replace(/0+$/, '');
  return timestampText(seconds * 1000n, fraction);
}

/** `2024-01-31 09:30:00.5`; a year past 9999 is left as the number of milliseconds. */
function timestampText(milliseconds: bigint, fraction: string): string {
  const date = new Date(Number(milliseconds));
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  const [day = '', time = ''] = date.toISOString().split('T');
  const rest = fraction === '' ? time.slice(8, -1).replace(/\.?0+$/, '') : `.${fraction}`;
  return `${day} ${time.slice(0, 8)}${rest}`;
}
