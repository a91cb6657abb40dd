import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { BuildInProgress } from '../../data/snapshot/lock.ts';
import type { Clock } from '../client/clock.ts';

/** Opens a builder as soon as no other build is under way. */
export async function openBuilder(
  data: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SnapshotBuilder> {
  for (let attempt = 1; ; attempt++) {
    try {
      return new SnapshotBuilder(data);
    } catch (error) {
      if (!(error instanceof BuildInProgress) || attempt === attemptsMax) throw error;
      await clock.wait(waitMs, signal);
    }
  }
}

/** Together with `waitMs` ten minutes: a load of large files takes minutes. */
const attemptsMax = 300;
const waitMs = 2_000;
