import { byteOrderMark, csvHead, csvLines } from '../../data/csv.ts';
import { ParquetSink } from '../../data/parquet/parquet-sink.ts';
import { workbook } from '../../data/xlsx/workbook.ts';
import type { Row } from '../../data/axis.ts';
import { shownLabelWithUnit } from '../../data/shown-label.ts';
import { ndjsonLines, recordTexts } from '../endpoints/rows.ts';
import { featureJson } from '../geojson.ts';
import type { ExportSource, RecordBlock } from './export-source.ts';

/** Media types of the formats of an export. */
export const exportFormats = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
} as const;
export type ExportFormat = keyof typeof exportFormats;

interface BodyOptions {
  /** Headings of CSV and XLSX. */
  readonly heading: 'name' | 'label';
  /** CSV begins with a byte order mark. */
  readonly hasMark: boolean;
  /** CSV continues after its first piece, the headings. */
  readonly isContinued?: boolean;
}

/** Writes the records of an export in a format, block by block. */
export function exportBody(
  format: ExportFormat,
  source: ExportSource,
  blocks: AsyncIterable<RecordBlock>,
  options: BodyOptions,
): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'csv':
      return csvBody(source, blocks, options);
    case 'ndjson':
      return ndjsonBody(blocks);
    case 'geojson':
      return geojsonBody(source, blocks);
    case 'xlsx':
      return workbookBody(source, blocks, options);
    default:
      return parquetBody(source, blocks);
  }
}

async function* csvBody(
  { columns }: ExportSource,
  blocks: AsyncIterable<RecordBlock>,
  { heading, hasMark, isContinued = false }: BodyOptions,
): AsyncGenerator<Uint8Array, void> {
  const head = csvHead(columns, heading);
  if (!isContinued) yield Buffer.from(hasMark ? byteOrderMark + head : head);
  for await (const { rows } of blocks) yield Buffer.from(csvLines(columns, rows()));
}

async function* ndjsonBody(blocks: AsyncIterable<RecordBlock>): AsyncGenerator<Uint8Array, void> {
  for await (const { items } of blocks) yield ndjsonLines(items());
}

/** One feature a line, so that line tools can read it too. */
async function* geojsonBody(
  { fields, total }: ExportSource,
  blocks: AsyncIterable<RecordBlock>,
): AsyncGenerator<Uint8Array, void> {
  let start = `{"type":"FeatureCollection","total":${total},"features":[\n`;
  for await (const { items, wholeRows } of blocks) {
    const whole = wholeRows();
    // The coordinates of a record count even if its fields are left out.
    const features = recordTexts(items()).map((text, at) => featureJson(fields, whole[at]!, text));
    yield Buffer.from(start + features.join(',\n'));
    start = ',\n';
  }
  yield Buffer.from(start === ',\n' ? '\n]}\n' : `${start}]}\n`);
}

function workbookBody(
  { columns, title }: ExportSource,
  blocks: AsyncIterable<RecordBlock>,
  { heading }: BodyOptions,
): AsyncIterable<Uint8Array> {
  const sheetColumns = columns.map((column) => ({
    name: column.name,
    heading: heading === 'label' ? shownLabelWithUnit(column) : column.name,
    type: column.type,
  }));
  return workbook(title, sheetColumns, rowsOfBlocks(blocks));
}

/** Groups are smaller than the groups of a stored file: each is written in one go, and other requests wait for it. */
async function* parquetBody(
  { columns }: ExportSource,
  blocks: AsyncIterable<RecordBlock>,
): AsyncGenerator<Uint8Array, void> {
  let written: Uint8Array[] = [];
  const sink = new ParquetSink(columns, (bytes) => written.push(bytes), streamedGroupRows);
  for await (const { rows } of blocks) {
    for (const row of rows())
      sink.add(
        columns.map(({ name }) => row[name] ?? null),
        0,
      );
    yield* written;
    written = [];
  }
  sink.finish();
  yield* written;
}

const streamedGroupRows = 4_000;

async function* rowsOfBlocks(
  blocks: AsyncIterable<RecordBlock>,
): AsyncGenerator<readonly Row[], void> {
  for await (const { rows } of blocks) yield rows();
}
