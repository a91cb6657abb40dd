import { isDeepStrictEqual } from 'node:util';
import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import type { AxisContext, BuiltAxis } from '../runs/axis-source.ts';
import type { GateFinding } from '../runs/gates.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import { builtFolder } from '../runs/stored-axes.ts';
import {
  describeFile,
  importVersion,
  summariseFindings,
  type ImportedVersion,
} from './import-version.ts';
import { goneTables, inspectTables } from './inspect-tables.ts';
import { datasetLimits } from './limits.ts';
import type { PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import {
  fetchHistory,
  settleVersion,
  downloadNewest,
  downloadPast,
  type DownloadContext,
} from './download-version.ts';
import { chosenVersion, type VersionChoice } from './version-choice.ts';
import { VersionStore, type StoredVersion } from './version-store.ts';

export interface FileSource {
  readonly number: string;
  readonly site: PortalSite;
  readonly catalog: CatalogLookup;
  /** True to download the earlier versions, too. */
  readonly history: boolean;
  /** The stored version to read if nothing is downloaded; null for the newest. */
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
): Promise<Collection<BuiltAxis>> {
  const { number, site, choice, history } = source;
  const store = new VersionStore(context.data, number);
  const reader = new VersionReader(source, store, context, run);
  if (context.client === null) {
    return inspectTables(await reader.read(chosenVersion(store, number, choice)), context, run);
  }
  const download: DownloadContext = { number, site, store, run };
  const version = await downloadNewest(download);
  const served = reader.findServed(version);
  const content =
    served === null
      ? await settleVersion(
          download,
          version,
          (copy) => reader.read(copy),
          (copy, { written }) => reader.isSuspect(copy, written.stored.rows),
        )
      : null;
  const historyFindings = history ? await downloadHistory(download) : [];
  store.tidy();
  if (content !== null) {
    const findings = [...content.findings, ...historyFindings];
    return inspectTables({ ...content, findings }, context, run);
  }
  const codes = [`file_${number}`, ...Object.keys(version.reading?.besides ?? {})];
  const findings = [
    ...(version.reading?.findings ?? []),
    ...(served === null ? [] : goneTables(served, codes, context)),
    ...historyFindings,
  ];
  return { data: null, rows: served?.rows ?? 0, findings, hasPrevious: true };
}

/** The axes built from a version, with the findings about the file. */
interface VersionContent extends Pick<ImportedVersion, 'written' | 'otherTables'> {
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

  /** The served axis if reading this version again would give the same one; null otherwise. */
  findServed(version: StoredVersion): StoredAxis | null {
    const { number, catalog } = this.#source;
    const { stored } = this.#context;
    const code = `file_${number}`;
    const served = stored.served(code);
    if (served === null || version.reading === undefined) return null;
    // A suspect file is downloaded once more.
    if (version.looks < 2 && this.isSuspect(version, served.rows)) return null;
    const { axis } = served;
    const { records, besides } = version.reading;
    if (besides === undefined) return null;
    const readings = Object.entries({ ...besides, [code]: records });
    if (readings.some(([each, sha256]) => stored.servedRecords(each) !== sha256)) return null;
    const described = describeFile(
      version,
      catalog,
      this.#run.origin,
      Date.parse(axis.collectedAt),
    );
    return isDeepStrictEqual({ ...described, keyFields: axis.keyFields }, axis) ? served : null;
  }

  async read(version: StoredVersion): Promise<VersionContent> {
    const { catalog } = this.#source;
    let rowsRead = 0;
    const {
      written,
      otherTables,
      findings: fileFindings,
    } = await importVersion(version, {
      path: this.#store.pathOf(version),
      catalog,
      origin: this.#run.origin,
      moment: this.#run.moment,
      folderOf: (code) => builtFolder(this.#context.data, code),
      storedAxis: (code) => this.#context.stored.served(code),
      onRows: (rows) => this.#run.reportRows((rowsRead += rows)),
    });
    const findings = summariseFindings(fileFindings);
    this.#store.storeReading(version, {
      records: recordsHashOf(written),
      besides: Object.fromEntries(
        otherTables.map((each) => [each.stored.axis.code, recordsHashOf(each)]),
      ),
      findings,
    });
    return { written, otherTables, findings };
  }

  /** True for fewer rows than the portal counts, and for a content that looks cut off or misnamed. */
  isSuspect(version: StoredVersion, rows: number): boolean {
    if (version.rows !== null && rows < version.rows) return true;
    return sniffFile(this.#store.pathOf(version), version.extension).isOdd;
  }
}

/** SHA-256 of the records of an axis, in hex. */
function recordsHashOf({ files }: WrittenAxis): string {
  return files[fileNames.records]!.sha256;
}

/** Downloads the earlier versions. Returns one finding for all downloads that failed. */
async function downloadHistory(download: DownloadContext): Promise<GateFinding[]> {
  const past = (await fetchHistory(download)).slice(0, datasetLimits.versionsKept);
  let failures = 0;
  let reason = '';
  for (const version of past) {
    try {
      await downloadPast(download, version);
    } catch (error) {
      download.run.signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      failures++;
      reason ||= error.message;
    }
  }
  if (failures === 0) return [];
  const detail = `${failures} of ${past.length} versions could not be downloaded. First error: ${reason}`;
  return [{ kind: 'history_incomplete', count: failures, detail }];
}
