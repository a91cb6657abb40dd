import { rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StoredAxis } from '../../data/axis.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { FileFindings } from './findings.ts';
import type { AxisReport, AxisTask, TableReport } from './import-axis.ts';
import { importOutcome } from './import-outcome.ts';
import type { Identity, IdentityOptions } from './identity.ts';
import { findInputs, refusedFile, type InputFile, type SkippedFile } from './inputs.ts';
import { isDuplicate, planLoad, type PlannedAxis } from './plan.ts';
import { openCatalogLookup, type StoredAxes } from './catalog-lookup.ts';
import {
  guardedColumns,
  identityBesideMain,
  identityBesideStored,
  moveAxis,
} from './stored-axis-guard.ts';
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
  /** The code that the file’s name gives, if another table has it; else null. */
  readonly insteadOf: string | null;
  /** Code of the main table of the same file; null for a main table. */
  readonly mainCode: string | null;
  /** Numbers of the datasets with the file’s title, if neither the title nor the columns decide between them. */
  readonly candidates: readonly string[];
  readonly files: readonly string[];
  /** The previous version of the axis; null if there is none. */
  readonly replaced: { readonly rows: number; readonly hasOtherFields: boolean } | null;
  /** True if the stored axis is equal byte for byte and is not replaced. */
  readonly isUnchanged: boolean;
  readonly findings: readonly FileFindings[];
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
    guardedColumns(catalog.storedAxis(code)),
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
  const codes = new Set(plan.map(({ identity }) => identity.axis.code));
  const isTaken = (code: string): boolean => codes.has(code);
  const putTable = (
    planned: PlannedAxis,
    identity: Identity,
    folder: string,
    read: TableReport,
  ): LoadedAxis => {
    const { code } = identity.axis;
    codes.add(code);
    const isPlanned = identity === planned.identity;
    const target = isPlanned ? folder : builder.stageAxis(code);
    const report = isPlanned ? read : moveAxis(folder, target, read, identity, catalog);
    const loaded = loadedAxis({ ...planned, identity }, report, catalog);
    // The builder copies an axis without a folder from the previous snapshot.
    if (loaded.isUnchanged) rmSync(target, { recursive: true });
    else builder.putAxis(code, report.written.files);
    return loaded;
  };
  const putAxes = (planned: PlannedAxis, task: AxisTask, read: AxisReport): LoadedAxis[] => {
    const stored = catalog.storedAxis(task.axis.code);
    const beside =
      options.axis === undefined ? identityBesideStored(planned, read, stored, isTaken) : null;
    const identity = beside ?? planned.identity;
    const main = putTable(planned, identity, task.folder, read);
    const others = read.besides.map((table) => {
      const own = identityBesideMain(planned.identity, table, isTaken);
      return { ...putTable(planned, own, table.folder, table), mainCode: identity.axis.code };
    });
    return [main, ...others];
  };
  const onDone = (task: AxisTask, outcome: Outcome<AxisReport>): void => {
    axesDone++;
    const axis = axisByTask.get(task)!;
    if ('failed' in outcome) {
      if (outcome.failed.code === 'disk_full') throw new Error(diskFullMessage(data));
      const failures = axis.files.map((file) => refusedFile(file, outcome.failed));
      failed.push(...failures);
      for (const failure of failures) options.onSkipped?.(failure);
    } else {
      for (const loaded of putAxes(axis, task, outcome.done)) {
        axes.push(loaded);
        options.onAxis?.(loaded);
      }
    }
    reportProgress();
  };
  if (plan.reduce((sum, { files }) => sum + totalBytes(files), 0) <= threadlessBytesMax) {
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

/** Files of this size are imported before a thread has started, which takes 0.2 s. */
const threadlessBytesMax = 65_536;

function taskOf(
  { identity, files, columns }: PlannedAxis,
  builder: SnapshotBuilder,
  catalog: StoredAxes,
  sheet: string | null,
): AxisTask {
  return {
    axis: identity.axis,
    files: files.map((file) => file.path),
    sheet,
    columns,
    storedColumns: guardedColumns(catalog.storedAxis(identity.axis.code)),
    hasBesides: true,
    previousFindings: catalog.storedAxis(identity.axis.code)?.quality?.findings ?? [],
    folder: builder.stageAxis(identity.axis.code),
  };
}

function loadedAxis(
  { identity, files }: PlannedAxis,
  { written, findings }: TableReport,
  catalog: StoredAxes,
): LoadedAxis {
  const previous = catalog.storedAxis(identity.axis.code);
  return {
    code: identity.axis.code,
    title: identity.axis.title,
    rows: written.stored.rows,
    fields: written.stored.fields.length,
    isProvisional: identity.isProvisional,
    insteadOf: identity.insteadOf ?? null,
    mainCode: null,
    candidates: candidateNumbers(identity),
    files: files.map(({ path }) => basename(path)),
    replaced:
      previous === null
        ? null
        : {
            rows: previous.rows,
            hasOtherFields: fieldNames(previous) !== fieldNames(written.stored),
          },
    isUnchanged: catalog.isStored(written),
    findings,
  };
}

function candidateNumbers({ candidates }: Identity): string[] {
  if (candidates === undefined) return [];
  const entries = candidates.same.length > 0 ? candidates.same : candidates.near;
  return entries.map(({ portalId }) => portalId);
}

function diskFullMessage(data: string): string {
  return (
    `${resolve(data)}: the disk is full. Nothing was published, and the previous data is still served. ` +
    'Free disk space there and run the same command again.'
  );
}

function fieldNames({ fields }: StoredAxis): string {
  return JSON.stringify(fields.map(({ name }) => name));
}

function totalBytes(files: readonly InputFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Arguments of the command line that contradict each other. */
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
