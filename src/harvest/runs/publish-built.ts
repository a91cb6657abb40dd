import { renameSync, rmSync } from 'node:fs';
import type { StoredAxis, Quality } from '../../data/axis.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { fileNames, type Collectors } from '../../data/snapshot/layout.ts';
import { BuildInProgress } from '../../data/snapshot/lock.ts';
import type { Clock } from '../client/clock.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { BuiltFolder } from './attempt.ts';
import { rewriteAxis } from '../../data/snapshot/axis-writer.ts';

export interface Publication {
  /** Axes with new records, in the folder where each was built. */
  readonly built: readonly BuiltFolder[];
  /** Axes that keep their records, with what is now known of them. */
  readonly kept: readonly KeptAxis[];
  /** An axis as it is served, whoever published it meanwhile; null where it is not. */
  readonly served: (code: string) => StoredAxis | null;
  readonly collectors: Collectors;
  readonly reason: string;
}

export interface KeptAxis {
  readonly code: string;
  readonly quality: Quality;
  /** ISO 8601 date-time of the collection that found the same records; null where none did. */
  readonly collectedAt: string | null;
}

/** Takes what was built into the next snapshot and publishes it. Waits for another build to end. */
export async function publishBuilt(
  data: string,
  publication: Publication,
  clock: Clock,
  signal?: AbortSignal,
): Promise<string> {
  using builder = await openBuilder(data, clock, signal);
  return await publishInto(builder, publication);
}

/** Nine digits that begin with 99: the portal has given out seven and eight. */
function isSampleFile(code: string): boolean {
  return /^file_99\d{7}$/.test(code);
}

/** The same into a build that is under way. */
export async function publishInto(
  builder: SnapshotBuilder,
  { built, kept, served, collectors, reason }: Publication,
): Promise<string> {
  for (const { written, folder } of built) {
    const { code, origin } = written.stored.axis;
    const before = served(code)?.axis.origin ?? 'sample';
    // Real data may have come since the run began.
    if (origin === 'sample' && before !== 'sample') continue;
    const stage = builder.stageAxis(code);
    rmSync(stage, { recursive: true });
    renameSync(folder, stage);
    builder.putAxis(code, written.files);
  }
  for (const { code, quality, collectedAt } of kept) {
    const held = served(code);
    if (held === null || !builder.previousAxes.includes(code)) continue;
    const { folder, files } = builder.restageAxis(code);
    const axis = collectedAt === null ? held.axis : { ...held.axis, collectedAt };
    const facts = rewriteAxis(folder, { ...held, axis, quality });
    builder.putAxis(code, { ...files, [fileNames.axis]: facts });
  }
  // Nothing real ever takes the code of one of the sample portal’s own files: they go with the first of it.
  if (built.some(({ written }) => written.stored.axis.origin === 'portal')) {
    for (const code of builder.previousAxes) if (isSampleFile(code)) builder.dropAxis(code);
  }
  builder.putCollectors(collectors);
  return publishLinked(builder, reason);
}

/** The right to build, as soon as whoever has it is through. */
export async function openBuilder(
  data: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SnapshotBuilder> {
  for (let tries = 1; ; tries++) {
    try {
      return new SnapshotBuilder(data);
    } catch (error) {
      if (!(error instanceof BuildInProgress) || tries === buildTriesMax) throw error;
      await clock.wait(buildWaitMs, signal);
    }
  }
}

/** A load of large files takes minutes. */
const buildTriesMax = 300;
const buildWaitMs = 2_000;
