import { setTimeout as wait } from 'node:timers/promises';
import { fileErrorSentence } from '../../kernel/file-error.ts';
import { BuildInProgress } from '../snapshot/lock.ts';
import { currentId } from '../snapshot/snapshots.ts';
import type { FollowFault } from './follow-state.ts';
import { StoreFault, type ObjectStore } from './object-store.ts';
import { pullSnapshot, type PullFacts, type PullOptions } from './pull.ts';

interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onPulled?: (facts: PullFacts) => void;
  /** Called with each outcome of a check. */
  readonly onChecked?: (fault: FollowFault | null) => void;
  readonly onProgress?: PullOptions['onProgress'];
  /** Time between two checks; ten seconds by default. */
  readonly intervalMs?: number;
}

/**
 * Pulls each snapshot that the pointer of a store names, until the signal aborts. A check that fails changes nothing;
 * the next ones wait longer, up to five minutes. Waits differ by chance, so that many followers do not pull at once.
 */
export async function followStore(
  store: ObjectStore,
  data: string,
  options: FollowOptions,
): Promise<void> {
  const { signal, onPulled, onChecked, onProgress, intervalMs = intervalMsByDefault } = options;
  let pulled: { readonly tag: string; readonly id: string } | null = null;
  for (let failures = 0; !signal.aborted;) {
    try {
      // A folder that was changed by another command is pulled into again.
      const knownTag = pulled !== null && currentId(data) === pulled.id ? pulled.tag : null;
      const facts = await pullSnapshot(store, data, { knownTag, signal, ...spread(onProgress) });
      if (facts !== 'unchanged') pulled = facts;
      failures = 0;
      if (facts !== 'unchanged' && facts.isNew) onPulled?.(facts);
      onChecked?.(null);
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      onChecked?.(followFault(error));
    }
    const backoffMs = Math.min(backoffMsMax, intervalMs * 2 ** Math.min(failures, 30));
    const waitMs = (failures === 0 ? intervalMs : backoffMs) * (0.8 + 0.4 * Math.random());
    await wait(waitMs, undefined, { signal }).catch(() => null);
  }
}

function spread(onProgress: PullOptions['onProgress']): Pick<PullOptions, 'onProgress'> {
  return onProgress === undefined ? {} : { onProgress };
}

/** The fault of an error, as a sentence. */
export function followFault(error: unknown): FollowFault {
  if (error instanceof StoreFault) return { code: error.code, message: error.message };
  const { code = '' } = error as NodeJS.ErrnoException;
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      code: 'disk_full',
      message: `The disk of the data folder is full (${code}). Free some space; what is there stays in use.`,
    };
  }
  if (error instanceof BuildInProgress) return { code: 'busy', message };
  return { code: 'failed', message: fileErrorSentence(error) ?? message };
}

const intervalMsByDefault = 10_000;
const backoffMsMax = 300_000;
