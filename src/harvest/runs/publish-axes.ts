import { renameSync, rmSync } from 'node:fs';
import { koreanDay } from '../../data/korean-time.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { rewriteAxis } from '../../data/snapshot/json-file.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import type { Quality, StoredAxis } from '../../data/axis.ts';
import type { BuiltAxis } from './axis-source.ts';
import type { Publication, SourceResult } from './session.ts';
import { builtFolder, type StoredAxes } from './stored-axes.ts';

/** Publication of built axes, and of new findings about axes whose records stay. */
export function axisPublication(data: string, stored: StoredAxes): Publication<BuiltAxis> {
  return {
    isAtomic: false,
    isNeeded: (results) =>
      results.some((result) => result.data !== null || updatedAxis(result, stored) !== null),
    put(builder, results) {
      for (const result of results) {
        if (result.data !== null) {
          if (result.data.isServed === true) putUpdated(builder, updatedAxis(result, stored));
          else putBuilt(builder, data, stored, result.data, result.quality);
          for (const table of result.data.otherTables ?? []) {
            putBuilt(builder, data, stored, table, table.stored.quality ?? null);
          }
        } else putUpdated(builder, updatedAxis(result, stored));
      }
      const written = results.flatMap(({ data: built }) =>
        built === null ? [] : [built, ...(built.otherTables ?? [])].map((each) => each.stored),
      );
      // The first real axis removes the sample files: no real axis has their codes.
      if (written.some(({ axis }) => axis.origin === 'portal')) {
        for (const code of builder.previousAxes) {
          if (isSampleFile(code, stored)) builder.dropAxis(code);
        }
      }
      return reasonOf(written.map(({ axis }) => axis.code));
    },
  };
}

/** True for a table of a file of the sample portal. */
function isSampleFile(code: string, stored: StoredAxes): boolean {
  return code.startsWith('file_') && stored.served(code)?.axis.origin === 'sample';
}

function putBuilt(
  builder: SnapshotBuilder,
  data: string,
  axes: StoredAxes,
  { stored, files }: WrittenAxis,
  quality: Quality | null,
): void {
  const { code, origin } = stored.axis;
  axes.unmarkBuilt(code);
  const folder = builtFolder(data, code);
  // Another process may have published real data since the run began.
  const isReal = (axes.served(code)?.axis.origin ?? 'sample') !== 'sample';
  if (origin === 'sample' && isReal) return rmSync(folder, { recursive: true });
  const stage = builder.stageAxis(code);
  rmSync(stage, { recursive: true });
  renameSync(folder, stage);
  const facts = quality === null ? stored : { ...stored, quality };
  builder.putAxis(code, { ...files, [fileNames.axis]: rewriteAxis(stage, facts) });
}

function putUpdated(builder: SnapshotBuilder, updated: StoredAxis | null): void {
  if (updated === null || !builder.previousAxes.includes(updated.axis.code)) return;
  const { folder, files } = builder.restageAxis(updated.axis.code);
  const facts = rewriteAxis(folder, updated);
  builder.putAxis(updated.axis.code, { ...files, [fileNames.axis]: facts });
}

/** The served axis with new findings or a new collection time; null if neither changes. */
function updatedAxis(
  { source, collected, run, quality }: SourceResult<BuiltAxis>,
  stored: StoredAxes,
): StoredAxis | null {
  const served = stored.served(source.code);
  if (served === null || quality === null) return null;
  if (collected.outcome !== 'unchanged' || run === null) return { ...served, quality };
  const collectedAt = new Date(run.moment).toISOString();
  if (isUnchanged(served, quality, collectedAt)) return null;
  return { ...served, axis: { ...served.axis, collectedAt }, quality };
}

/** True if the findings and the freshness of an axis with unchanged records are unchanged, too. */
export function isUnchanged(
  { axis, quality }: Pick<StoredAxis, 'axis' | 'quality'>,
  newQuality: Quality,
  collectedAt: string,
): boolean {
  if (JSON.stringify(quality) !== JSON.stringify(newQuality)) return false;
  // The freshness of data without a date of its own is the day of its last collection.
  const isDatedByCollection = axis.sourceModified === null && axis.updateCycle !== null;
  return !isDatedByCollection || koreanDay(axis.collectedAt) === koreanDay(collectedAt);
}

function reasonOf(codes: readonly string[]): string {
  if (codes.length === 0) return 'Collected no new data; the findings about axes changed.';
  const more = codes.length > 5 ? ` and ${codes.length - 5} more` : '';
  return `Collected ${codes.slice(0, 5).join(', ')}${more}.`;
}
