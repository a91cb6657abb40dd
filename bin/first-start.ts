import { sampleFileCodes } from '../sample/files/datasets.ts';
import { firstStart } from '../src/harvest/first-start.ts';
import { addMissingFiles } from '../src/data/snapshot/add-missing-files.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { BuildInProgress } from '../src/data/snapshot/lock.ts';
import { openDatasets } from './collect-files.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, type ProgressLine } from './terminal.ts';
import { openSampleUpstream } from './upstream.ts';

/** Fills an empty data folder with the calendar, the region table and sample data. */
export async function fillEmptyFolder(data: string, progress: ProgressLine): Promise<void> {
  progress.note(
    'First start: storing the calendar, and sample data for the other axes and some files …',
  );
  await using upstream = await openSampleUpstream();
  using files = openDatasets(sampleFileCodes, data, upstream, {});
  using stop = stopSignal();
  let collected = 0;
  const { axes, rows } = await firstStart(data, {
    ...upstream,
    datasets: files.datasets,
    signal: stop.signal,
    onProgress: (step) =>
      progress.update(
        () => `${step.done}/${step.total} axes · ${step.code} · ${formatCount(step.rows)} rows`,
      ),
    onSource: () => {
      if (++collected % noteEvery === 0) progress.note(`  ${collected} axes …`);
    },
  });
  stop.signal.throwIfAborted();
  progress.note(
    `Serving ${axes} axes with ${formatCount(rows)} records, a sample catalog and sample demand.`,
  );
}

/** Number of axes between two notes, which show the progress if the output is not a terminal. */
const noteEvery = 20;

/**
 * Adds the calendar and the region table, without sample data, to a data folder that has only loaded files. If
 * another process is building a snapshot, the data is served without them.
 */
export async function addCalendar(data: string, progress: ProgressLine): Promise<void> {
  try {
    const { axes, rows } = await firstStart(data, null);
    progress.note(
      `First start: added the calendar and the regions (${axes} axes, ${formatCount(rows)} records).`,
    );
  } catch (error) {
    if (!(error instanceof BuildInProgress)) throw error;
    progress.note('Another process is building a snapshot: the next start adds the calendar.');
  }
}

/**
 * Adds the files that this version needs to a snapshot of an earlier version. If that fails, for example because the
 * folder is read-only, the data is served without them.
 */
export async function upgradeSnapshot(data: string, progress: ProgressLine): Promise<void> {
  progress.note(
    'Adding columns to the data of an earlier version, about ten seconds for a million records …',
  );
  try {
    using builder = new SnapshotBuilder(data);
    await addMissingFiles(builder);
    builder.publish('Added the columns that this version needs.');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    progress.note(`Serving without conditions, sorting and groups: ${reason}`);
  }
}
