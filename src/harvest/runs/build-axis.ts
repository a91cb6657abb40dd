import { mkdirSync, rmSync } from 'node:fs';
import type { Axis, Field, StoredAxis, License, Origin, Text, Value } from '../../data/axis.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { createRegionJoin } from '../../data/regions/join.ts';
import { AxisWriter, type WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { RegionJoin } from '../../data/snapshot/index-records.ts';
import { readRows, RecordsFile } from '../../data/snapshot/records.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import { createFieldProfiler } from '../../ingest/fields/profiler.ts';
import type { AxisResponses } from './axis-responses.ts';
import type { Collected } from './collect-axis.ts';
import { DistinctRecords } from './distinct.ts';
import type { Came, NamedPlaces } from './gates.ts';
import { namedPlaces } from './named-places.ts';
import { lineOf } from './page-facts.ts';

/** An axis with its records, wherever they lie. */
export interface RecordSource {
  readonly held: StoredAxis;
  readonly records: RecordsFile;
}

export interface BuildAxisOptions {
  readonly axis: AxisDefinition;
  readonly collected: Collected;
  readonly responses: AxisResponses;
  readonly origin: Origin;
  readonly collectedAt: string;
  readonly license: License | null;
  /** What is held of the axis from the same origin; null for the first time. */
  readonly before: RecordSource | null;
  /** The axis that this one lies with (`region.join`). */
  readonly neighbour: RecordSource | null;
  /** Made anew. */
  readonly folder: string;
}

export interface BuiltAxis {
  readonly written: WrittenAxis;
  readonly came: Came;
}

/**
 * Writes the folder of an axis from the answers that were kept. An axis that accumulates takes over the
 * records held before whose key did not come again: the portal forgets, we keep.
 */
export async function buildAxis(options: BuildAxisOptions): Promise<BuiltAxis> {
  const { axis, folder, collected, before } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const drift = driftOf(collected);
  const columns = columnsOf(axis, drift.unknown, axis.keeps === 'accumulate' ? before : null);
  using writer = new AxisWriter(folder, columns);
  const { fields, ...seen } = await writeRecords(options, columns, writer);
  const joinRegion = regionJoin(axis, fields, options.neighbour);
  const written = writer.finish(describe(options), fields, { joinRegion });
  const { refused, requests } = collected;
  const moved = requests.flatMap((request) => (request.moved === null ? [] : [request.moved]));
  return {
    written,
    came: {
      ...seen,
      written: written.stored,
      accumulates: axis.keeps === 'accumulate',
      questions: requests.length + refused.count,
      refused: refused.count,
      refusedExample: refused.first?.message ?? null,
      mismatch: requests.reduce((sum, { mismatch }) => sum + mismatch, 0),
      moved: moved.length,
      movedExample: moved[0] ?? null,
      fieldsNew: drift.unknown,
      fieldsMissing: drift.missing,
      places: before === null ? null : namedPlacesIn(folder, before.held),
      placesBefore: before === null ? null : namedPlaces(before.held.fields, before.records),
    },
  };
}

type Written = Pick<Came, 'duplicateKeys' | 'mergedKeys' | 'damaged' | 'positions' | 'abroad'> & {
  readonly fields: readonly Field[];
};

/** The records, each once. What tells them apart takes memory, and is gone before they are indexed. */
async function writeRecords(
  { axis, collected, before, responses }: BuildAxisOptions,
  columns: readonly string[],
  writer: AxisWriter,
): Promise<Written> {
  const profiler = createFieldProfiler(columns, { known: axis.fields });
  const distinct = new DistinctRecords();
  const keyAt = axis.keyFields.map((name) => columns.indexOf(name));
  const positions = new Positions(axis, columns);
  const held = collected.requests.length;
  let [duplicateKeys, mergedKeys, damaged] = [0, 0, 0];

  function add(cells: readonly Text[], question: number): void {
    const record = lineOf(cells);
    const key = keyAt.map((at) => cells[at] ?? null);
    // A record that has nothing of its key is told by all of it.
    const isKeyed = key.some((cell) => cell !== null);
    const seen = distinct.add(isKeyed ? lineOf(key) : record, record, question);
    // What was held before and came again with other values is brought up to date.
    if (seen === 'elsewhere' && question < held) mergedKeys++;
    if (seen === 'repeated' || seen === 'elsewhere') return;
    if (record.includes('\uFFFD')) damaged++;
    if (seen === 'same_key') duplicateKeys++;
    positions.see(cells);
    profiler.add(cells);
    writer.add(cells);
  }

  let pages = 0;
  for (const [question, settled] of collected.requests.entries()) {
    for (const { request, copy } of settled.pages) {
      const page = responses.page(request, copy);
      const places = columns.map((name) => page.columns.indexOf(name));
      const isStraight = places.every((place, at) => place === at);
      for (const cells of page.rows) {
        add(isStraight ? cells : places.map((place) => cells[place] ?? null), question);
      }
      // Lets signals and the lease have their turn.
      if (++pages % pagesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (axis.keeps === 'accumulate' && before !== null) {
    for (const row of readRows(before.records)) {
      add(
        columns.map((name) => row[name]?.toString() ?? null),
        held,
      );
    }
  }
  const { seen, abroad } = positions;
  const fields = asDefined(profiler.fields(), axis);
  return { fields, duplicateKeys, mergedKeys, damaged, positions: seen, abroad };
}

function namedPlacesIn(folder: string, { fields }: StoredAxis): NamedPlaces | null {
  using records = new RecordsFile(folder);
  return namedPlaces(fields, records);
}

const pagesPerTurn = 20;

function driftOf({ requests }: Collected): { unknown: string[]; missing: string[] } {
  const unknown = new Set<string>();
  let missing: Set<string> | null = null;
  for (const { pages } of requests) {
    for (const { facts } of pages) {
      if (facts.rows === 0) continue;
      for (const name of facts.unknown) unknown.add(name);
      const gone = new Set(facts.missing);
      missing = missing === null ? gone : missing.intersection(gone);
    }
  }
  return { unknown: [...unknown].sort(), missing: [...(missing ?? [])] };
}

function columnsOf(
  axis: AxisDefinition,
  unknown: readonly string[],
  before: RecordSource | null,
): string[] {
  const held = before?.held.fields.map(({ name }) => name) ?? [];
  return [...new Set([...axis.fields.map(({ name }) => name), ...unknown, ...held])];
}

/** A code that looks like a number is a code: what is known of a field goes before what its values look like. */
function asDefined(fields: readonly Field[], axis: AxisDefinition): Field[] {
  const texts = new Set(axis.fields.flatMap(({ name, type }) => (type === 'string' ? [name] : [])));
  return fields.map((field) => {
    const isNumber = field.type === 'integer' || field.type === 'number';
    if (!isNumber || !texts.has(field.name)) return field;
    const stats = { ...field.stats, min: null, max: null };
    return { ...field, type: 'string', searchable: true, stats };
  });
}

function describe({ axis, origin, collectedAt, license }: BuildAxisOptions): Axis {
  return {
    code: axis.code,
    title: axis.title,
    titleEn: axis.titleEn,
    type: axis.type,
    portalId: axis.portalId,
    provider: { name: axis.provider.name, code: axis.provider.code },
    keyFields: [...axis.keyFields],
    origin,
    sourceModified: null,
    collectedAt,
    updateCycle: axis.schedule,
    license,
    sourceUrl: portalPage(axis.portalId, axis.type),
  };
}

/** Records without a place of their own lie where their neighbour of the same key lies. */
function regionJoin(
  axis: AxisDefinition,
  fields: readonly Field[],
  neighbour: RecordSource | null,
): RegionJoin | null {
  const own = createRegionJoin(fields);
  const join = axis.region.join;
  if (join === undefined || neighbour === null) return own;
  const theirs = createRegionJoin(neighbour.held.fields);
  const at = fields.findIndex(({ name }) => name === join.field);
  if (theirs === null || at < 0) return own;
  const names = neighbour.held.fields.map(({ name }) => name);
  const places = new Map<Value, ReturnType<RegionJoin>>();
  for (const row of readRows(neighbour.records)) {
    places.set(row[join.field] ?? null, theirs(names.map((name) => row[name] ?? null)));
  }
  return (values) => own?.(values) ?? places.get(values[at] ?? null) ?? null;
}

/** Counts positions, and those that no map of the country has. */
class Positions {
  readonly #lat: number;
  readonly #lon: number;
  seen = 0;
  abroad = 0;

  constructor({ region }: AxisDefinition, columns: readonly string[]) {
    this.#lat = region.lat === undefined ? -1 : columns.indexOf(region.lat);
    this.#lon = region.lon === undefined ? -1 : columns.indexOf(region.lon);
  }

  see(cells: readonly Text[]): void {
    const [lat, lon] = [cells[this.#lat] ?? null, cells[this.#lon] ?? null];
    if (lat === null || lon === null) return;
    this.seen++;
    if (!isInCountry(Number(lat), Number(lon))) this.abroad++;
  }
}

/** Marado to the north of Goseong, Baengnyeongdo to Dokdo, with a little sea. */
function isInCountry(lat: number, lon: number): boolean {
  return lat >= 32.5 && lat <= 39 && lon >= 124 && lon <= 132.5;
}
