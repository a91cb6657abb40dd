import { rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StoredAxis } from '../../data/axis.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { FindingSummary } from './findings.ts';
import type { AxisReport, AxisTask } from './import-axis.ts';
import type { IdentityOptions } from './identity.ts';
import { findInputs, type InputFile, type SkippedFile } from './inputs.ts';
import { isDuplicate, planLoad, type PlannedAxis } from './plan.ts';
import { openCatalogLookup, type StoredAxes } from './catalog-lookup.ts';
import { WorkerPool, type Outcome } from './worker-pool.ts';

interface LoadOptions extends IdentityOptions {
  readonly sheet?: string;
  /** Publishes nothing if any file cannot be imported. */
  readonly strict?: boolean;
  /** Aborts the load: nothing is published, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly onAxis?: (axis: LoadedAxis) => void;
  readonly onSkipped?: (file: SkippedFile) => void;
}

interface LoadProgress {
  readonly axesDone: number;
  readonly axesTotal: number;
  readonly rows: number;
  readonly elapsedMs: number;
}

export interface LoadedAxis {
  readonly code: string;
  readonly title: string;
  readonly rows: number;
  readonly fields: number;
  readonly isProvisional: boolean;
  /** The code in the file's name if other data of the load took it; else null. */
  readonly insteadOf: string | null;
  readonly files: readonly string[];
  /** The previous version of the axis; null if there is none. */
  readonly replaced: { readonly rows: number; readonly hasOtherFields: boolean } | null;
  /** True if the stored axis is equal, byte for byte, and stays. */
  readonly isUnchanged: boolean;
  readonly findings: readonly FindingSummary[];
}

export interface LoadReport {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** The snapshot with the loaded axes; null if nothing was published. */
  readonly snapshot: string | null;
  /** True if every axis was stored already, so that no snapshot was made. */
  readonly isUnchanged: boolean;
  readonly axes: readonly LoadedAxis[];
  readonly notHeld: readonly SkippedFile[];
  readonly passedOver: readonly string[];
  readonly rows: number;
  readonly elapsedMs: number;
}

/**
 * Imports data files: reads them in parallel, builds the next snapshot and publishes it.
 *
 * Nothing is published if a named file cannot be read. Files of a folder that cannot be read are reported, and
 * the others imported. Throws if another build is under way or a path is absent.
 */
export async function loadFiles(
  data: string,
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  const started = performance.now();
  const inputs = findInputs(paths);
  if (options.axis !== undefined && inputs.files.length > 1) {
    throw new UsageError('--axis gives the code of one axis: use it with one file.');
  }
  using builder = new SnapshotBuilder(data);
  using catalog = openCatalogLookup(data, builder.previousId);
  const plan = await planLoad(inputs.files, options, catalog, new Date());
  const skipped: SkippedFile[] = [...inputs.refused, ...plan.skipped];
  for (const file of skipped) options.onSkipped?.(file);
  const axes: LoadedAxis[] = [];
  let rows = 0;
  let done = 0;
  const report = (): void =>
    options.onProgress?.({
      axesDone: done,
      axesTotal: plan.axes.length,
      rows,
      elapsedMs: performance.now() - started,
    });
  const planned = plan.axes.toSorted((a, b) => sizeOf(b.files) - sizeOf(a.files));
  const tasks = planned.map((axis) => taskOf(axis, builder, catalog, options.sheet ?? null));
  const byTask = new Map(tasks.map((task, index) => [task, planned[index]!]));
  await using pool = new WorkerPool<AxisTask, AxisReport>(new URL('worker.ts', import.meta.url));
  const loading = pool.run(
    tasks,
    (more) => {
      rows += more;
      report();
    },
    (task, outcome) => {
      done++;
      const axis = byTask.get(task)!;
      if ('failed' in outcome) {
        if (outcome.failed.code === 'disk_full') throw new Error(diskFull(data));
        const failures = failuresOf(axis, outcome.failed);
        skipped.push(...failures);
        for (const failure of failures) options.onSkipped?.(failure);
      } else {
        const loaded = loadedAxis(axis, outcome.done, catalog);
        // The builder takes an unchanged axis from the previous snapshot, if its folder is absent.
        if (loaded.isUnchanged) rmSync(task.folder, { recursive: true });
        else builder.putAxis(task.axis.code, outcome.done.written.files);
        axes.push(loaded);
        options.onAxis?.(loaded);
      }
      report();
    },
  );
  await Promise.race([loading, whenAborted(options.signal)]);
  const isBlocked = skipped.some(
    ({ isNamed, code }) => isNamed || (options.strict && !isDuplicate(code)),
  );
  const isComplete = axes.length > 0 && !isBlocked;
  const changed = axes.filter(({ isUnchanged }) => !isUnchanged);
  const isUnchanged = isComplete && changed.length === 0;
  const isPublished = isComplete && !isUnchanged;
  const published = isPublished ? await publishLinked(builder, reasonOf(changed)) : null;
  return {
    data: resolve(data),
    snapshot: isUnchanged ? builder.previousId : published,
    isUnchanged,
    axes: axes.sort((a, b) => (a.code < b.code ? -1 : 1)),
    notHeld: skipped,
    passedOver: inputs.passedOver,
    rows: axes.reduce((sum, axis) => sum + axis.rows, 0),
    elapsedMs: performance.now() - started,
  };
}

function taskOf(
  { identity, files }: PlannedAxis,
  builder: SnapshotBuilder,
  catalog: StoredAxes,
  sheet: string | null,
): AxisTask {
  return {
    axis: identity.axis,
    files: files.map((file) => file.path),
    sheet,
    previousFindings: catalog.storedAxis(identity.axis.code)?.quality?.findings ?? [],
    folder: builder.stageAxis(identity.axis.code),
  };
}

function failuresOf(
  { files }: PlannedAxis,
  { code, message }: Extract<Outcome<AxisReport>, { failed: unknown }>['failed'],
): SkippedFile[] {
  return files.map(({ path, isNamed }) => ({ path, code, message, isNamed }));
}

function loadedAxis(
  { identity, files }: PlannedAxis,
  { written, findings }: AxisReport,
  catalog: StoredAxes,
): LoadedAxis {
  const before = catalog.storedAxis(identity.axis.code);
  return {
    code: identity.axis.code,
    title: identity.axis.title,
    rows: written.stored.rows,
    fields: written.stored.fields.length,
    isProvisional: identity.isProvisional,
    insteadOf: identity.insteadOf ?? null,
    files: files.map(({ path }) => basename(path)),
    replaced:
      before === null
        ? null
        : { rows: before.rows, hasOtherFields: fieldNames(before) !== fieldNames(written.stored) },
    isUnchanged: catalog.isStored(written),
    findings,
  };
}

function diskFull(data: string): string {
  return (
    `${resolve(data)}: the disk is full. Nothing was published; what was served before is unchanged. ` +
    'Free room there and run the same command again.'
  );
}

function fieldNames({ fields }: StoredAxis): string {
  return JSON.stringify(fields.map(({ name }) => name));
}

function sizeOf(files: readonly InputFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Arguments of the command line that contradict each other. */
export class UsageError extends Error {}

/** Never resolves; rejects with the signal's reason. */
function whenAborted(signal: AbortSignal | undefined): Promise<never> {
  signal?.throwIfAborted();
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function reasonOf(axes: readonly LoadedAxis[]): string {
  const codes = axes.slice(0, 5).map(({ code }) => code);
  const more = axes.length > codes.length ? ` and ${axes.length - codes.length} more` : '';
  return `Loaded ${codes.join(', ')}${more}.`;
}
