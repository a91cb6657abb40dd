import { renameSync, rmSync } from 'node:fs';
import type { HeldAxis, Quality } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { fileNames, type Collectors } from '../../data/snapshot/layout.ts';
import { BuildInProgress } from '../../data/snapshot/lock.ts';
import type { Clock } from '../portal/clock.ts';
import { publishLinked } from '../publish.ts';
import { rewriteAxis } from './build-axis.ts';

export interface Publication {
  /** Axes with new records, in the folder where each was built. */
  readonly built: readonly { readonly written: WrittenAxis; readonly folder: string }[];
  /** Axes that keep their records, with what is now known of them. */
  readonly kept: readonly { readonly held: HeldAxis; readonly quality: Quality }[];
  readonly collectors: Collectors;
  readonly reason: string;
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
  { built, kept, collectors, reason }: Publication,
): Promise<string> {
  for (const { written, folder } of built) {
    const { code } = written.held.axis;
    const stage = builder.stageAxis(code);
    rmSync(stage, { recursive: true });
    renameSync(folder, stage);
    builder.putAxis(code, written.files);
  }
  for (const { held, quality } of kept) {
    const { code } = held.axis;
    if (!builder.previousAxes.includes(code)) continue;
    const { folder, files } = builder.restageAxis(code);
    const facts = rewriteAxis(folder, { ...held, quality });
    builder.putAxis(code, { ...files, [fileNames.axis]: facts });
  }
  // Nothing real ever takes the code of one of the sample portal’s own files: they go with the first of it.
  if (built.some(({ written }) => written.held.axis.origin === 'portal')) {
    for (const code of builder.previousAxes) if (isSampleFile(code)) builder.dropAxis(code);
  }
  builder.putCollectors(collectors);
  return publishLinked(builder, reason);
}

async function openBuilder(
  data: string,
  clock: Clock,
  signal: AbortSignal | undefined,
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
