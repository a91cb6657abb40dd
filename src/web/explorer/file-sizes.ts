import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Field, StoredAxis } from '../../data/axis.ts';
import { exportBody, type ExportFormat } from '../../lookup/exports/export-body.ts';
import type { ExportSource, RecordBlock } from '../../lookup/exports/export-source.ts';
import { refuseFormat } from '../../lookup/exports/refuse-format.ts';
import { perStore } from '../../lookup/per-store.ts';
import { readShownRecords } from '../../lookup/shown-records.ts';
import type { LookupStore } from '../../lookup/store/store.ts';

/** Bytes of a file of an axis as a line through two measured files; absent for formats that cannot have it. */
export type FileSizes = Partial<
  Readonly<Record<ExportFormat, { readonly fixed: number; readonly perRow: number }>>
>;

/** Sizes of the files of an axis with these fields, from files of a few records that are written in memory, once. */
export function fileSizes(
  stored: StoredAxis,
  fields: readonly Field[],
  store: LookupStore,
): Promise<FileSizes> {
  const known = measured(store);
  const key = [stored.axis.code, ...fields.map(({ name }) => name)].join('\n');
  let sizes = known.get(key);
  if (sizes === undefined) {
    if (known.size >= knownMax) known.delete(known.keys().next().value!);
    known.set(key, (sizes = measure(stored, fields, store)));
    // Sizes that could not be measured are measured again for the next request.
    sizes.catch(() => known.delete(key));
  }
  return sizes;
}

/** Measures the files of the largest datasets, whose first readers would wait for it. */
export async function prepareFileSizes(store: LookupStore): Promise<void> {
  const largest = [...store.axes.values()].sort((a, b) => b.rows - a.rows).slice(0, preparedMax);
  for (const stored of largest) {
    await nextTurn();
    await fileSizes(stored, stored.fields, store);
  }
}

const measured = perStore(() => new Map<string, Promise<FileSizes>>());
const knownMax = 256;
const preparedMax = 100;
const formats = ['csv', 'ndjson', 'geojson', 'xlsx', 'parquet'] as const;

async function measure(
  stored: StoredAxis,
  fields: readonly Field[],
  store: LookupStore,
): Promise<FileSizes> {
  const rows = measuredRows(stored.rows);
  const count = rows.length;
  const sizes: Record<string, { fixed: number; perRow: number }> = {};
  const whole = fields === stored.fields ? store.parquet(stored.axis.code) : null;
  for (const format of formats) {
    if (!isSuitable(format, stored, fields)) continue;
    const fixed = await bytesOf(format, stored, fields, [], store);
    if (format === 'parquet' && whole !== null) {
      // It is written already, and another one would take longest.
      sizes[format] = { fixed, perRow: Math.max(0, whole.length - fixed) / stored.rows };
      continue;
    }
    const all = await bytesOf(format, stored, fields, rows, store);
    sizes[format] = { fixed, perRow: count === 0 ? 0 : (all - fixed) / count };
  }
  return sizes;
}

/**
 * Ordinals of records in runs throughout an axis. Neighbours are alike and compress well: single records made the
 * estimate of a workbook up to 45 % too high.
 */
function measuredRows(total: number): number[] {
  if (total <= runs * runRows) return Array.from({ length: total }, (_, row) => row);
  return Array.from({ length: runs }, (_, run) => {
    const first = Math.floor((run * (total - runRows)) / (runs - 1));
    return Array.from({ length: runRows }, (__, row) => first + row);
  }).flat();
}

const runs = 8;
const runRows = 25;

function isSuitable(format: ExportFormat, stored: StoredAxis, fields: readonly Field[]): boolean {
  try {
    refuseFormat(format, { fields, hasCoordinates: stored.hasCoordinates });
    return true;
  } catch {
    return false;
  }
}

async function bytesOf(
  format: ExportFormat,
  stored: StoredAxis,
  fields: readonly Field[],
  rows: readonly number[],
  store: LookupStore,
): Promise<number> {
  const form = { fields, added: { hasDistance: false, hasRegion: false, hasId: false } };
  const block: RecordBlock = {
    count: rows.length,
    ...readShownRecords(form, { rows }, stored, store),
  };
  const blocks = async function* () {
    if (rows.length > 0) yield block;
  };
  const source: ExportSource = {
    title: stored.axis.title,
    fields: stored.fields,
    columns: fields,
    total: rows.length,
    blocks,
  };
  let bytes = 0;
  const pieces = exportBody(format, source, blocks(), { heading: 'label', hasMark: true });
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}
