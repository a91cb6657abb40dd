import { basename, dirname, resolve } from 'node:path';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { openTables, type OpenOptions } from '../files/open.ts';
import {
  firstParts,
  placeAmongParts,
  readPartHeader,
  type PartHeader,
} from '../files/part-header.ts';
import { FileRefused } from '../files/refused.ts';
import { CodeTable, type StoredColumns } from './codes.ts';
import { separateCopies, type Candidate } from './copies.ts';
import { failureOf } from './failure.ts';
import {
  hasSimilarColumns,
  identityOf,
  isPortalTitle,
  type CatalogLookup,
  type Identity,
  type IdentityOptions,
} from './identity.ts';
import { refusedFile, type InputFile, type SkippedFile } from './inputs.ts';
import { readTableHead, type TableHead } from './table-facts.ts';
import { entryWithColumns, noMatches } from './title-match.ts';
import { chooseVersions, type FileTable, type HeadedCandidate } from './versions.ts';

/** The files of each axis, and the files that are skipped because another file has the same data. */
interface LoadPlan {
  readonly axes: readonly PlannedAxis[];
  readonly skipped: readonly SkippedFile[];
}

export interface PlannedAxis {
  readonly identity: Identity;
  /** Several if the data is in parts. */
  readonly files: readonly InputFile[];
  /** Columns of all parts together; null for a single file, which has its own. */
  readonly columns: readonly string[] | null;
  /** Header of the first part by path, for parts that may have none of their own; absent if there are no such parts. */
  readonly firstHeaders?: ReadonlyMap<string, PartHeader>;
}

/**
 * Assigns the files of a load to axes, independently of their order.
 *
 * - Equal files (byte for byte, or row for row in another format) are copies: one of them is imported.
 * - Files with the same number or title, and similar columns, are versions: `chooseVersions`.
 * - A generic title, such as `현황`, identifies a dataset only within its folder.
 * - Tables that still have the same code are all imported, with codes of their own: `CodeTable`.
 */
export async function planLoad(
  files: readonly InputFile[],
  options: PlanOptions,
  catalog: CatalogLookup,
  now: Date,
  storedColumns: StoredColumns = () => null,
): Promise<LoadPlan> {
  const candidates: Candidate[] = [];
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const identity = await identityByContent(file, options, catalog, now);
    candidates.push({ file, identity, date: identity.axis.sourceModified ?? '' });
  }
  const exempt = new Set<Candidate>();
  for (;;) {
    const { kept, copies } = await separateCopies(candidates, exempt);
    const plan = await planCandidates(kept, options, storedColumns);
    const notImported = new Set(plan.skipped.map(({ path }) => path));
    // A copy of a file that is not imported either is planned as a file of its own.
    const orphans = copies.filter(({ original }) => notImported.has(original.file.path));
    if (orphans.length === 0) {
      return {
        axes: plan.axes,
        skipped: [...copies.map(({ skipped }) => skipped), ...plan.skipped],
      };
    }
    for (const { copy } of orphans) exempt.add(copy);
  }
}

/**
 * Identity of a file. If its name has no title, the first line above its table is one. If its title is that of several
 * datasets, its columns choose among them.
 */
async function identityByContent(
  file: InputFile,
  options: PlanOptions,
  catalog: CatalogLookup,
  now: Date,
): Promise<Identity> {
  const identity = identityOf(file, options, catalog, now);
  if (identity.candidates === undefined && identity.isUntitled !== true) return identity;
  options.signal?.throwIfAborted();
  try {
    const { columns, titleLines } = await readTableHead(file.path, openOptionsOf(options));
    const title = identity.isUntitled === true ? titleOfLines(titleLines) : null;
    if (title !== null) return identityOf({ ...file, title }, options, catalog, now);
    const entry = entryWithColumns(identity.candidates ?? noMatches, columns);
    if (entry === null) return identity;
    return identityOf({ ...file, portalId: entry.portalId }, options, catalog, now);
  } catch (error) {
    // Importing the file reports the reason.
    if (error instanceof FileRefused) return identity;
    throw error;
  }
}

/** The first line that may be a title: words, and no unit, fact or sentence. */
function titleOfLines(lines: readonly string[]): string | null {
  const title = lines.find(
    (line) => titleLine.test(line) && !/[:：]|단위|니다|[.。!?]$/u.test(line),
  );
  return title?.replace(/^[<[【「]\s*|\s*[>\]】」]$/gu, '') ?? null;
}

const titleLine = /^(?=.*[\p{L}]{2}).{3,60}$/u;

function openOptionsOf({ sheet }: PlanOptions): OpenOptions {
  return sheet === undefined ? {} : { sheet };
}

