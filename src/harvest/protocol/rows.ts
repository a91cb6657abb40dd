import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Envelope } from './envelope.ts';
import { unescapeHtml } from './html-text.ts';
import { portalLimits } from '../client/limits.ts';

/** Records of an answer, cell by column. */
export interface AnswerRows {
  /** Every field of the axis in its order, then fields that the axis does not know. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** Fields that the axis does not know; empty without rows. */
  readonly unknown: readonly string[];
  /** Fields that no row of the answer has, optional ones aside; empty without rows. */
  readonly missing: readonly string[];
}

/**
 * Reads the answer's records as the axis defines them. Names are found in any case, with or without
 * underscores, under former names and under their Korean headings. `stamps` fill fields that the answer
 * leaves out. Throws where more fields are unknown than `unknownFieldsMax`.
 */
export function rowsOf(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  stamps: Readonly<Record<string, string>> = {},
): AnswerRows {
  const columns = new Columns(axis);
  const filled = Object.entries(stamps).map(
    ([name, value]) => [columns.placeOf(name), value] as const,
  );
  const rows = answer.rows.map((raw) => {
    const cells: Text[] = columns.names.map(() => null);
    let nth = 0;
    for (const name in raw) {
      const at = columns.placeOfNth(nth++, name);
      const text = textOf(raw[name], axis);
      // If a row has two spellings of a field, the one with a value counts.
      if (at >= 0) cells[at] = text ?? cells[at] ?? null;
    }
    for (const [at, value] of filled) if (at >= 0) cells[at] ??= value;
    return cells;
  });
  for (const cells of rows) while (cells.length < columns.names.length) cells.push(null);
  const drift = rows.length === 0 ? { unknown: [], missing: [] } : columns.drift();
  return { columns: columns.names, rows, ...drift };
}

/** Rows of a list that belongs to no axis, under its own names. */
export function listRowsOf(answer: Pick<Envelope, 'rows'>): AnswerRows {
  const columns = [...new Set(answer.rows.flatMap((raw) => Object.keys(raw)))].filter(
    (name) => name !== '__proto__',
  );
  const rows = answer.rows.map((raw) => columns.map((name) => textOf(raw[name], plain)));
  return { columns, rows, unknown: [], missing: [] };
}

const plain = { escaped: false, missing: [] } as const;

/** Column of each name of an answer, looked up once a name. */
class Columns {
  readonly names: string[];
  readonly #axis: AxisDefinition;
  readonly #known: number;
  readonly #aliases: ReadonlyMap<string, number>;
  readonly #places = new Map<string, number>();
  readonly #seen = new Set<number>();
  /** Names of the previous row and their columns: nearly every row has the same ones in the same order. */
  readonly #order: string[] = [];
  readonly #orderPlaces: number[] = [];

  constructor(axis: AxisDefinition) {
    this.#axis = axis;
    this.names = axis.fields.map(({ name }) => name);
    this.#known = this.names.length;
    this.#aliases = aliasesOf(axis);
    this.names.forEach((name, at) => this.#places.set(name, at));
  }

  /** Returns −1 for `__proto__`. */
  placeOf(name: string): number {
    const place = this.#places.get(name) ?? this.#newPlace(name);
    this.#seen.add(place);
    return place;
  }

  /** The same for the nth name of a row. */
  placeOfNth(nth: number, name: string): number {
    if (this.#order[nth] === name) return this.#orderPlaces[nth]!;
    const place = this.placeOf(name);
    this.#order[nth] = name;
    this.#orderPlaces[nth] = place;
    return place;
  }

  drift(): Pick<AnswerRows, 'unknown' | 'missing'> {
    const absent = this.#axis.fields.filter(({ optional }, at) => !optional && !this.#seen.has(at));
    return {
      unknown: this.names.slice(this.#known),
      missing: absent.map(({ name }) => name),
    };
  }

  #newPlace(name: string): number {
    const place = name === '__proto__' ? -1 : (this.#aliases.get(loose(name)) ?? this.names.length);
    if (place === this.names.length) {
      if (place - this.#known >= portalLimits.unknownFieldsMax) throw tooManyFields(this.#axis);
      this.names.push(name);
    }
    this.#places.set(name, place);
    return place;
  }
}

/** Other names of each field; an ambiguous one is left out. */
function aliasesOf(axis: AxisDefinition): ReadonlyMap<string, number> {
  const known = aliases.get(axis);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  const ambiguous = new Set<string>();
  axis.fields.forEach((field, at) => {
    for (const name of new Set([field.name, ...field.aliases, field.label].map(loose))) {
      if (made.has(name)) ambiguous.add(name);
      else made.set(name, at);
    }
  });
  for (const name of ambiguous) made.delete(name);
  aliases.set(axis, made);
  return made;
}

const aliases = new WeakMap<AxisDefinition, ReadonlyMap<string, number>>();

function loose(name: string): string {
  return name.replace(/[\s_]+/g, '').toLowerCase();
}

/**
 * Normalises a value to its text: converters from XML to JSON make a number of every text that looks like
 * one, row by row, and on some days every number arrives as text.
 */
function textOf(value: unknown, axis: Pick<AxisDefinition, 'escaped' | 'missing'>): Text {
  if (typeof value === 'string') {
    const whole = axis.escaped ? unescapeHtml(value) : value;
    // A NUL is damage of the transfer; no store of text takes it.
    const text = whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
    return isBlank(text) || axis.missing.includes(text) ? null : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Nested values stay in the record as JSON.
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** White space alone is no value: XML indents empty elements. */
function isBlank(text: string): boolean {
  if (text === '') return true;
  const first = text.charCodeAt(0);
  return (first <= 0x20 || first === 0xa0 || first === 0x3000) && text.trim() === '';
}

function tooManyFields(axis: AxisDefinition): Error {
  return new Error(
    `An answer for ${axis.code} has more than ${portalLimits.unknownFieldsMax} fields that its ` +
      `definition does not know: compare ${axis.path} with its page on the portal.`,
  );
}
