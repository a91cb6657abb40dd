import { closeSync, openSync } from 'node:fs';
import { parquetMetadata, type SchemaElement } from 'hyparquet';
import { readFully } from '../read-fully.ts';
import type { FieldType } from '../axis.ts';

/** Name and type of a column of a Parquet file. */
export interface ParquetColumnFacts {
  readonly name: string;
  readonly type: FieldType;
}

/** Reads the columns of a Parquet file of an axis from its footer. `bytes` is the size of the file. */
export function readParquetColumns(path: string, bytes: number): ParquetColumnFacts[] {
  const descriptor = openSync(path, 'r');
  try {
    const tail = readFully(descriptor, Buffer.alloc(tailBytes), bytes - tailBytes);
    const footerBytes = tail.readUInt32LE(0) + tailBytes;
    const footer = new Uint8Array(footerBytes);
    readFully(descriptor, footer, bytes - footerBytes);
    const [, ...columns] = parquetMetadata(footer.buffer).schema;
    return columns.map((element) => ({ name: element.name, type: typeOf(element) }));
  } finally {
    closeSync(descriptor);
  }
}

/** Length of the footer and the mark `PAR1`, at the end of a file. */
const tailBytes = 8;

function typeOf({ type, converted_type, logical_type }: SchemaElement): FieldType {
  if (converted_type === 'DATE') return 'date';
  if (logical_type?.type === 'TIMESTAMP' || converted_type === 'TIMESTAMP_MILLIS')
    return 'datetime';
  if (type === 'BOOLEAN') return 'boolean';
  if (type === 'DOUBLE') return 'number';
  return type === 'INT32' || type === 'INT64' ? 'integer' : 'string';
}
