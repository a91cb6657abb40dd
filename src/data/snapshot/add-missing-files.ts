import type { SnapshotBuilder } from './builder.ts';
import { fileNames } from './layout.ts';

/**
 * Adds the columns and Parquet files that axes from earlier versions lack. The code that writes them is loaded on use,
 * because few builds need it.
 */
export async function addMissingFiles(builder: SnapshotBuilder): Promise<void> {
  if (builder.pathsWithout(fileNames.columns).length > 0) {
    builder.addMissing(fileNames.columns, (await import('./add-columns.ts')).addColumns);
  }
  if (builder.pathsWithout(fileNames.parquet).length > 0) {
    builder.addMissing(fileNames.parquet, (await import('./add-parquet.ts')).addParquet);
  }
}
