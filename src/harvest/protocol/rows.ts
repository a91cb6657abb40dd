import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Envelope } from './envelope.ts';
import { unescapeHtml } from '../../ingest/files/html-escapes.ts';
import { withoutPadding } from '../../ingest/files/padding.ts';
import { portalLimits } from '../client/limits.ts';

/** Rows of an answer, with a cell for each column. */
export interface AnswerRows {
  /** Fields of the axis in their order, then unknown fields. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** Fields that the definition of the axis lacks; empty without rows. */
  readonly unknownFields: readonly string[];
  /** Required fields that no row of the answer has; empty without rows. */
  readonly missingFields: readonly string[];
}

/**
 * Reads the answer's records as the axis defines them. A field is recognised in any case, with or without
 * underscores, by a former name and by its Korean heading. `stamps` fill fields that the answer leaves out.
 * Throws if more than `unknownFieldsMax` fields are unknown, or one has a long name.
 */
export function rowsOf(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  stamps: Readonly<Record<string, string>> = {},
): AnswerRows {
  const columns = new Columns(axis);
  const stampCells = Object.entries(stamps).map(
    ([name, value]) => [columns.indexOf(name), value] as const,
  );
  const rows = answer.rows.map((raw) => {
    const cells: Text[] = columns.names.map(() => null);
    let position = 0;
    for (const name in raw) {
      const index = columns.indexAt(position++, name);
      const text = textOf(raw[name], axis);
      // If a row has two spellings of a field, the one with a value counts.
      if (index >= 0) cells[index] = text ?? cells[index] ?? null;
    }
    for (const [index, value] of stampCells) if (index >= 0) cells[index] ??= value;
    return cells;
  });
  for (const cells of rows) while (cells.length < columns.names.length) cells.push(null);
  const drift = rows.length === 0 ? { unknownFields: [], missingFields: [] } : columns.drift();
  return { columns: columns.names, rows, ...drift };
}

/** Reads the rows of a list request, which belong to no axis, with the names of the list. */
export function listRowsOf(answer: Pick<Envelope, 'rows'>): AnswerRows {
  const columns = [...new Set(answer.rows.flatMap((raw) => Object.keys(raw)))].filter(
    (name) => name !== '__proto__',
  );
  const rows = answer.rows.map((raw) => columns.map((name) => textOf(raw[name], listRules)));
  return { columns, rows, unknownFields: [], missingFields: [] };
}

const listRules = { missing: [] } as const;

/** Assignment of an answer's names to columns. */
class Columns {
  readonly names: string[];
  readonly #axis: AxisDefinition;
  readonly #definedCount: number;
  readonly #aliases: ReadonlyMap<string, number>;
  readonly #indexes = new Map<string, number>();
  readonly #seen = new Set<number>();
  /** Names of the previous row and their columns: most rows have the same names in the same order. */
  readonly #previousNames: string[] = [];
  readonly #previousIndexes: number[] = [];

  constructor(axis: AxisDefinition) {
    this.#axis = axis;
    this.names = axis.fields.map(({ name }) => name);
    this.#definedCount = this.names.length;
    this.#aliases = aliasesOf(axis);
    this.names.forEach((name, index) => this.#indexes.set(name, index));
  }

  /** Column of a name; −1 for `__proto__`. */
  indexOf(name: string): number {
    const index = this.#indexes.get(name) ?? this.#add(name);
    this.#seen.add(index);
    return index;
  }

  /** Column of the name at a position of a row. */
  indexAt(position: number, name: string): number {
    if (this.#previousNames[position] === name) return this.#previousIndexes[position]!;
    const index = this.indexOf(name);
    this.#previousNames[position] = name;
    this.#previousIndexes[position] = index;
    return index;
  }

  /** Fields that only the answer or only the definition has. */
  drift(): Pick<AnswerRows, 'unknownFields' | 'missingFields'> {
    const absent = this.#axis.fields.filter(
      ({ optional }, index) => !optional && !this.#seen.has(index),
    );
    return {
      unknownFields: this.names.slice(this.#definedCount),
      missingFields: absent.map(({ name }) => name),
    };
  }

  /** Returns the column of a name that is read for the first time: the column of a defined field, or a new one. */
  #add(name: string): number {
    const index =
      name === '__proto__' ? -1 : (this.#aliases.get(normaliseName(name)) ?? this.names.length);
    if (index === this.names.length) {
      if (index - this.#definedCount >= portalLimits.unknownFieldsMax)
        throw tooManyFields(this.#axis);
      if (name.length > portalLimits.unknownFieldLengthMax) throw longName(this.#axis, name);
      this.names.push(name);
    }
    this.#indexes.set(name, index);
    return index;
  }
}

/** Column of each name that a field may have; ambiguous names are left out. */
function aliasesOf(axis: AxisDefinition): ReadonlyMap<string, number> {
  const cached = aliases.get(axis);
  if (cached !== undefined) return cached;
  const indexes = new Map<string, number>();
  const ambiguous = new Set<string>();
  axis.fields.forEach((field, index) => {
    for (const name of new Set([field.name, ...field.aliases, field.label].map(normaliseName))) {
      if (indexes.has(name)) ambiguous.add(name);
      else indexes.set(name, index);
    }
  });
  for (const name of ambiguous) indexes.delete(name);
  aliases.set(axis, indexes);
  return indexes;
}

const aliases = new WeakMap<AxisDefinition, ReadonlyMap<string, number>>();

function normaliseName(name: string): string {
  return name.replace(/[\s_]+/g, '').toLowerCase();
}

/**
 * Converts a value to text. The upstreams' converters from XML to JSON turn texts that look like numbers into
 * numbers in some rows, and on some days send every number as text. Some services escape texts as HTML beforehand.
 */
function textOf(value: unknown, axis: Pick<AxisDefinition, 'missing'>): Text {
  if (typeof value === 'string') {
    const whole = unescapeHtml(value);
    // A NUL comes from a damaged transfer, and text columns refuse it.
    const text = withoutPadding(whole.includes('\0') ? whole.replaceAll('\0', '') : whole);
    return text === '' || axis.missing.includes(text) ? null : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Converters from XML write an empty element as `{}` or `[]`; other nested values stay in the record as JSON.
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  const inner = elementText(value);
  return inner === undefined ? jsonOf(value) : textOf(inner, axis);
}

/** The text of an element without child elements, as converters from XML write it; undefined for other objects. */
function elementText(value: object): unknown {
  const members = Object.entries(value).filter(([name]) => !name.startsWith('@'));
  const [name, inner] = members.length === 1 ? (members[0] as [string, unknown]) : [];
  const isText = textMembers.has(name ?? '') && (typeof inner !== 'object' || inner === null);
  return isText ? inner : undefined;
}

const textMembers: ReadonlySet<string> = new Set(['#text', '#cdata-section', '_text', '$t']);

function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new Error(
      'A value of an answer is nested too deeply: compare the answer with the page of its dataset on the portal.',
      { cause: error },
    );
  }
}

function tooManyFields(axis: AxisDefinition): Error {
  return new Error(
    `An answer for ${axis.code} has more than ${portalLimits.unknownFieldsMax} fields that its ` +
      `definition lacks: compare ${axis.path} with its page on the portal.`,
  );
}

function longName(axis: AxisDefinition, name: string): Error {
  return new Error(
    `An answer for ${axis.code} has a field with a name of ${name.length} characters: compare ` +
      `${axis.path} with its page on the portal.`,
  );
}
