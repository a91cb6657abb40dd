import { mkdirSync, rmSync } from 'node:fs';
import type { Axis, Field, StoredAxis, License, Origin, Text, Value } from '../../data/axis.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { dayMs } from '../../data/korean-time.ts';
import { createAxisRegionJoiner } from '../../data/regions/axis-joiner.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { RegionJoin } from '../../data/snapshot/index-records.ts';
import { readRows, RecordsFile } from '../../data/snapshot/records.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import { ProfiledWriter } from '../../ingest/fields/profiled-writer.ts';
import { isTotalWord, totalOf } from '../../ingest/files/total-row.ts';
import type { AxisResponses } from './axis-responses.ts';
import type { CollectedResponses } from './collect-axis.ts';
import { ConstantCells, CrossedAnswers } from './crossed-answers.ts';
import { countPreviousDamage, isDamaged } from './damaged-text.ts';
import { DistinctRecords } from './distinct.ts';
import { durationMs } from './due.ts';
import type { CollectionFacts, NamedPlaces, UnansweredFacts } from './gates.ts';
import { countNamedPlaces } from './named-places.ts';
import { joinCells } from './page-facts.ts';
import { totalsOf } from './request-totals.ts';

/** An axis with its records, built or served. */
export interface RecordSource {
  readonly stored: StoredAxis;
  readonly records: RecordsFile;
}

interface BuildAxisOptions {
  readonly axis: AxisDefinition;
  readonly collected: CollectedResponses;
  readonly responses: AxisResponses;
  readonly origin: Origin;
  readonly collectedAt: string;
  readonly license: License | null;
  /** The served axis of the same origin; null if there is none. */
  readonly previous: RecordSource | null;
  /** The axis of `region.join`, which has the regions of this axis's records. */
  readonly joined: RecordSource | null;
  /** The folder to write; its old content is deleted. */
  readonly folder: string;
}

interface AxisBuild {
  readonly written: WrittenAxis;
  readonly facts: CollectionFacts;
}

/**
 * Writes the folder of an axis from stored responses. An axis that accumulates keeps previous records whose key is
 * in no response, since the portal deletes them.
 */
export async function buildAxis(options: BuildAxisOptions): Promise<AxisBuild> {
  const { axis, folder, collected, previous } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const drift = fieldDrift(collected);
  const columns = columnsOf(axis, drift.unknown, axis.keeps === 'accumulate' ? previous : null);
  using writer = new ProfiledWriter(folder, columns, { publishedFields: axis.fields });
  const counts = await writeRecords(options, columns, writer);
  const fields = withDefinedTypes(writer.profiler.fields(), axis);
  const joinRegion = regionJoin(axis, fields, options.joined);
  const written = writer.finish(describeAxis(options), fields, { joinRegion });
  const { requests } = collected;
  return {
    written,
    facts: {
      ...counts,
      written: written.stored,
      accumulates: axis.keeps === 'accumulate',
      mayBeEmpty: durationMs(axis.schedule) < dayMs,
      ...unansweredFacts(collected),
      ...totalsOf(requests),
      previousDamaged: countPreviousDamage(previous, counts.damaged, written.stored.rows),
      fieldsNew: drift.unknown,
      fieldsMissing: drift.missing,
      namedPlaces: previous === null ? null : namedPlacesIn(folder, previous.stored),
      previousPlaces:
        previous === null ? null : countNamedPlaces(previous.stored.fields, previous.records),
    },
  };
}

/** Counts the requests and pages of a collection, and those without an answer. */
export function unansweredFacts({ requests, unanswered }: CollectedResponses): UnansweredFacts {
  return {
    requests: requests.length + unanswered.count,
    unanswered: unanswered.count,
    pages: requests.reduce((sum, { pages }) => sum + pages.length, 0),
    pagesAbsent: unanswered.pages,
    unansweredNames: unanswered.names,
    unansweredExample: unanswered.first?.message ?? null,
  };
}

