import type { SnapshotBuilder } from './builder.ts';
import { fileNames } from './layout.ts';

/**
 * Adds columns and Parquet files to axes of a snapshot that was written before axes had them. The code that writes
 * them is loaded on use, because hardly a build needs it.
 */
export async function addMissingFiles(builder: SnapshotBuilder): Promise<void> {
  if (builder.pathsWithout(fileNames.columns).length > 0) {
    builder.addMissing(fileNames.columns, (await import('./add-columns.ts')).addColumns);
  }
  if (builder.pathsWithout(fileNames.parquet).length > 0) {
    builder.addMissing(fileNames.parquet, (await import('./add-parquet.ts')).addParquet);
  }
}
