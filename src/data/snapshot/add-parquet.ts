import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, StoredAxis } from '../axis.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { RecordsFile } from './records.ts';

/** Adds the Parquet file to the folder of an axis from an earlier version, which wrote none. */
export function addParquet(folder: string): FileFacts {
  // Trusted, because the manifest has the hash of axis.json.
  const { fields } = JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
  using records = RecordsFile.in(folder);
  using parquet = new ParquetFile(join(folder, fileNames.parquet), fields);
  for (const { bytes, starts, ends } of records.blocks()) {
    for (let i = 0; i < starts.length; i++) {
      const row = JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as Row;
      const values = fields.map(({ name }) => row[name] ?? null);
      parquet.add(values, ends[i]! - starts[i]!);
    }
  }
  return parquet.finish();
}
