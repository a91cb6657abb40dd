import { resolve } from 'node:path';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { AxisReport, AxisTask } from './import-axis.ts';
import type { IdentityOptions } from './identity.ts';
import { findInputs, refusedFile, type InputFile, type SkippedFile } from './inputs.ts';
import { isDuplicate, planLoad, type PlannedAxis } from './plan.ts';
import { openCatalogLookup, type StoredAxes } from './catalog-lookup.ts';
import { LoadedAxes, type LoadedAxis } from './loaded-axes.ts';
import { columnsToMatch } from './stored-axis-guard.ts';
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

export interface LoadReport {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** The snapshot with the loaded axes; null if nothing was published. */
  readonly snapshot: string | null;
  /** True if every axis was already stored unchanged, so that no snapshot was built. */
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
 * Nothing is published if a file that the caller named cannot be read. A file of a folder that cannot be read is
 * reported, and the others are imported. Throws if another build is under way or a path does not exist.
 */
export async function loadFiles(
  data: string,
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  const startedAt = performance.now();
  const inputs = findInputs(paths);
  if (options.axis !== undefined && inputs.files.length > 1) {
    throw new UsageError('--axis gives the code of one axis: use it with one file.');
  }
  using builder = new SnapshotBuilder(data);
  using catalog = openCatalogLookup(data, builder.previousId);
  const plan = await planLoad(inputs.files, options, catalog, new Date(), (code) =>
    columnsToMatch(catalog.storedAxis(code)),
  );
  const planSkipped = [...inputs.refused, ...plan.skipped];
  for (const file of planSkipped) options.onSkipped?.(file);
  const context = { data, builder, catalog, options, startedAt };
  const { axes, failed } = await importAxes(plan.axes, context);
  const skipped = [...planSkipped, ...failed];
  const isBlocked = skipped.some(
    ({ isNamed, code }) => isNamed || (options.strict && !isDuplicate(code)),
  );
  const isComplete = axes.length > 0 && !isBlocked;
  const changed = axes.filter(({ isUnchanged }) => !isUnchanged);
  const isUnchanged = isComplete && changed.length === 0;
  const isPublished = isComplete && !isUnchanged;
  const published = isPublished ? await publishLinked(builder, publicationReason(changed)) : null;
  return {
    data: resolve(data),
    snapshot: isUnchanged ? builder.previousId : published,
    isUnchanged,
    axes: axes.sort((a, b) => (a.code < b.code ? -1 : 1)),
    notHeld: skipped,
    passedOver: inputs.passedOver,
    rows: axes.reduce((sum, axis) => sum + axis.rows, 0),
    elapsedMs: performance.now() - startedAt,
  };
}

interface LoadContext {
  readonly data: string;
  readonly builder: SnapshotBuilder;
  readonly catalog: StoredAxes;
  readonly options: LoadOptions;
  /** Start of the load, by `performance.now()`. */
  readonly startedAt: number;
}

/**
 * Imports the axes of a plan and adds the changed ones to the build: in worker threads, largest first, or in this
 * thread if they are small.
 */
async function importAxes(
  plan: readonly PlannedAxis[],
  { data, builder, catalog, options, startedAt }: LoadContext,
): Promise<{ axes: LoadedAxis[]; failed: SkippedFile[] }> {
  const axes: LoadedAxis[] = [];
  const failed: SkippedFile[] = [];
  let rows = 0;
  let axesDone = 0;
  const reportProgress = (): void =>
    options.onProgress?.({
      axesDone,
      axesTotal: plan.length,
      rows,
      elapsedMs: performance.now() - startedAt,
    });
  const axesBySize = plan.toSorted((a, b) => totalBytes(b.files) - totalBytes(a.files));
  const tasks = axesBySize.map((axis) => taskOf(axis, builder, catalog, options.sheet ?? null));
  const axisByTask = new Map(tasks.map((task, index) => [task, axesBySize[index]!]));
  const onRows = (rowsRead: number): void => {
    rows += rowsRead;
    reportProgress();
  };
  const loadedAxes = new LoadedAxes(plan, builder, catalog, options.axis !== undefined);
  const onDone = (task: AxisTask, outcome: Outcome<AxisReport>): void => {
    axesDone++;
    const axis = axisByTask.get(task)!;
    if ('failed' in outcome) {
      if (outcome.failed.code === 'disk_full') throw new Error(diskFullMessage(data));
      const failures = axis.files.map((file) => refusedFile(file, outcome.failed));
      failed.push(...failures);
      for (const failure of failures) options.onSkipped?.(failure);
    } else {
      for (const each of loadedAxes.put(axis, task.folder, outcome.done)) {
        axes.push(each);
        options.onAxis?.(each);
      }
    }
    reportProgress();
  };
  if (plan.reduce((sum, { files }) => sum + totalBytes(files), 0) <= threadlessBytesMax) {
    const { importOutcome } = await import('./import-outcome.ts');
    for (const task of tasks) {
      onDone(task, await importOutcome(task, onRows));
      options.signal?.throwIfAborted();
    }
    return { axes, failed };
  }
  await using pool = new WorkerPool<AxisTask, AxisReport>(new URL('worker.ts', import.meta.url));
  await Promise.race([pool.run(tasks, onRows, onDone), whenAborted(options.signal)]);
  return { axes, failed };
}

/** Most bytes that are imported without threads: starting one takes 0.2 s, and importing these files less. */
const threadlessBytesMax = 65_536;

function taskOf(
  { identity, files, columns, firstHeaders }: PlannedAxis,
  builder: SnapshotBuilder,
  catalog: StoredAxes,
  sheet: string | null,
): AxisTask {
  return {
    axis: identity.axis,
    files: files.map((file) => file.path),
    firstHeaders,
    sheet,
    columns,
    storedColumns: columnsToMatch(catalog.storedAxis(identity.axis.code)),
    previousFindings: catalog.storedAxis(identity.axis.code)?.quality?.findings ?? [],
    folder: builder.stageAxis(identity.axis.code),
  };
}

function diskFullMessage(data: string): string {
  return (
    `${resolve(data)}: the disk is full. Nothing was published, and the previous data is still served. ` +
    'Free disk space there and run the same command again.'
  );
}

function totalBytes(files: readonly InputFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Error of arguments of the command line that contradict each other. */
export class UsageError extends Error {}

/** Rejects with the signal's reason on abort; never resolves. */
function whenAborted(signal: AbortSignal | undefined): Promise<never> {
  signal?.throwIfAborted();
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function publicationReason(axes: readonly LoadedAxis[]): string {
  const codes = axes.slice(0, 5).map(({ code }) => code);
  const more = axes.length > codes.length ? ` and ${axes.length - codes.length} more` : '';
  return `Loaded ${codes.join(', ')}${more}.`;
}
