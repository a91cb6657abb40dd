import { rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StoredAxis } from '../../data/axis.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { FindingSummary } from './findings.ts';
import type { AxisReport, AxisTask } from './import-axis.ts';
import type { IdentityOptions } from './identity.ts';
import { findInputs, type InputFile, type NotHeld } from './inputs.ts';
import { isHeldElsewhere, planLoad, type PlannedAxis } from './plan.ts';
import { openCatalogLookup, type StoredLookup } from './catalog-lookup.ts';
import { WorkerPool, type Outcome } from './worker-pool.ts';

interface LoadOptions extends IdentityOptions {
  readonly sheet?: string;
  /** Any file that cannot be held ends the run, and nothing is published. */
  readonly strict?: boolean;
  /** Ends the run: nothing is published, and its reason is thrown. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly onAxis?: (axis: LoadedAxis) => void;
  readonly onNotHeld?: (file: NotHeld) => void;
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
  /** The code that its file names, where other data of the run has it; else null. */
  readonly insteadOf: string | null;
  readonly files: readonly string[];
  /** What was held under the code before; null where nothing was. */
  readonly replaced: { readonly rows: number; readonly hasOtherFields: boolean } | null;
  /** It was held already, byte for byte, and stays as it is. */
  readonly isUnchanged: boolean;
  readonly findings: readonly FindingSummary[];
}

export interface LoadReport {
  /** The folder of all data, as an absolute path. */
  readonly data: string;
  /** The snapshot that holds what was loaded; null when nothing was published. */
  readonly snapshot: string | null;
  /** All of it was held already, so that no snapshot was made. */
  readonly isUnchanged: boolean;
  readonly axes: readonly LoadedAxis[];
  readonly notHeld: readonly NotHeld[];
  readonly passedOver: readonly string[];
  readonly rows: number;
  readonly elapsedMs: number;
}

/**
 * Holds data files: reads them side by side, builds the next snapshot and publishes it.
 *
 * A file that was named must be readable: else nothing is published. Of a folder what can be held is
 * held, and the rest reported. Throws when another build is under way or a path is absent.
 */
export async function loadFiles(
  data: string,
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  const started = performance.now();
  const inputs = findInputs(paths);
  if (options.axis !== undefined && inputs.files.length > 1) {
    throw new WrongUse('--axis names one axis, so it goes with one file.');
  }
  using builder = new SnapshotBuilder(data);
  using catalog = openCatalogLookup(data, builder.previousId);
  const plan = await planLoad(inputs.files, options, catalog, new Date());
  const notHeld: NotHeld[] = [...inputs.refused, ...plan.notRead];
  for (const file of notHeld) options.onNotHeld?.(file);
  const axes: LoadedAxis[] = [];
  let rows = 0;
  let done = 0;
  const tell = (): void =>
    options.onProgress?.({
      axesDone: done,
      axesTotal: plan.axes.length,
      rows,
      elapsedMs: performance.now() - started,
    });
  const planned = plan.axes.toSorted((a, b) => sizeOf(b.files) - sizeOf(a.files));
  const tasks = planned.map((axis) => taskOf(axis, builder, catalog, options.sheet ?? null));
  const byTask = new Map(tasks.map((task, at) => [task, planned[at]!]));
  await using pool = new WorkerPool<AxisTask, AxisReport>(new URL('worker.ts', import.meta.url));
  const loading = pool.run(
    tasks,
    (more) => {
      rows += more;
      tell();
    },
    (task, outcome) => {
      done++;
      const axis = byTask.get(task)!;
      if ('failed' in outcome) {
        if (outcome.failed.code === 'disk_full') throw new Error(diskFull(data));
        const failures = failuresOf(axis, outcome.failed);
        notHeld.push(...failures);
        for (const failure of failures) options.onNotHeld?.(failure);
      } else {
        const loaded = loadedAxis(axis, outcome.done, catalog);
        // What is held already is taken over, and nothing may lie in its place.
        if (loaded.isUnchanged) rmSync(task.folder, { recursive: true });
        else builder.putAxis(task.axis.code, outcome.done.written.files);
        axes.push(loaded);
        options.onAxis?.(loaded);
      }
      tell();
    },
  );
  await Promise.race([loading, whenAborted(options.signal)]);
  const mustHold = notHeld.some(
    ({ isNamed, code }) => isNamed || (options.strict && !isHeldElsewhere(code)),
  );
  const isHeld = axes.length > 0 && !mustHold;
  const changed = axes.filter(({ isUnchanged }) => !isUnchanged);
  const isUnchanged = isHeld && changed.length === 0;
  const isPublished = isHeld && !isUnchanged;
  const published = isPublished ? await publishLinked(builder, reasonOf(changed)) : null;
  return {
    data: resolve(data),
    snapshot: isUnchanged ? builder.previousId : published,
    isUnchanged,
    axes: axes.sort((a, b) => (a.code < b.code ? -1 : 1)),
    notHeld,
    passedOver: inputs.passedOver,
    rows: axes.reduce((sum, axis) => sum + axis.rows, 0),
    elapsedMs: performance.now() - started,
  };
}

function taskOf(
  { identity, files }: PlannedAxis,
  builder: SnapshotBuilder,
  catalog: StoredLookup,
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
): NotHeld[] {
  return files.map(({ path, isNamed }) => ({ path, code, message, isNamed }));
}

function loadedAxis(
  { identity, files }: PlannedAxis,
  { written, findings }: AxisReport,
  catalog: StoredLookup,
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

/** The command line asks for what cannot be. */
export class WrongUse extends Error {}

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
