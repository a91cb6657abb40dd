import type { WrittenAxis } from '../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../data/snapshot/builder.ts';
import { axisDefinitions } from './operations/definitions.ts';
import type { BuiltInAxis } from '../ingest/built-in/axis.ts';
import { calendarAxes } from '../ingest/built-in/calendar.ts';
import { regionCodeAxis } from '../ingest/built-in/region-codes.ts';
import { ProfiledWriter } from '../ingest/fields/profiled-writer.ts';
import type { PortalClient } from './client/portal-client.ts';
import { publishLinked } from '../data/snapshot/publish-linked.ts';
import { holdSampleDoors, type SampleDoors } from './first-doors.ts';
import { collectAxes, type CollectOptions } from './runs/collect.ts';

/**
 * Publishes the first snapshot of an empty data folder: what is true without a key or a network, and for
 * every other axis and some files what the sample portal answers, so that every endpoint answers from the first minute.
 * Throws when another build is under way.
 */
export async function firstStart(
  data: string,
  sample: FirstStartSample | null,
): Promise<{ axes: number; rows: number }> {
  using builder = new SnapshotBuilder(data);
  const now = new Date().toISOString();
  const written = [...calendarAxes(now), regionCodeAxis(now)].map((axis) => {
    const { stored, files } = writeAxis(builder.stageAxis(axis.axis.code), axis);
    builder.putAxis(axis.axis.code, files);
    return stored;
  });
  const trueRows = written.reduce((sum, held) => sum + held.rows, 0);
  if (sample === null) {
    await publishLinked(builder, 'First start: the calendar and the region table.');
    return { axes: written.length, rows: trueRows };
  }
  if (sample.doors !== undefined) await holdSampleDoors(data, builder, sample, sample.doors);
  const codes = axisDefinitions.map(({ code }) => code);
  const { axes } = await collectAxes(data, codes, { ...sample, origin: 'sample', builder });
  const collected = axes.filter(({ outcome }) => outcome === 'published');
  return {
    axes: written.length + collected.length,
    rows: collected.reduce((sum, { rows }) => sum + rows, trueRows),
  };
}

/** A way to the sample portal, and who is told how far it is. */
export type FirstStartSample = Pick<
  CollectOptions,
  'onProgress' | 'onAxis' | 'signal' | 'clock' | 'datasets'
> & {
  readonly client: PortalClient;
  /** The other doors of the sample portal, for its catalog and its search demand. */
  readonly doors?: SampleDoors;
};

function writeAxis(folder: string, { axis, columns, known, rows }: BuiltInAxis): WrittenAxis {
  using writer = new ProfiledWriter(folder, columns, { known });
  for (const cells of rows) writer.add(cells);
  return writer.finish(axis);
}
