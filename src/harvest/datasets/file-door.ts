import { isDeepStrictEqual } from 'node:util';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import { Lease, type Attempt, type AttemptOptions } from '../runs/attempt.ts';
import type { Finding } from '../runs/gates.ts';
import { builtFolder } from '../runs/held.ts';
import type { Run } from '../runs/runs.ts';
import { settleFile } from '../runs/settle-file.ts';
import { describeFile, holdFile, oddities } from './hold-file.ts';
import { inspectDataset } from './inspect-dataset.ts';
import { datasetLimits } from './limits.ts';
import type { PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import {
  fetchHistory,
  takeAgain,
  takeNewest,
  takePast,
  type VersionDownload,
} from './take-version.ts';
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
    return inspectDataset(written, run, options, { mismatch: 0, findings });
  }
  const onBytes = (bytes: number): void =>
    options.onAnswer(lease.requests, lease.planned, lease.rows, bytes);
  const onCall = (): void => {
    lease.count(0);
    onBytes(0);
  };
  const taking: VersionDownload = { ...door, shelf, origin, run: run.id, signal, onCall, onBytes };
  const version = await takeNewestOnce(taking, run);
  const unchanged = reading.asHeld(version);
  const { written, findings } = unchanged ?? (await takeWhole(version, taking, reading));
  const missed = door.history ? await takeHistory(taking) : [];
  shelf.tidy();
  lease.renew();
  const all = [...findings, ...missed];
  if (written !== null)
    return inspectDataset(written, run, options, { mismatch: 0, findings: all });
  const held = options.held.served(`file_${door.number}`);
  return { built: null, held, findings: all, requests: runs.get(run.id).requests };
}

/** A run that goes on has its version already. */
async function takeNewestOnce(taking: VersionDownload, run: Run): Promise<StoredVersion> {
  const taken = taking.shelf.versions().find((version) => version.run === run.id);
  return taken ?? (await takeNewest(taking));
}

/** A run that was interrupted may have compared its version with another copy already. */
function takeWhole(first: StoredVersion, to: VersionDownload, reading: Reading): Promise<Read> {
  let version = first;
  return settleFile(async (copy) => {
    if (copy > 0) version = await takeAgain(to, version);
    const { sha256, looks } = version;
    return {
      sha256,
      read: () => reading.of(version),
      isOdd: ({ written }) => looks < 2 && reading.isShort(version, written.stored.rows),
    };
  });
}

/** An axis that was read from a file, and what was odd about that. */
interface Read {
  readonly written: WrittenAxis;
  readonly findings: readonly Finding[];
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

  /** What reading a version would come to where that is what is held; null where it is not, or not known. */
  asHeld(version: StoredVersion): (Omit<Read, 'written'> & { readonly written: null }) | null {
    const { number, catalog } = this.#door;
    const { held, origin } = this.#options;
    const code = `file_${number}`;
    const served = held.served(code);
    if (served === null || version.reading === undefined) return null;
    // A file that looks cut off gets its second look.
    if (version.looks < 2 && this.isShort(version, served.rows)) return null;
    const { axis } = served;
    if (version.reading.records !== held.servedRecords(code)) return null;
    const now = describeFile(version, catalog, origin, Date.parse(axis.collectedAt));
    const { keyFields } = axis;
    if (!isDeepStrictEqual({ ...now, keyFields }, axis)) return null;
    return { written: null, findings: version.reading.findings };
  }

  async of(version: StoredVersion): Promise<Read> {
    const { number, catalog } = this.#door;
    const { data, origin, onAnswer } = this.#options;
    const lease = this.#lease;
    lease.rows = 0;
    const { written, findings: found } = await holdFile(version, {
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
    const findings = oddities(found);
    const records = written.files[fileNames.records]!.sha256;
    this.#shelf.note(version, { records, findings });
    return { written, findings };
  }

  /** Fewer rows than the portal counts, or bytes that end as if cut off. */
  isShort(version: StoredVersion, rows: number): boolean {
    if (version.rows !== null && rows < version.rows) return true;
    return sniffFile(this.#shelf.pathOf(version), version.extension).isOdd;
  }
}

/** Every earlier version that can be had; what cannot is a finding. */
async function takeHistory(taking: VersionDownload): Promise<Finding[]> {
  const past = (await fetchHistory(taking)).slice(0, datasetLimits.versionsKept);
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
