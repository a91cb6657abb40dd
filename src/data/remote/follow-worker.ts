import { parentPort, workerData } from 'node:worker_threads';
import type { FollowFault } from './follow-state.ts';
import { followStore } from './follow-store.ts';
import { openStore, type StoreSettings } from './open-store.ts';
import type { PullFacts } from './pull.ts';

/** Input of the thread that follows a store for a serving process. */
export interface FollowWork {
  readonly settings: StoreSettings;
  readonly data: string;
  /** Time between two checks; by default that of `followStore`. */
  readonly intervalMs?: number;
}

/** Report of that thread: a snapshot that it pulled, or the outcome of a check. */
export type FollowReport =
  { readonly pulled: PullFacts } | { readonly checked: FollowFault | null };

const { settings, data, ...timing } = workerData as FollowWork;
await followStore(openStore(settings), data, {
  ...timing,
  // The process ends the thread; a pull that is cut off is resumed by the next one.
  signal: new AbortController().signal,
  onPulled: (pulled) => report({ pulled }),
  onChecked: (checked) => report({ checked }),
});

function report(message: FollowReport): void {
  parentPort!.postMessage(message);
}
