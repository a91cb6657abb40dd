import type { Origin } from '../../data/axis.ts';
import type { CollectionTime } from '../operations/choices.ts';
import type { GateFinding } from './gates.ts';
import type { RunContext } from './run-context.ts';

/** A thing that a run can collect: an operation, a dataset, a part of the catalog, the demand. */
export interface Source<Data> {
  /** Name of its runs in the job store. */
  readonly code: string;
  readonly title: string;
  /** The command that collects it, without `./maru`. */
  readonly command: string;
  /** `accumulate` adds to the records of earlier runs. */
  readonly keeps: 'accumulate' | 'mirror';
  /** Reason to leave it out of this session; null to collect it. */
  readonly skipReason: string | null;
  /** Expected number of requests, and the age up to which an unfinished run is resumed. */
  plan(time: CollectionTime): { readonly requests: number; readonly resumableMs: number };
  /** Origin of the data that is served of it; null where there is none. */
  servedOrigin(): Origin | null;
  /** Fetches what is not stored, and reads and checks all of it. Throws `PortalError` or `FileRefused`. */
  collect(run: RunContext): Promise<Collection<Data>>;
}

/** The data that a run collected, to be judged by its findings. */
export interface Collection<Data> {
  /** Null where the data is known to be what is served. */
  readonly data: Data | null;
  /** Records, datasets or keywords. */
  readonly rows: number;
  readonly findings: readonly GateFinding[];
  /** A blocking finding keeps it from being published. False for the first data of an axis. */
  readonly isGuarded: boolean;
  /** Deletes what was written, where it is not published. */
  discard?(): void;
}
