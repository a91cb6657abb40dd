import { FileRefused } from '../files/refused.ts';
import type { AxisReport } from '../load/hold-axis.ts';
import type { CatalogLookup } from '../load/identity.ts';
import { Lease, type Attempt, type AttemptOptions } from '../run/attempt.ts';
import type { Finding } from '../run/gates.ts';
import { builtFolder } from '../run/held.ts';
import type { Run } from '../run/runs.ts';
import { holdFile, oddities } from './hold-file.ts';
import { inspectDataset } from './inspect-dataset.ts';
import { datasetLimits } from './limits.ts';
import type { PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { askHistory, takeAgain, takeNewest, takePast, type Taking } from './take-version.ts';
import { chosenVersion, type VersionChoice } from './version-choice.ts';
import { VersionShelf, type StoredVersion } from './version-shelf.ts';

export interface FileDoor {
  readonly number: string;
  readonly site: PortalSite;
  readonly catalog: CatalogLookup;
  readonly now: () => number;
  /** Also takes every earlier version. */
  readonly history: boolean;
  /** Which stored version is held when nobody is asked; null for the newest. */
  readonly choice: VersionChoice | null;
}

/**
 * One run of a dataset's file: takes the newest version, or one that is stored, and builds the axis from
 * it. Throws `PortalError` or `FileRefused`.
 */
export async function attemptFile(
  door: FileDoor,
  run: Run,
  options: AttemptOptions,
): Promise<Attempt> {
  const { data, runs, origin, signal, client } = options;
  using lease = new Lease(run, runs);
  const shelf = new VersionShelf(data, door.number);
  const reading = new Reading(door, shelf, run, options, lease);
  if (client === null) {
    const { written, findings } = await reading.of(chosenVersion(shelf, door.number, door.choice));
    return inspectDataset(written, run, options, { mismatch: 0, findings: oddities(findings) });
  }
  const onBytes = (bytes: number): void =>
    options.onAnswer(lease.requests, lease.planned, lease.rows, bytes);
  const onCall = (): void => {
    lease.count(0);
    onBytes(0);
  };
  const taking: Taking = { ...door, shelf, origin, run: run.id, signal, onCall, onBytes };
  const { written, findings } = await takeWhole(taking, reading, run);
  const missed = door.history ? await takeHistory(taking) : [];
  shelf.tidy();
  lease.renew();
  const all = [...oddities(findings), ...missed];
  return inspectDataset(written, run, options, { mismatch: 0, findings: all });
}

/** A file that looks cut off is downloaded again until the same bytes come twice. */
async function takeWhole(taking: Taking, reading: Reading, run: Run): Promise<AxisReport> {
  const taken = taking.shelf.versions().find((version) => version.run === run.id);
  let version = taken ?? (await takeNewest(taking));
  for (let look = 1; ; look++) {
    const isBelieved = version.looks > 1 || look >= datasetLimits.looksMax;
    try {
      const report = await reading.of(version);
      if (isBelieved || !reading.isShort(version, report)) return report;
    } catch (error) {
      if (isBelieved || !(error instanceof FileRefused)) throw error;
    }
    version = await takeAgain(taking, version);
  }
}

/** Reads versions of one dataset into its folder. */
class Reading {
  readonly #door: FileDoor;
  readonly #shelf: VersionShelf;
  readonly #run: Run;
  readonly #options: AttemptOptions;
  readonly #lease: Lease;

  constructor(
    door: FileDoor,
    shelf: VersionShelf,
    run: Run,
    options: AttemptOptions,
    lease: Lease,
  ) {
    this.#door = door;
    this.#shelf = shelf;
    this.#run = run;
    this.#options = options;
    this.#lease = lease;
  }

  of(version: StoredVersion): Promise<AxisReport> {
    const { number, catalog } = this.#door;
    const { data, origin, onAnswer } = this.#options;
    const lease = this.#lease;
    lease.rows = 0;
    return holdFile(version, {
      path: this.#shelf.pathOf(version),
      catalog,
      origin,
      asked: this.#run.asked,
      folder: builtFolder(data, `file_${number}`),
      onRows(rows) {
        lease.rows += rows;
        onAnswer(lease.requests, lease.planned, lease.rows);
      },
    });
  }

  /** Fewer rows than the portal counts, or bytes that end as if cut off. */
  isShort(version: StoredVersion, { written }: AxisReport): boolean {
    if (version.rows !== null && written.held.rows < version.rows) return true;
    return sniffFile(this.#shelf.pathOf(version), version.extension).isOdd;
  }
}

/** Every earlier version that can be had; what cannot is a finding. */
async function takeHistory(taking: Taking): Promise<Finding[]> {
  const past = (await askHistory(taking)).slice(0, datasetLimits.versionsKept);
  let missed = 0;
  let reason = '';
  for (const version of past) {
    try {
      await takePast({ ...taking, run: null }, version);
    } catch (error) {
      taking.signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      missed++;
      reason ||= error.message;
    }
  }
  if (missed === 0) return [];
  const detail = `${missed} of ${past.length} versions could not be had. First: ${reason}`;
  return [{ kind: 'history_incomplete', count: missed, detail }];
}
