import { sampleFileCodes } from '../sample/files/datasets.ts';
import { firstStart } from '../src/harvest/first-start.ts';
import { BuildInProgress } from '../src/data/snapshot/lock.ts';
import { openDatasets } from './collect-files.ts';
import { openSampleDoors } from './door-access.ts';
import { openSamplePortal } from './portal-client.ts';
import { stopSignal } from './stop-signal.ts';
import { count, type ProgressLine } from './terminal.ts';

/** Into an empty data folder: what is true without a key, and sample data for the rest. */
export async function startFirst(data: string, note: ProgressLine): Promise<void> {
  note.note(
    'First start: holding the calendar, and sample data for the other axes and some files …',
  );
  await using portal = await openSamplePortal();
  using files = openDatasets(sampleFileCodes, data, portal, {});
  await using doors = await openSampleDoors();
  using stop = stopSignal();
  let told = 0;
  const { axes, rows } = await firstStart(data, {
    client: portal.client,
    datasets: files.datasets,
    doors,
    signal: stop.signal,
    onProgress: (step) =>
      note.update(
        `${step.axesDone}/${step.axesTotal} axes · ${step.axis} · ${count(step.rows)} rows`,
      ),
    onAxis: () => {
      if (++told % toldEvery === 0) note.note(`  ${told} axes …`);
    },
  });
  stop.signal.throwIfAborted();
  note.note(
    `Holding ${axes} axes with ${count(rows)} records, a sample catalog and sample demand.`,
  );
}

/** In a pipe a line now and then shows that it goes on. */
const toldEvery = 20;

/**
 * Whoever loaded files before the first start gets what is true without a key beside them, and no sample data
 * between their own. What is held already is served even while another process builds.
 */
export async function addCalendar(data: string, note: ProgressLine): Promise<void> {
  try {
    const { axes, rows } = await firstStart(data, null);
    note.note(
      `First start: holding the calendar and the regions too (${axes} axes, ${count(rows)} records).`,
    );
  } catch (error) {
    if (!(error instanceof BuildInProgress)) throw error;
    note.note('Another process is building a snapshot: the calendar comes with the next start.');
  }
}
