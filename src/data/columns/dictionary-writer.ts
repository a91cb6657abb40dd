import type { FieldType } from '../axis.ts';
import type { ByteSink } from '../byte-sink.ts';
import { bytesOf } from './bytes.ts';
import { blockValues, type ColumnPlace } from './format.ts';
import { areEqualTyped, readings, type PresentValue, type TypedValue } from './typed-value.ts';

/** Writes the dictionary of a column, value by value in sorted order. */
export class DictionaryWriter {
  readonly #sink: ByteSink;
  readonly #type: FieldType;
  #block: PresentValue[] = [];
  readonly #starts: number[] = [];
  readonly #numbers: number[] = [];
  /** Codes whose value equals that of the previous code, in another spelling. */
  readonly #respelled: number[] = [];
  readonly #counts = [0, 0, 0];
  #codes = 1;
  #decimals = 0;
  #last: TypedValue | null = null;

  constructor(sink: ByteSink, type: FieldType) {
    this.#sink = sink;
    this.#type = type;
  }

  /** Adds the next value and returns its code. */
  add(value: TypedValue): number {
    const code = this.#codes++;
    this.#counts[value.reading]!++;
    if (this.#last !== null && areEqualTyped(this.#last, value)) this.#respelled.push(code);
    this.#last = value;
    if (value.reading === readings.readable && this.#type !== 'string') this.#addNumber(value);
    this.#block.push(value.value);
    if (this.#block.length === blockValues) this.#writeBlock();
    return code;
  }

  /** Writes the last block and the tables. Returns their positions. */
  finish(): DictionaryPlace {
    if (this.#block.length > 0) this.#writeBlock();
    this.#starts.push(this.#sink.position);
    const directory = this.#write(Float64Array.from(this.#starts));
    const isText = this.#type === 'string';
    return {
      codes: this.#codes,
      missing: this.#counts[readings.missing]!,
      readable: this.#counts[readings.readable]!,
      scale: this.#decimals > decimalsMax || isText ? null : this.#decimals,
      directory,
      numbers: isText ? null : this.#write(Float64Array.from(this.#numbers)),
      keyStarts: this.#respelled.length === 0 ? null : this.#write(this.#keyStarts()),
    };
  }

  #addNumber({ number }: TypedValue): void {
    this.#numbers.push(number);
    while (this.#decimals <= decimalsMax && !isWholeAt(number, this.#decimals)) this.#decimals++;
  }

  #writeBlock(): void {
    this.#starts.push(this.#sink.position);
    this.#sink.writeText(JSON.stringify(this.#block).slice(1, -1));
    this.#block = [];
  }

  #keyStarts(): Uint8Array {
    const bits = new Uint8Array((this.#codes >>> 3) + 1).fill(0xff);
    for (const code of this.#respelled) bits[code >>> 3]! &= ~(1 << (code & 7));
    return bits;
  }

  #write(array: Float64Array | Uint8Array): number {
    const at = this.#sink.position;
    this.#sink.write(bytesOf(array));
    return at;
  }
}

type DictionaryPlace = Pick<
  ColumnPlace,
  'codes' | 'missing' | 'readable' | 'scale' | 'directory' | 'numbers' | 'keyStarts'
>;

/** Fourteen, as coordinates have; numbers with more decimal places are results of a computation. */
const decimalsMax = 14;
/** Above it, a number times a power of ten is no longer rounded to the right whole number. */
const wholeMax = 2 ** 51;

/** True if a number has at most `decimals` decimal places and is small enough to be summed exactly. */
function isWholeAt(number: number, decimals: number): boolean {
  const power = 10 ** decimals;
  const whole = Math.round(number * power);
  return Math.abs(whole) <= wholeMax && whole / power === number;
}
