import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Envelope } from './envelope.ts';
import { unescapeHtml } from './html-text.ts';
import { portalLimits } from '../client/limits.ts';

export interface AxisRows {
  /** Every field of the axis in its order, then fields the axis does not know. */
  readonly columns: readonly string[];
  /** A cell a column. */
  readonly rows: readonly (readonly Text[])[];
  readonly drift: Drift;
}

/** How an answer's fields differ from those of its axis; says nothing where there are no rows. */
export interface Drift {
  readonly unknown: readonly string[];
  /** Fields that no row of the answer has, optional ones aside. */
  readonly missing: readonly string[];
}

/**
 * The answer's records as the axis defines them. Names are found in any case, with or without
 * underscores, under former names and under their Korean headings. `stamps` fill fields that the answer
 * leaves out. Throws where more fields are unknown than `unknownFieldsMax`.
 */
export function rowsOf(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  stamps: Readonly<Record<string, string>> = {},
): AxisRows {
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
      // Two spellings of one field in one row: the one with a value counts.
      if (at >= 0) cells[at] = text ?? cells[at] ?? null;
    }
    for (const [at, value] of filled) if (at >= 0) cells[at] ??= value;
    return cells;
  });
  for (const cells of rows) while (cells.length < columns.names.length) cells.push(null);
  const drift = rows.length === 0 ? { unknown: [], missing: [] } : columns.drift();
  return { columns: columns.names, rows, drift };
}

/** Rows of a list that belongs to no axis, under its own names. */
export function plainRows(
  answer: Pick<Envelope, 'rows'>,
): readonly Readonly<Record<string, Text>>[] {
  return answer.rows.map((raw) => {
    const row: Record<string, Text> = {};
    for (const name in raw) if (name !== '__proto__') row[name] = textOf(raw[name], plain);
    return row;
  });
}

const plain = { escaped: false, missing: [] } as const;

/** Where each name of an answer goes, looked up once a name. */
class Columns {
  readonly names: string[];
  readonly #axis: AxisDefinition;
  readonly #known: number;
  readonly #aliases: ReadonlyMap<string, number>;
  readonly #places = new Map<string, number>();
  readonly #seen = new Set<number>();
  /** Names of the row before and where they went: nearly every row has the same ones in the same order. */
  readonly #order: string[] = [];
  readonly #orderPlaces: number[] = [];

  constructor(axis: AxisDefinition) {
    this.#axis = axis;
    this.names = axis.fields.map(({ name }) => name);
    this.#known = this.names.length;
    this.#aliases = aliasesOf(axis);
    this.names.forEach((name, at) => this.#places.set(name, at));
  }

  /** Below zero for a name that no object may have. */
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

  drift(): Drift {
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

/** Other names of each field; one that could mean two fields means none. */
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
 * The one form a value has: its text, since converters from XML to JSON make a number of whatever looks
 * like one, row by row, and some days every number comes as text.
 */
function textOf(value: unknown, axis: Pick<AxisDefinition, 'escaped' | 'missing'>): Text {
  if (typeof value === 'string') {
    const whole = axis.escaped ? unescapeHtml(value) : value;
    // A NUL is damage on the way; no store of text takes it.
    const text = whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
    return isBlank(text) || axis.missing.includes(text) ? null : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // What is nested in a record stays in it.
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** White space alone is no value: XML indents what is empty. */
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
