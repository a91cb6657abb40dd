import type { Command } from 'commander';
import {
  datasetSource,
  datasetUpstreams,
  type DatasetUpstream,
} from '../src/harvest/datasets/dataset-source.ts';
import { chooseFromCatalog, readCodeList } from '../src/harvest/datasets/selection.ts';
import type { VersionChoice } from '../src/harvest/datasets/version-choice.ts';
import { VersionStore } from '../src/harvest/datasets/version-store.ts';
import { openCatalogLookup } from '../src/ingest/load/catalog-lookup.ts';
import type { AxisSource } from '../src/harvest/runs/axis-source.ts';
import { StoredAxes } from '../src/harvest/runs/stored-axes.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import { formatCount, print, printJson, ProgressLine } from './terminal.ts';
import type { Upstream } from './upstream.ts';

/** Options of `collect` for datasets. */
export interface DatasetOptions {
  readonly list?: string;
  readonly catalog?: string;
  readonly limit?: string;
  readonly dryRun?: boolean;
  readonly via?: string;
  readonly history?: boolean;
  readonly hold?: string;
  readonly asOf?: string;
  readonly json?: boolean;
}

const datasetCode = /^file_(\d{1,12})$/;

/** True for a code such as `file_15012896`, which has the number of a dataset. */
export function isDatasetCode(code: string): boolean {
  return datasetCode.test(code);
}

/** Reads the codes in the --list file and those that --catalog finds; ends the command if --limit is wrong. */
export function readSelection(command: Command, data: string, options: DatasetOptions): string[] {
  const { list, catalog } = options;
  const limit = limitOf(command, options);
  const listCodes = list === undefined ? [] : readCodeList(list);
  if (catalog === undefined) return listCodes;
  const { entries, total } = chooseFromCatalog(data, catalog, limit);
  if (total > entries.length) {
    using progress = new ProgressLine();
    progress.note(
      `${formatCount(total)} FILE entries match; the best ${formatCount(entries.length)} are collected.`,
    );
  }
  return [...listCodes, ...entries.map(({ portalId }) => `file_${portalId}`)];
}

/** Checks the upstream and the version; ends the command if options contradict each other. */
export function checkDatasetOptions(command: Command, options: DatasetOptions): void {
  const { via, history, hold: versionKey, asOf } = options;
  if (via !== undefined && !datasetUpstreams.some((upstream) => upstream === via)) {
    command.error(`error: --via is one of ${datasetUpstreams.join(', ')}, not ${via}.`);
  }
  if (asOf !== undefined && !isDay(asOf)) {
    command.error('error: --as-of is a day such as 2026-08-31.');
  }
  if (versionKey !== undefined && asOf !== undefined) {
    command.error('error: --hold names one version and --as-of a day: use one of them.');
  }
  if (history && (versionKey !== undefined || asOf !== undefined)) {
    command.error('error: download the --history first, then choose a version.');
  }
  if (history && via !== undefined && via !== 'download') {
    command.error('error: --history downloads files. Remove --via, or use --via download.');
  }
}

/** The stored version that the options choose; null for the newest. */
export function versionChoice({ hold: versionKey, asOf }: DatasetOptions): VersionChoice | null {
  if (versionKey !== undefined) return { key: versionKey };
  return asOf === undefined ? null : { asOf };
}

/** Opens the sources of datasets by their codes. They read the catalog, which disposal of the result closes. */
export function openDatasets(
  codes: readonly string[],
  data: string,
  { site, hasKey }: Pick<Upstream, 'site' | 'hasKey'>,
  options: DatasetOptions,
): { readonly datasets: readonly AxisSource[] } & Disposable {
  // Opening the catalog of a large snapshot takes a moment.
  if (codes.length === 0) return { datasets: [], [Symbol.dispose]: () => undefined };
  const catalog = openCatalogLookup(data, currentId(data));
  const sourceOptions = {
    catalog,
    site,
    history: options.history ?? false,
    choice: versionChoice(options),
    // Checked by `checkDatasetOptions`.
    upstream: (options.via ?? null) as DatasetUpstream | null,
    hasKey,
  };
  const numbers = new Set(codes.flatMap((code) => datasetCode.exec(code)?.[1] ?? []));
  return {
    datasets: Array.from(numbers, (number) => datasetSource(number, sourceOptions)),
    [Symbol.dispose]: () => catalog[Symbol.dispose](),
  };
}

/** Lists the sources that would be collected, with their known sizes. */
export function printDryRun(data: string, codes: readonly string[], json: boolean): void {
  using catalog = openCatalogLookup(data, currentId(data));
  const stored = new StoredAxes(data);
  const lines = codes.map((code) => {
    const number = datasetCode.exec(code)?.[1];
    const [newest] = number === undefined ? [] : new VersionStore(data, number).versions();
    const entry = number === undefined ? null : catalog.byNumber(number);
    const served = stored.served(code);
    return {
      code,
      title: served?.axis.title ?? entry?.title ?? null,
      formats: entry?.formats ?? [],
      rows: served?.rows ?? newest?.rows ?? null,
      bytes: newest?.bytes ?? null,
    };
  });
  if (json) return printJson(lines);
  for (const { code, title, formats, rows, bytes } of lines) {
    const size = bytes === null ? '' : `  ${formatCount(bytes)} bytes`;
    const records = rows === null ? '' : `  ${formatCount(rows)} rows`;
    print(`${code}  ${title ?? ''}  ${formats.join(' ')}${records}${size}`);
  }
  const bytes = lines.reduce((sum, line) => sum + (line.bytes ?? 0), 0);
  const sizedCount = lines.filter((line) => line.bytes !== null).length;
  print(
    `${formatCount(lines.length)} would be collected; ${formatCount(sizedCount)} of known size, ${formatCount(bytes)} bytes. No request was sent.`,
  );
}

/** Lists the versions of a dataset that are stored, newest first. */
export function printVersions(command: Command, data: string, code: string, json: boolean): void {
  const number = datasetCode.exec(code)?.[1];
  if (number === undefined)
    return command.error(`error: ${code} is not a code such as file_15012896.`);
  const servedDate = new StoredAxes(data).served(code)?.axis.sourceModified ?? null;
  const versions = new VersionStore(data, number)
    .versions()
    .map(({ key, date, title, bytes, rows, takenAt, sha256 }) => ({
      key,
      date,
      title,
      bytes,
      rows,
      takenAt,
      sha256,
      served: date !== null && date === servedDate,
    }));
  if (json) return printJson(versions);
  if (versions.length === 0) print(`No version of ${code} is stored.`);
  for (const { key, title, bytes, takenAt, served: isServed } of versions) {
    print(
      `${isServed ? '*' : ' '} ${key}  ${title}  ${formatCount(bytes)} bytes, taken ${takenAt.slice(0, 10)}`,
    );
  }
}

/** True for a real calendar day. `Date` turns 31 February into 3 March, so its text is compared with the given one. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function limitOf(command: Command, { limit, catalog }: DatasetOptions): number | null {
  if (limit === undefined) return null;
  if (catalog === undefined) command.error('error: --limit goes with --catalog.');
  if (!/^[1-9]\d{0,3}$/.test(limit)) command.error('error: --limit is a number from 1 to 9999.');
  return Number(limit);
}
