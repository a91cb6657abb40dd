import { basename, extname } from 'node:path';
import { separateCopies, type Candidate } from './copies.ts';
import type { CatalogLookup, Identity, IdentityOptions } from './identity.ts';
import { identityOf, withProvisionalCode } from './identity.ts';
import type { InputFile, SkippedFile } from './inputs.ts';
import { countDamage } from './loss.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { FileRefused } from '../files/refused.ts';
import { openTables, type OpenOptions } from '../files/open.ts';

/** The files of each axis, and the files that are skipped because another file has the same data. */
interface LoadPlan {
  readonly axes: readonly PlannedAxis[];
  readonly skipped: readonly SkippedFile[];
}

export interface PlannedAxis {
  readonly identity: Identity;
  /** Several if the data is in parts. */
  readonly files: readonly InputFile[];
}

/**
 * Assigns the files of a load to axes.
 *
 * - Equal files (byte for byte) are copies: one of them is imported.
 * - Files with the same number, title and similar columns are versions of one dataset. The newest is imported. If
 *   several formats have the newest date, the one with the least damage is imported.
 * - Files of one version and format are parts: all of them are imported.
 * - Different datasets with the same number: the largest keeps the number, and the others get their own codes.
 */
export async function planLoad(
  files: readonly InputFile[],
  options: PlanOptions,
  catalog: CatalogLookup,
  now: Date,
): Promise<LoadPlan> {
  const { kept, copies } = await separateCopies(
    files.map((file) => {
      const identity = identityOf(file, options, catalog, now);
      return { file, identity, date: identity.axis.sourceModified ?? '' };
    }),
  );
  const axes: PlannedAxis[] = [];
  const skipped: SkippedFile[] = [...copies];
  for (const candidates of Map.groupBy(kept, ({ identity }) => identity.axis.code).values()) {
    if (candidates.length === 1) {
      axes.push({ identity: candidates[0]!.identity, files: [candidates[0]!.file] });
      continue;
    }
    const { groups, refused } = await groupByDataset(candidates, options);
    skipped.push(...refused);
    for (const [index, group] of groups.entries()) {
      const { newest, superseded } = await newestVersion(group, options);
      axes.push(index === 0 ? newest : withOwnCode(newest));
      skipped.push(...superseded);
    }
  }
  return { axes, skipped };
}

interface PlanOptions extends IdentityOptions {
  readonly sheet?: string;
  readonly signal?: AbortSignal;
}

/** True for the codes of files whose data is imported from another file. */
export function isDuplicate(code: string): boolean {
  return code === 'superseded' || code === 'copy';
}

/** Groups files by dataset, largest first. A file that cannot be opened is refused. */
async function groupByDataset(
  candidates: readonly Candidate[],
  options: PlanOptions,
): Promise<{ groups: Candidate[][]; refused: SkippedFile[] }> {
  const groups: DatasetGroup[] = [];
  const refused: SkippedFile[] = [];
  for (const candidate of candidates) {
    options.signal?.throwIfAborted();
    const { path, sizeBytes, isNamed } = candidate.file;
    try {
      const columns = await columnsOf(path, sheetOf(options));
      const { title } = datasetOfFileName(path);
      const group = groups.find(
        (one) => one.title === title && overlap(one.columns, columns) >= sameDatasetOverlap,
      );
      if (group === undefined) {
        groups.push({ title, columns, sizeBytes, members: [candidate] });
      } else {
        group.members.push(candidate);
        group.sizeBytes += sizeBytes;
      }
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      refused.push({ path, code: error.code, message: error.message, isNamed });
    }
  }
  groups.sort((a, b) => b.sizeBytes - a.sizeBytes);
  return { groups: groups.map(({ members }) => members), refused };
}

interface DatasetGroup {
  readonly title: string;
  readonly columns: ReadonlySet<string>;
  sizeBytes: number;
  readonly members: Candidate[];
}