async function planCandidates(
  candidates: readonly Candidate[],
  options: PlanOptions,
  storedColumns: StoredColumns,
): Promise<LoadPlan> {
  const axes: PlannedAxis[] = [];
  const skipped: SkippedFile[] = [];
  const codes = new CodeTable(storedColumns);
  for (const group of Map.groupBy(candidates, ({ identity }) => identity.axis.code).values()) {
    if (group.length === 1) {
      const { identity, file } = group[0]!;
      axes.push({ identity: codes.take(identity), files: [file], columns: null });
      continue;
    }
    const { tables, skipped: others } = await tablesOf(group, options);
    skipped.push(...others);
    codes.add(tables);
  }
  for (const { identity, table } of codes.assign()) {
    const parts = table.files.map(({ file }) => file);
    const inherited = table.files.flatMap(({ file, head }) =>
      head.firstHeader === null ? [] : [[file.path, head.firstHeader] as const],
    );
    axes.push({
      identity,
      files: parts,
      columns: parts.length === 1 ? null : table.columns,
      ...(inherited.length === 0 ? {} : { firstHeaders: new Map(inherited) }),
    });
  }
  return { axes, skipped };
}

interface PlanOptions extends IdentityOptions {
  readonly sheet?: string;
  readonly signal?: AbortSignal;
}

/** True for the codes of files whose data is imported from another file. */
export function isDuplicate(code: string): boolean {
  return code === 'superseded' || code === 'copy' || code === 'other_format';
}

/** The tables among files with the same code. A file that cannot be opened is skipped. */
async function tablesOf(
  candidates: readonly Candidate[],
  options: PlanOptions,
): Promise<{ tables: FileTable[]; skipped: SkippedFile[] }> {
  const openOptions = openOptionsOf(options);
  const series: Series[] = [];
  const skipped: SkippedFile[] = [];
  const inOrder = candidates.toSorted(
    (a, b) => placeAmongParts(a.file.path) - placeAmongParts(b.file.path),
  );
  const firstHeaders = new FirstHeaders(candidates, openOptions);
  for (const candidate of inOrder) {
    options.signal?.throwIfAborted();
    try {
      const key = seriesKey(candidate);
      const own = await readTableHead(candidate.file.path, openOptions);
      const similar = series.find(
        (one) => one.key === key && hasSimilarColumns(one.files[0]!.head.columns, own.columns),
      );
      const { head, same } = await firstHeaders.compare(candidate, series, { head: own, similar });
      if (same === undefined) series.push({ key, files: [{ ...candidate, head }] });
      else same.files.push({ ...candidate, head });
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      skipped.push(refusedFile(candidate.file, failureOf(error)));
    }
  }
  const tables: FileTable[] = [];
  for (const { files } of series) {
    options.signal?.throwIfAborted();
    const versions = await chooseVersions(files, openOptions);
    tables.push(...versions.tables);
    skipped.push(...versions.skipped);
  }
  return { tables, skipped };
}

/** Files with one title and similar columns. */
interface Series {
  readonly key: string;
  readonly files: HeadedCandidate[];
}

/** Headers of the first parts that files may continue by their names, each read once. */
class FirstHeaders {
  readonly #options: OpenOptions;
  readonly #firstOf: (candidate: Candidate) => Candidate | null;
  readonly #headers = new Map<Candidate, PartHeader | null>();

  constructor(candidates: readonly Candidate[], options: OpenOptions) {
    this.#options = options;
    this.#firstOf = firstParts(candidates, ({ file }) => file.path);
  }

  /** Reads the columns of a file again with the header of the first part that it may continue; returns the file's series. */
  async compare(
    candidate: Candidate,
    series: readonly Series[],
    { head, similar }: { readonly head: TableHead; readonly similar: Series | undefined },
  ): Promise<{ head: TableHead; same: Series | undefined }> {
    const withoutChange = { head, same: similar };
    const first = this.#firstOf(candidate);
    const seriesOfFirst = series.find(({ files }) =>
      files.some(({ file }) => file === first?.file),
    );
    if (first === null || seriesOfFirst === undefined || seriesOfFirst === similar)
      return withoutChange;
    const firstHeader = await this.#headerOf(first);
    if (firstHeader === null) return withoutChange;
    const options = { ...this.#options, firstHeader };
    const compared = await readTableHead(candidate.file.path, options);
    return { head: compared, same: compared.isContinued ? seriesOfFirst : similar };
  }

  async #headerOf(first: Candidate): Promise<PartHeader | null> {
    const cached = this.#headers.get(first);
    if (cached !== undefined) return cached;
    const { path } = first.file;
    const tables = openTables(path, this.#options, () => {});
    const header = await readPartHeader(basename(path), tables);
    this.#headers.set(first, header);
    return header;
  }
}

/**
 * A key that is equal for files which may be versions of one dataset. A file without a title of its own has a key of its
 * own, because such files may be of different days.
 */
function seriesKey({ file, identity }: Candidate): string {
  const { title, titleSource } = datasetOfFileName(file.path);
  if (titleSource !== 'name') return JSON.stringify([resolve(file.path)]);
  const isUnique = !identity.isProvisional || isPortalTitle(title);
  return JSON.stringify([title, isUnique ? '' : dirname(resolve(file.path))]);
}
