import { open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, Compressors, FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';
import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { findingTexts } from './finding-texts.ts';
import { countFilled } from './head-row.ts';
import { parquetCell, parquetParsers, withRawDecimals } from './parquet-cell.ts';
import type { Part } from './part.ts';
import { pathOnDisk } from './path-on-disk.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { readAll, type ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Table } from './table.ts';

/**
 * Reads a Parquet file, some thousand rows at a time: numbers, texts, dates and times as texts, decimals to the last
 * digit. Columns of lists and structures are reported. Throws `FileRefused` for a damaged file, an unknown compression
 * and row groups that are too large.
 */
export async function parquetTable(part: Part): Promise<Table> {
  const { source } = part;
  await using file = await openBytes(source, part.limits.workbookBytesMax);
  const metadata = await readMetadata(source.name, file.bytes);
  checkGroups(part, metadata);
  const fields = flatFields(parquetSchema(metadata).children, part);
  if (fields.length === 0 || fields.length > part.limits.columnsMax) {
    throw new FileRefused(
      'not_a_table',
      refusalTexts.parquetColumns(source.name, fields.length, part.limits.columnsMax),
    );
  }
  const { columns, renamed } = nameColumns(fields.map(({ name }) => name));
  return {
    part: part.path,
    format: 'parquet',
    encoding: null,
    columns,
    layout: namedLayout({ columns, renamed }),
    batches: readRows(part, metadata, fields),
  };
}

async function* readRows(
  part: Part,
  metadata: FileMetaData,
  fields: readonly SchemaElement[],
): AsyncIterable<Batch> {
  const { source, finding } = part;
  const body = new TableBody(fields.length, finding);
  const names = fields.map(({ name }) => name);
  const rawMetadata = withRawDecimals(metadata);
  await using file = await openBytes(source, part.limits.workbookBytesMax);
  const total = Number(metadata.num_rows);
  for (let start = 0; start < total; start += windowRows) {
    const end = Math.min(total, start + windowRows);
    const rows = await readWindow(source.name, file.bytes, rawMetadata, names, start, end);
    if (rows.length < end - start) throw damagedRefusal(source.name, null);
    for (const [at, row] of rows.entries()) {
      const cells = fields.map((field, column) => parquetCell(row[column], field));
      body.add(cells, countFilled(cells), start + at + 1);
      if (body.isFull) yield body.takeBatch();
    }
  }
  yield body.endBatch();
}

async function readWindow(
  name: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  rowStart: number,
  rowEnd: number,
): Promise<readonly (readonly unknown[])[]> {
  let rows: readonly (readonly unknown[])[] = [];
  try {
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      rowFormat: 'array',
      utf8: false,
      compressors,
      parsers: parquetParsers,
      onComplete: (found) => {
        // Rows are arrays, as `rowFormat` requests.
        rows = found as unknown[][];
      },
    });
  } catch (error) {
    throw damagedRefusal(name, error);
  }
  return rows;
}

/** The columns of plain values; all others are reported with their names. */
function flatFields(children: readonly SchemaTree[], { finding }: Part): SchemaElement[] {
  for (const { element } of children.filter((child) => !isFlat(child))) {
    const detail = findingTexts.nestedColumn(element.name);
    finding({ kind: 'part_not_held', row: null, detail });
  }
  return children.filter(isFlat).map(({ element }) => element);
}

function isFlat({ children, element }: SchemaTree): boolean {
  return children.length === 0 && element.repetition_type !== 'REPEATED';
}

async function readMetadata(name: string, bytes: AsyncBuffer): Promise<FileMetaData> {
  try {
    return await parquetMetadataAsync(bytes);
  } catch (error) {
    throw damagedRefusal(name, error);
  }
}

/** Refuses what cannot be decompressed, and row groups that would take too much memory. */
function checkGroups({ source, limits }: Part, { row_groups: groups }: FileMetaData): void {
  for (const { columns } of groups) {
    for (const { meta_data: facts } of columns) {
      if (facts === undefined) continue;
      if (!codecs.has(facts.codec)) {
        throw new FileRefused('unsupported', refusalTexts.parquetCodec(source.name, facts.codec));
      }
      if (Number(facts.total_uncompressed_size) > limits.columnGroupBytesMax) {
        throw new FileRefused(
          'too_large',
          refusalTexts.parquetGroupTooLarge(
            source.name,
            facts.path_in_schema.join('.'),
            facts.total_uncompressed_size,
            limits.columnGroupBytesMax,
          ),
        );
      }
    }
  }
}

/** Rows that are in memory at once; pages before them are skipped without being inflated. */
const windowRows = 32_768;

const compressors: Compressors = {
  GZIP: (bytes, length) => gunzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
};
const codecs: ReadonlySet<string> = new Set([
  'UNCOMPRESSED',
  'SNAPPY',
  ...Object.keys(compressors),
]);

interface OpenBytes extends AsyncDisposable {
  readonly bytes: AsyncBuffer;
}

/** Random access to the bytes of a source: on disk, or of a member of an archive in memory. */
async function openBytes(source: ByteSource, bytesMax: number): Promise<OpenBytes> {
  if (source.path === undefined) {
    const bytes = await readAll(source, bytesMax);
    const slice = (start: number, end?: number) => copyOf(bytes.subarray(start, end));
    return {
      bytes: { byteLength: bytes.length, slice },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const handle = await open(pathOnDisk(source.path));
  const { size } = await handle.stat();
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.buffer;
  };
  return { bytes: { byteLength: size, slice }, [Symbol.asyncDispose]: () => handle.close() };
}

function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function damagedRefusal(name: string, cause: unknown): FileRefused {
  return new FileRefused('damaged', refusalTexts.notParquet(name), {
    cause,
  });
}
