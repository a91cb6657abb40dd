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
  /** Reason to leave the source out of this session; null to collect it. */
  readonly skipReason: string | null;
  /** Plans a run: the expected number of requests, and the age up to which an unfinished run is resumed. */
  plan(time: CollectionTime): { readonly requests: number; readonly resumableMs: number };
  /** Origin of the source's served data; null if none is served. */
  servedOrigin(): Origin | null;
  /** Fetches missing responses, then reads and checks all of them. Throws `PortalError` or `FileRefused`. */
  collect(run: RunContext): Promise<Collection<Data>>;
}

/** Data that a run collected, with the findings that decide on its publication. */
export interface Collection<Data> {
  /** Null if the data equals the served data. */
  readonly data: Data | null;
  /** Records, datasets or keywords. */
  readonly rows: number;
  readonly findings: readonly GateFinding[];
  /** True if previous data stays served when the gates reject this data; false for the first data of an axis. */
  readonly hasPrevious: boolean;
  /** Deletes the files of data that is not published. */
  discard?(): void;
}
