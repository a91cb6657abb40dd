import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { ParquetFile } from './parquet-file.ts';
import { readParquetColumns } from './parquet-columns.ts';

test('the columns of a file are read from its footer, with the column of texts if it has any', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'records.parquet');
  const names = ['string', 'integer', 'number', 'boolean', 'date', 'datetime'] as const;
  const fields = names.map((type) => ({ name: type, label: type, type }));
  using file = new ParquetFile(path, fields);
  file.add(['가', '1', '1.5', 'true', '2024-01-01', '2024-01-01 10:00:00'], 60);
  file.add(['나', '-', '2', 'false', '2024-01-02', '2024-01-02 10:00:00'], 60);
  const { bytes } = file.finish();
  assert.equal(statSync(path).size, bytes);
  const columns = readParquetColumns(path, bytes);
  assert.deepEqual(
    columns.toSpliced(2, 1),
    names.map((type) => ({ name: type, type })),
  );
  assert.deepEqual(columns[2], { name: 'integer_text', type: 'string' });
});