type RecordCounts = Pick<
  CollectionFacts,
  'duplicateKeys' | 'mergedKeys' | 'damaged' | 'positions' | 'positionsAbroad' | 'crossedAnswers'
>;

/** Writes each record once. As a separate function, it frees the large table of keys before indexing begins. */
async function writeRecords(
  { axis, collected, previous, responses }: BuildAxisOptions,
  columns: readonly string[],
  writer: ProfiledWriter,
): Promise<RecordCounts> {
  const distinct = new DistinctRecords();
  const keyAt = axis.keyFields.map((name) => columns.indexOf(name));
  const positions = new Positions(axis, columns);
  const totals = new TotalRecords(axis, columns);
  // The previous records are added as if one more request had returned them.
  const previousRequest = collected.requests.length;
  let [duplicateKeys, mergedKeys, damaged] = [0, 0, 0];

  function add(cells: readonly Text[], request: number, isExtra = false): void {
    const record = joinCells(cells);
    const key = keyAt.map((at) => cells[at] ?? null);
    // A record whose key is empty is identified by all of its values.
    const hasKey = key.some((cell) => cell !== null);
    const repetition = distinct.add(hasKey ? joinCells(key) : record, record, request);
    // A further copy of a page may have an older version of a record.
    if (isExtra && repetition !== 'new') return;
    // A previous record is replaced if it was collected again with other values, so this does not count as a merged key.
    if (repetition === 'other_request' && request < previousRequest) mergedKeys++;
    if (repetition === 'repeated' || repetition === 'other_request') return;
    if (isDamaged(record)) damaged++;
    if (repetition === 'same_key') duplicateKeys++;
    positions.count(cells);
    writer.add(cells, totals.has(cells));
  }

  let pages = 0;
  const crossed = new CrossedAnswers();
  for (const [at, settled] of collected.requests.entries()) {
    const answer = new ConstantCells();
    const extraFrom = settled.pages.length;
    const copies = [...settled.pages, ...settled.extraCopies];
    for (const [copyAt, { request, copy }] of copies.entries()) {
      const page = responses.page(request, copy);
      const columnsAt = columns.map((name) => page.columns.indexOf(name));
      const isSameOrder = columnsAt.every((column, at) => column === at);
      for (const cells of page.rows) {
        const orderedCells = isSameOrder ? cells : columnsAt.map((column) => cells[column] ?? null);
        add(orderedCells, at, copyAt >= extraFrom);
        answer.add(orderedCells);
      }
      // Lets the event loop handle signals and renew the lease.
      if (++pages % pagesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const [first] = settled.pages;
    if (first !== undefined) crossed.add(first.request.parameters, answer.byColumn(columns));
  }
  if (axis.keeps === 'accumulate' && previous !== null) {
    for (const row of readRows(previous.records)) {
      add(
        columns.map((name) => row[name]?.toString() ?? null),
        previousRequest,
      );
    }
  }
  const { total, abroad } = positions;
  return {
    duplicateKeys,
    mergedKeys,
    damaged,
    positions: total,
    positionsAbroad: abroad,
    crossedAnswers: crossed.count(),
  };
}

function namedPlacesIn(folder: string, { fields }: StoredAxis): NamedPlaces | null {
  using records = RecordsFile.in(folder);
  return countNamedPlaces(fields, records);
}

const pagesPerTurn = 20;

/** Fields that the definition lacks, and fields that no response has. */
function fieldDrift({ requests }: CollectedResponses): { unknown: string[]; missing: string[] } {
  const unknown = new Set<string>();
  let missing: Set<string> | null = null;
  for (const { pages } of requests) {
    for (const { facts } of pages) {
      if (facts.rows === 0) continue;
      for (const name of facts.unknownFields) unknown.add(name);
      const gone = new Set(facts.missingFields);
      missing = missing === null ? gone : missing.intersection(gone);
    }
  }
  return { unknown: [...unknown].sort(), missing: [...(missing ?? [])] };
}

function columnsOf(
  axis: AxisDefinition,
  unknown: readonly string[],
  previous: RecordSource | null,
): string[] {
  const names = previous?.stored.fields.map(({ name }) => name) ?? [];
  return [...new Set([...axis.fields.map(({ name }) => name), ...unknown, ...names])];
}

/** Restores the type text of fields that the definition declares as text, such as codes that look like numbers. */
function withDefinedTypes(fields: readonly Field[], axis: AxisDefinition): Field[] {
  const texts = new Set(axis.fields.flatMap(({ name, type }) => (type === 'string' ? [name] : [])));
  return fields.map((field) => {
    const isNumber = field.type === 'integer' || field.type === 'number';
    if (!isNumber || !texts.has(field.name)) return field;
    const stats = { ...field.stats, min: null, max: null };
    return { ...field, type: 'string', searchable: true, stats };
  });
}

function describeAxis({ axis, origin, collectedAt, license }: BuildAxisOptions): Axis {
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

/** Assigns a record to its own region, else to the region of the joined axis's record with an equal field. */
function regionJoin(
  axis: AxisDefinition,
  fields: readonly Field[],
  joined: RecordSource | null,
): RegionJoin | null {
  const own = createAxisRegionJoiner(fields);
  const join = axis.region.join;
  if (join === undefined || joined === null) return own;
  const joinedRegion = createAxisRegionJoiner(joined.stored.fields);
  const at = fields.findIndex(({ name }) => name === join.field);
  if (joinedRegion === null || at < 0) return own;
  const names = joined.stored.fields.map(({ name }) => name);
  const regions = new Map<Value, ReturnType<RegionJoin>>();
  for (const row of readRows(joined.records)) {
    regions.set(row[join.field] ?? null, joinedRegion(names.map((name) => row[name] ?? null)));
  }
  return (values) => own?.(values) ?? regions.get(values[at] ?? null) ?? null;
}

/** Recognises records that are totals of others, such as 합계 of a 시도 among its 구. */
class TotalRecords {
  /** True for each column of texts. Digits in such a column are codes, as are digits before the word for a total. */
  readonly #isText: readonly boolean[];

  constructor({ fields }: AxisDefinition, columns: readonly string[]) {
    const texts = new Set(fields.flatMap(({ name, type }) => (type === 'string' ? [name] : [])));
    this.#isText = columns.map((name) => texts.has(name));
  }

  has(cells: readonly Text[]): boolean {
    const word = cells.findIndex(isTotalWord);
    if (word < 0) return false;
    const isCode = (cell: Text, at: number): boolean =>
      (at < word || this.#isText[at] === true) && cell !== null && /^\d/.test(cell);
    return totalOf(cells.map((cell, at) => (isCode(cell, at) ? null : cell))) !== null;
  }
}

/** Counts positions, and those outside the country. */
class Positions {
  readonly #lat: number;
  readonly #lon: number;
  total = 0;
  abroad = 0;

  constructor({ region }: AxisDefinition, columns: readonly string[]) {
    this.#lat = region.lat === undefined ? -1 : columns.indexOf(region.lat);
    this.#lon = region.lon === undefined ? -1 : columns.indexOf(region.lon);
  }

  count(cells: readonly Text[]): void {
    const [lat, lon] = [cells[this.#lat] ?? null, cells[this.#lon] ?? null];
    if (lat === null || lon === null) return;
    this.total++;
    if (!isInCountry(Number(lat), Number(lon))) this.abroad++;
  }
}

/** Bounds from Marado in the south to Goseong in the north and from Baengnyeongdo to Dokdo, with a margin of sea. */
function isInCountry(lat: number, lon: number): boolean {
  return lat >= 32.5 && lat <= 39 && lon >= 124 && lon <= 132.5;
}
