import { isDeepStrictEqual } from 'node:util';
import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import type { AxisContext } from '../runs/axis-source.ts';
import type { GateFinding } from '../runs/gates.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import { builtFolder } from '../runs/stored-axes.ts';
import { describeFile, importVersion, oddities } from './import-version.ts';
import { inspectDataset } from './inspect-dataset.ts';
import { datasetLimits } from './limits.ts';
import type { PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import {
  fetchHistory,
  settleVersion,
  takeNewest,
  takePast,
  type VersionDownload,
} from './take-version.ts';
import { chosenVersion, type VersionChoice } from './version-choice.ts';
import { VersionStore, type StoredVersion } from './version-store.ts';

export interface FileSource {
  readonly number: string;
  readonly site: PortalSite;
  readonly catalog: CatalogLookup;
  /** Downloads the earlier versions, too. */
  readonly history: boolean;
  /** The stored version to read where nothing is downloaded; null for the newest. */
  readonly choice: VersionChoice | null;
}

/**
 * Collects the file of a dataset: downloads its newest version, or takes a stored one, and builds the axis from it.
 * Throws `PortalError` or `FileRefused`.
 */
export async function collectFile(
  source: FileSource,
  context: AxisContext,
  run: RunContext,
): Promise<Collection<WrittenAxis>> {
  const { number, site, choice, history } = source;
  const store = new VersionStore(context.data, number);
  const reader = new VersionReader(source, store, context, run);
  if (context.client === null) {
    const { written, findings } = await reader.read(chosenVersion(store, number, choice));
    return inspectDataset(written, context, run, { mismatch: 0, findings });
  }
  const download: VersionDownload = { number, site, store, run };
  const version = await takeNewest(download);
  const served = reader.served(version);
  const read =
    served === null
      ? await settleVersion(
          download,
          version,
          (copy) => reader.read(copy),
          (copy, { written }) => reader.isShort(copy, written.stored.rows),
        )
      : null;
  const missed = history ? await takeHistory(download) : [];
  store.tidy();
  if (read !== null) {
    const findings = [...read.findings, ...missed];
    return inspectDataset(read.written, context, run, { mismatch: 0, findings });
  }
  const findings = [...(version.reading?.findings ?? []), ...missed];
  return { data: null, rows: served?.rows ?? 0, findings, isGuarded: true };
}

/** An axis that was read from a version, with the findings of reading it. */
interface ReadVersion {
  readonly written: WrittenAxis;
  readonly findings: readonly GateFinding[];
}

/** Reads versions of one dataset into the folder of its axis. */
class VersionReader {
  readonly #source: FileSource;
  readonly #store: VersionStore;
  readonly #context: AxisContext;
  readonly #run: RunContext;

  constructor(source: FileSource, store: VersionStore, context: AxisContext, run: RunContext) {
    this.#source = source;
    this.#store = store;
    this.#context = context;
    this.#run = run;
  }

  /** The served axis if the version is known to give an equal one; null otherwise. */
  served(version: StoredVersion): StoredAxis | null {
    const { number, catalog } = this.#source;
    const { stored } = this.#context;
    const code = `file_${number}`;
    const served = stored.served(code);
    if (served === null || version.reading === undefined) return null;
    // A file that looks cut off is downloaded once more.
    if (version.looks < 2 && this.isShort(version, served.rows)) return null;
    const { axis } = served;
    if (version.reading.records !== stored.servedRecords(code)) return null;
    const now = describeFile(version, catalog, this.#run.origin, Date.parse(axis.collectedAt));
    const { keyFields } = axis;
    return isDeepStrictEqual({ ...now, keyFields }, axis) ? served : null;
  }

  async read(version: StoredVersion): Promise<ReadVersion> {
    const { number, catalog } = this.#source;
    let rowsRead = 0;
    const { written, findings: found } = await importVersion(version, {
      path: this.#store.pathOf(version),
      catalog,
      origin: this.#run.origin,
      moment: this.#run.moment,
      folder: builtFolder(this.#context.data, `file_${number}`),
      onRows: (rows) => this.#run.reportRows((rowsRead += rows)),
    });
    const findings = oddities(found);
    const records = written.files[fileNames.records]!.sha256;
    this.#store.note(version, { records, findings });
    return { written, findings };
  }

  /** Fewer rows than the portal counts, or bytes that end as if cut off. */
  isShort(version: StoredVersion, rows: number): boolean {
    if (version.rows !== null && rows < version.rows) return true;
    return sniffFile(this.#store.pathOf(version), version.extension).isOdd;
  }
}

/** Downloads every earlier version; those that fail are a finding. */
async function takeHistory(download: VersionDownload): Promise<GateFinding[]> {
  const past = (await fetchHistory(download)).slice(0, datasetLimits.versionsKept);
  let missed = 0;
  let reason = '';
  for (const version of past) {
    try {
      await takePast(download, version);
    } catch (error) {
      download.run.signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      missed++;
      reason ||= error.message;
    }
  }
  if (missed === 0) return [];
  const detail = `${missed} of ${past.length} versions could not be downloaded. First: ${reason}`;
  return [{ kind: 'history_incomplete', count: missed, detail }];
}
