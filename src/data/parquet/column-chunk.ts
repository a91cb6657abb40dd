import { zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, Encoding, PageHeader, SchemaElement, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { PlainValues, type ParquetValue } from './plain-values.ts';

/** One column of a group of rows. */
export interface ColumnGroup {
  readonly element: SchemaElement;
  /** Values by their number. The first is null, for rows without a value; others are null if they have no typed value. */
  readonly values: readonly ParquetValue[];
  /** The number of the value of each row. */
  readonly valueNumbers: Uint32Array;
  /** True if all values but the first are not null and differ from each other. */
  readonly areDistinct: boolean;
  /** True if the smallest and the largest value are written, for readers that skip groups. */
  readonly hasStatistics: boolean;
}

/**
 * Writes a column of a group of rows: its distinct values once and their indexes if that takes at most half the bytes,
 * or else the values one after the other. The values are already numbered, so no row is hashed or compared, which
 * the writer of the library does.
 */
export function writeColumnChunk(writer: ByteWriter, group: ColumnGroup): ColumnChunk {
  const { element, valueNumbers, hasStatistics } = group;
  const start = writer.offset;
  const rows = indexRows(group);
  const { distinct, indexes, levels } = rows;
  const plain = new PlainValues(element.type!, distinct);
  const bitWidth = Math.ceil(Math.log2(Math.max(distinct.length, 1)));
  const plainBytes = plain.bytesOf(indexes);
  const hasDictionary =
    element.type !== 'BOOLEAN' &&
    2 * (plain.bytes.length + (indexes.length * bitWidth) / 8) <= plainBytes;
  const encoding = hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN';
  let uncompressed = hasDictionary ? writeDictionaryPage(writer, plain) : 0;
  const dataStart = writer.offset;
  const pages = hasDictionary ? 1 : Math.ceil(plainBytes / pageBytes) || 1;
  const pageRows = Math.ceil(valueNumbers.length / pages);
  for (let row = 0, used = 0; row < valueNumbers.length; row += pageRows) {
    const pageLevels = levels.subarray(row, row + pageRows);
    const present = indexes.subarray(used, used + countOnes(pageLevels));
    const values = hasDictionary ? packIndexes(present, bitWidth) : plain.pick(present);
    uncompressed += writeDataPage(writer, encoding, pageLevels, present.length, values);
    used += present.length;
  }
  const encodings: Encoding[] = hasDictionary ? ['PLAIN', encoding] : [encoding];
  const nulls = valueNumbers.length - indexes.length;
  return {
    meta_data: {
      type: element.type!,
      encodings,
      path_in_schema: [element.name],
      codec: 'ZSTD',
      num_values: BigInt(valueNumbers.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataStart),
      ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
      ...(hasStatistics && { statistics: statisticsOf(distinct, nulls) }),
    },
    file_offset: BigInt(start),
  };
}

/** Bytes of values in a page without a dictionary, before they are compressed. */
const pageBytes = 1 << 20;

interface IndexedRows {
  /** Values that are not null, each once. */
  readonly distinct: readonly Exclude<ParquetValue, null>[];
  /** The position in `distinct` of each value that is not null. */
  readonly indexes: Uint32Array;
  /** For each row 1, or 0 if it has no value. */
  readonly levels: Uint8Array;
}

function indexRows({ values, valueNumbers, areDistinct }: ColumnGroup): IndexedRows {
  const { distinct, indexOfNumber } = areDistinct ? indexInOrder(values) : indexByValue(values);
  const indexes = new Uint32Array(valueNumbers.length);
  const levels = new Uint8Array(valueNumbers.length);
  let present = 0;
  for (let row = 0; row < valueNumbers.length; row++) {
    const index = indexOfNumber[valueNumbers[row]!]!;
    if (index < 0) continue;
    indexes[present++] = index;
    levels[row] = 1;
  }
  return { distinct, indexes: indexes.subarray(0, present), levels };
}

interface IndexedValues extends Pick<IndexedRows, 'distinct'> {
  /** Position in `distinct` by number; negative for null. */
  readonly indexOfNumber: Int32Array;
}

function indexInOrder(values: readonly ParquetValue[]): IndexedValues {
  // Only the first is null.
  const distinct = values.slice(1) as Exclude<ParquetValue, null>[];
  return { distinct, indexOfNumber: Int32Array.from(values, (_, number) => number - 1) };
}

/** Two spellings may have the same typed value: `15,293` and `15293`. */
function indexByValue(values: readonly ParquetValue[]): IndexedValues {
  const indexOf = new Map<ParquetValue, number>();
  const indexOfNumber = new Int32Array(values.length).fill(-1);
  for (let number = 0; number < values.length; number++) {
    const value = values[number]!;
    if (value === null) continue;
    let index = indexOf.get(value);
    if (index === undefined) indexOf.set(value, (index = indexOf.size));
    indexOfNumber[number] = index;
  }
  // Null has no index.
  return { distinct: [...indexOf.keys()] as Exclude<ParquetValue, null>[], indexOfNumber };
}

function countOnes(levels: Uint8Array): number {
  let ones = 0;
  for (let row = 0; row < levels.length; row++) ones += levels[row]!;
  return ones;
}

/** Returns the bytes of the page before they are compressed, the header included. */
function writeDictionaryPage(writer: ByteWriter, { bytes, count }: PlainValues): number {
  const compressed = zstdCompressSync(bytes);
  const headerBytes = writeHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
  writer.appendBytes(compressed);
  return headerBytes + bytes.length;
}

/** Returns the bytes of the page before they are compressed, the header included. */
function writeDataPage(
  writer: ByteWriter,
  encoding: Encoding,
  levels: Uint8Array,
  present: number,
  values: Uint8Array,
): number {
  const packedLevels = new ByteWriter();
  writeRleBitPackedHybrid(packedLevels, levels, 1);
  const compressed = zstdCompressSync(values);
  const headerBytes = writeHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: packedLevels.offset + values.length,
    compressed_page_size: packedLevels.offset + compressed.length,
    data_page_header_v2: {
      num_values: levels.length,
      num_nulls: levels.length - present,
      num_rows: levels.length,
      encoding,
      definition_levels_byte_length: packedLevels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  writer.appendBytes(packedLevels.getBytes());
  writer.appendBytes(compressed);
  return headerBytes + packedLevels.offset + values.length;
}

function writeHeader(writer: ByteWriter, header: PageHeader): number {
  const start = writer.offset;
  writePageHeader(writer, header);
  return writer.offset - start;
}

function packIndexes(indexes: Uint32Array, bitWidth: number): Uint8Array {
  const packed = new ByteWriter();
  packed.appendUint8(bitWidth);
  writeRleBitPackedHybrid(packed, indexes, bitWidth);
  return packed.getBytes();
}

function statisticsOf(distinct: readonly Exclude<ParquetValue, null>[], nulls: number): Statistics {
  if (distinct.length === 0) return { null_count: BigInt(nulls) };
  let [min, max] = [distinct[0]!, distinct[0]!];
  for (const value of distinct) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // Parquet requires a minimum of zero to be -0, and a maximum of zero to be +0.
  return {
    min_value: min === 0 ? -0 : min,
    max_value: max === 0 ? 0 : max,
    null_count: BigInt(nulls),
  };
}
