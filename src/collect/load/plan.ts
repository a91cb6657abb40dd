import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { CatalogLookup, Identity, IdentityOptions } from './identity.ts';
import { identityOf, provisional } from './identity.ts';
import type { InputFile, NotHeld } from './inputs.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { FileRefused } from '../files/refused.ts';
import { openTables } from '../files/open.ts';

/** Which files make which axis, and which are not read since a better one of the same data is there. */
export interface LoadPlan {
  readonly axes: readonly PlannedAxis[];
  readonly notRead: readonly NotHeld[];
}

export interface PlannedAxis {
  readonly identity: Identity;
  /** Several when the data comes in parts. */
  readonly files: readonly InputFile[];
}

/**
 * Files of one number with the same name but for date and format, and the same columns, are versions of one
 * dataset: the newest is held, and of one date the one in the format that loses least; files of one date
 * and format are its parts. Other data under the same number gets a code of its own; the largest keeps it.
 */
export async function planLoad(
  files: readonly InputFile[],
  options: IdentityOptions,
  catalog: CatalogLookup,
  now: Date,
): Promise<LoadPlan> {
  const byCode = new Map<string, Candidate[]>();
  for (const file of files) {
    const identity = identityOf(file, options, catalog, now);
    const candidates = byCode.get(identity.axis.code) ?? [];
    candidates.push({ file, identity, date: identity.axis.sourceModified ?? '' });
    byCode.set(identity.axis.code, candidates);
  }
  const axes: PlannedAxis[] = [];
  const notRead: NotHeld[] = [];
  for (const candidates of byCode.values()) {
    if (candidates.length === 1) {
      axes.push({ identity: candidates[0]!.identity, files: [candidates[0]!.file] });
      continue;
    }
    const { groups, refused } = await groupByDataset(candidates);
    notRead.push(...refused);
    for (const [at, group] of groups.entries()) {
      const { held, superseded } = newestOf(group);
      axes.push(at === 0 ? held : withOwnCode(held));
      notRead.push(...superseded);
    }
  }
  return { axes, notRead };
}

interface Candidate {
  readonly file: InputFile;
  readonly identity: Identity;
  readonly date: string;
}

/** Largest first: it keeps the number. A file that cannot be opened is refused here already. */
async function groupByDataset(
  candidates: readonly Candidate[],
): Promise<{ groups: Candidate[][]; refused: NotHeld[] }> {
  const groups: DatasetGroup[] = [];
  const refused: NotHeld[] = [];
  for (const candidate of candidates) {
    const { path, isNamed } = candidate.file;
    try {
      const columns = await columnsOf(path);
      const { title } = datasetOfFileName(path);
      const bytes = statSync(path).size;
      const group = groups.find(
        (one) => one.title === title && overlap(one.columns, columns) >= sameDatasetOverlap,
      );
      if (group === undefined) {
        groups.push({ title, columns, bytes, members: [candidate] });
      } else {
        group.members.push(candidate);
        group.bytes += bytes;
      }
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      refused.push({ path, code: error.code, message: error.message, isNamed });
    }
  }
  groups.sort((a, b) => b.bytes - a.bytes);
  return { groups: groups.map(({ members }) => members), refused };
}

interface DatasetGroup {
  readonly title: string;
  readonly columns: ReadonlySet<string>;
  bytes: number;
  readonly members: Candidate[];
}

/** Share of column names in common from which two files are taken for versions of one dataset. */
const sameDatasetOverlap = 0.5;

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((name) => b.has(name)).length;
  return common / Math.max(1, Math.min(a.size, b.size));
}

async function columnsOf(path: string): Promise<Set<string>> {
  for await (const { columns } of openTables(path, {}, () => {})) return new Set(columns);
  throw new FileRefused('empty', `${basename(path)} holds no table.`);
}

function newestOf(group: readonly Candidate[]): { held: PlannedAxis; superseded: NotHeld[] } {
  const ranked = group.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      formatRank(a.file.path) - formatRank(b.file.path) ||
      a.file.path.length - b.file.path.length,
  );
  const best = ranked[0]!;
  const held = partsBeside(best, ranked);
  const superseded = ranked
    .filter((one) => !held.includes(one))
    .map((one) => ({
      path: one.file.path,
      code: 'superseded',
      message: reasonNotRead(one, best),
      isNamed: false,
    }));
  return { held: { identity: best.identity, files: held.map(({ file }) => file) }, superseded };
}

/**
 * The best file alone, or with the other parts of its date and format, each number once. Beside numbered
 * parts a file without a number is the first: `현황.csv`, `현황_2.csv`.
 */
function partsBeside(best: Candidate, ranked: readonly Candidate[]): Candidate[] {
  const parts = new Map<number, Candidate>();
  for (const one of ranked) {
    const part = datasetOfFileName(one.file.path).part ?? 1;
    const isBeside =
      one.date === best.date && formatRank(one.file.path) === formatRank(best.file.path);
    if (isBeside && !parts.has(part)) parts.set(part, one);
  }
  const found = [...parts].sort(([a], [b]) => a - b).map(([, one]) => one);
  return found.includes(best) ? found : [best];
}

function reasonNotRead(one: Candidate, best: Candidate): string {
  const name = basename(best.file.path);
  if (one.date !== best.date) return `${name} is newer.`;
  if (formatRank(one.file.path) !== formatRank(best.file.path)) {
    return `${name} is the same data in a format that loses less.`;
  }
  return `${name} is the same dataset; of two copies one is held.`;
}

/** Formats that lose least come first: a workbook has types and no quoting, XML the most to repair. */
function formatRank(path: string): number {
  const ending = extname(path.replace(/\.(gz|zip)$/i, '')).toLowerCase();
  const rank = ['.xlsx', '.xls', '.csv', '.tsv', '.txt', '.json', '.xml'].indexOf(ending);
  return rank < 0 ? Infinity : rank;
}

function withOwnCode({ identity, files }: PlannedAxis): PlannedAxis {
  const { title } = datasetOfFileName(files[0]!.path);
  return { identity: provisional(identity, title), files };
}