/** Minimum share of common column names for two files to be versions of one dataset. */
const sameDatasetOverlap = 0.5;

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((name) => b.has(name)).length;
  return common / Math.max(1, Math.min(a.size, b.size));
}

function sheetOf({ sheet }: PlanOptions): OpenOptions {
  return sheet === undefined ? {} : { sheet };
}

async function columnsOf(path: string, options: OpenOptions): Promise<Set<string>> {
  for await (const { columns } of openTables(path, options, () => {})) return new Set(columns);
  throw new FileRefused('empty', `${basename(path)} has no table.`);
}

async function newestVersion(
  group: readonly Candidate[],
  options: PlanOptions,
): Promise<{ newest: PlannedAxis; superseded: SkippedFile[] }> {
  const losses = await lossByFormat(group, options);
  const lossRank = ({ date, file }: Candidate): number =>
    losses.get(`${date} ${formatRank(file.path)}`) ?? 0;
  const ranked = group.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      compare(lossRank(a), lossRank(b)) ||
      formatRank(a.file.path) - formatRank(b.file.path) ||
      a.file.path.length - b.file.path.length,
  );
  const best = ranked[0]!;
  const parts = partsOfVersion(best, ranked);
  const superseded = ranked
    .filter((one) => !parts.includes(one))
    .map((one) => ({
      path: one.file.path,
      code: 'superseded',
      message: reasonSkipped(one, best),
      isNamed: false,
    }));
  return { newest: { identity: best.identity, files: parts.map(({ file }) => file) }, superseded };
}

/** Damage in the newest files, by date and format; empty if all have the same format. */
async function lossByFormat(
  group: readonly Candidate[],
  options: PlanOptions,
): Promise<Map<string, number>> {
  const losses = new Map<string, number>();
  const newest = group.reduce((most, { date }) => (date > most ? date : most), '');
  const files = group.filter(({ date }) => date === newest).map(({ file }) => file.path);
  if (new Set(files.map(formatRank)).size < 2) return losses;
  for (const path of files) {
    options.signal?.throwIfAborted();
    const key = `${newest} ${formatRank(path)}`;
    losses.set(key, (losses.get(key) ?? 0) + (await countDamage(path, sheetOf(options))));
  }
  return losses;
}

function compare(a: number, b: number): number {
  // The difference of two infinite losses is NaN.
  return a === b ? 0 : a - b;
}

/**
 * The best file with the other parts that have its date and format, one file for each part number. A file without
 * a part number is part 1: `현황.csv`, `현황_2.csv`.
 */
function partsOfVersion(best: Candidate, ranked: readonly Candidate[]): Candidate[] {
  const parts = new Map<number, Candidate>();
  for (const one of ranked) {
    const part = datasetOfFileName(one.file.path).part ?? 1;
    const isSameVersion =
      one.date === best.date && formatRank(one.file.path) === formatRank(best.file.path);
    if (isSameVersion && !parts.has(part)) parts.set(part, one);
  }
  const sorted = [...parts].sort(([a], [b]) => a - b).map(([, one]) => one);
  return sorted.includes(best) ? sorted : [best];
}

function reasonSkipped(one: Candidate, best: Candidate): string {
  const name = basename(best.file.path);
  if (one.date !== best.date) return `${name} is newer.`;
  if (formatRank(one.file.path) !== formatRank(best.file.path)) {
    return `${name} has the same data with less damage.`;
  }
  return `${name} is the same dataset; one of several copies is imported.`;
}

/** Preference among formats without damage: a workbook has types and no quoting, XML needs most repairs. */
function formatRank(path: string): number {
  const ending = extname(path.replace(/\.(gz|zip)$/i, '')).toLowerCase();
  const rank = ['.xlsx', '.xls', '.ods', '.csv', '.tsv', '.txt', '.json', '.xml'].indexOf(ending);
  return rank < 0 ? Infinity : rank;
}

function withOwnCode({ identity, files }: PlannedAxis): PlannedAxis {
  const { title } = datasetOfFileName(files[0]!.path);
  return { identity: withProvisionalCode(identity, title), files };
}
