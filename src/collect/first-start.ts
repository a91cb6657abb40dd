import { createRegionJoin } from '../data/regions/join.ts';
import { AxisWriter, type WrittenAxis } from '../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../data/snapshot/builder.ts';
import { almanacAxes, type AlmanacAxis } from './almanac/axes.ts';
import { schemaFingerprint } from './fields/fingerprint.ts';
import { createFieldProfiler } from './fields/profiler.ts';
import { publishLinked } from './publish.ts';

/**
 * Publishes the first snapshot of an empty data folder: what is true without a key or a network, so that
 * every endpoint answers something real from the first minute. Throws when another build is under way.
 */
export async function firstStart(data: string): Promise<{ axes: number; rows: number }> {
  using builder = new SnapshotBuilder(data);
  const written = almanacAxes(new Date().toISOString()).map((axis) => {
    const { held, files } = writeAxis(builder.stageAxis(axis.axis.code), axis);
    builder.putAxis(axis.axis.code, files);
    return held;
  });
  await publishLinked(builder, 'First start: the calendar and the region table.');
  return { axes: written.length, rows: written.reduce((sum, held) => sum + held.rows, 0) };
}

function writeAxis(folder: string, { axis, columns, known, rows }: AlmanacAxis): WrittenAxis {
  using writer = new AxisWriter(folder, columns);
  const profiler = createFieldProfiler(columns, { known });
  for (const cells of rows) {
    profiler.add(cells);
    writer.add(cells);
  }
  const fields = profiler.fields();
  return writer.finish(axis, fields, schemaFingerprint(fields), createRegionJoin(fields));
}
