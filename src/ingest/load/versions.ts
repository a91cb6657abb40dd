import { extname } from 'node:path';
import type { BilingualText } from '../../contract/language.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { OpenOptions } from '../files/open.ts';
import { placeAmongParts } from '../files/part-header.ts';
import type { Candidate } from './copies.ts';
import type { SkippedFile } from './inputs.ts';
import { nameBeside, skipTexts } from './skip-texts.ts';
import {
  readTableContent,
  type FileToRead,
  type TableContent,
  type TableHead,
} from './table-facts.ts';

/** A file to import with the columns of its first table. */
export interface HeadedCandidate extends Candidate {
  readonly head: TableHead;
}

/** Files that together are one table, sorted by their part numbers. */
export interface FileTable {
  readonly files: readonly HeadedCandidate[];
  /** Columns of all files together. */
  readonly columns: readonly string[];
}

interface Versions {
  readonly tables: readonly FileTable[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Chooses among files with the same title and similar columns.
 *
 * - A file is superseded if another has a later date. A file without a date is never older or newer.
 * - Of one date, formats with mostly the same values are one table: the least damaged is imported, then the longest.
 * - Files of one date and format are parts if they have different part numbers and the same columns.
 * - All other files are tables of their own.
 */
export async function chooseVersions(
  files: readonly HeadedCandidate[],
  options: OpenOptions,
): Promise<Versions> {
  const { newest, superseded } = separateOlder(files);
  const tables: FileTable[] = [];
  const skipped = [...superseded];
  for (const ofDate of Map.groupBy(newest, dateOf).values()) {
    const { chosen, others } = await chooseFormats(ofDate, options);
    skipped.push(...others);
    for (const ofFormat of chosen) {
      const { parts, rest, copies } = await separateParts(ofFormat, options);
      skipped.push(...copies);
      tables.push(...joinParts(parts), ...rest.map((file) => tableOf([file])));
    }
  }
  return { tables, skipped };
}

/** The date in a file’s name; the catalog’s date of its dataset is not the date of the file. */
function dateOf({ file }: Candidate): string {
  return datasetOfFileName(file.path).referenceDate ?? '';
}

/** Separates files with an earlier date. `2024` is neither before nor after `2024-07`. */
function separateOlder(files: readonly HeadedCandidate[]): {
  newest: HeadedCandidate[];
  superseded: SkippedFile[];
} {
  const newest: HeadedCandidate[] = [];
  const superseded: SkippedFile[] = [];
  for (const one of files) {
    const date = dateOf(one);
    const isLater = (other: Candidate): boolean =>
      date < dateOf(other) && !dateOf(other).startsWith(date);
    const later = files.filter(isLater).sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1))[0];
    if (later === undefined) newest.push(one);
    else
      superseded.push(
        skip(one, 'superseded', skipTexts.newer(nameBeside(later.file.path, one.file.path))),
      );
  }
  return { newest, superseded };
}

/**
 * Chooses the least damaged of the formats that have the same data, and of these the one with the most rows; formats with
 * other data are all chosen.
 */
async function chooseFormats(
  files: readonly HeadedCandidate[],
  options: OpenOptions,
): Promise<{ chosen: HeadedCandidate[][]; others: SkippedFile[] }> {
  const formats = [...Map.groupBy(files, ({ file }) => formatOf(file.path)).values()];
  if (formats.length === 1) return { chosen: formats, others: [] };
  const contents = await Promise.all(
    formats.map(async (group) => ({
      group,
      content: await readTableContent(group.map(fileToRead), options),
    })),
  );
  contents.sort(
    (a, b) =>
      compare(a.content.damaged, b.content.damaged) ||
      b.content.rows - a.content.rows ||
      formatRank(a.group) - formatRank(b.group),
  );
  const chosen: typeof contents = [];
  const others: SkippedFile[] = [];
  for (const each of contents) {
    const best = chosen.find(({ content }) => isSameData(content, each.content));
    if (best === undefined) {
      chosen.push(each);
      continue;
    }
    const isCopy = haveSameRows(best.content, each.content);
    for (const one of each.group) {
      const name = nameBeside(best.group[0]!.file.path, one.file.path);
      const message = isCopy
        ? skipTexts.sameRows(name)
        : skipTexts.otherFormat(name, best.content.rows, each.content.rows);
      others.push(skip(one, isCopy ? 'copy' : 'other_format', message));
    }
  }
  return { chosen: chosen.map(({ group }) => group), others };
}

/** True if two readings have the same rows, or most values of the smaller in common; a refused file has none. */
function isSameData(one: TableContent, other: TableContent): boolean {
  return haveSameRows(one, other) || one.values.shareIn(other.values) >= sameDataShare;
}

function haveSameRows(one: TableContent, other: TableContent): boolean {
  return one.digest !== null && one.digest === other.digest;
}

const sameDataShare = 0.5;

/**
 * Separates one file for each part number. A file without a part number is part 1: `현황.csv`, `현황_2.csv`. Another
 * file with the number is a copy if it has the same rows.
 */
async function separateParts(
  files: readonly HeadedCandidate[],
  options: OpenOptions,
): Promise<{ parts: HeadedCandidate[]; rest: HeadedCandidate[]; copies: SkippedFile[] }> {
  const parts: HeadedCandidate[] = [];
  const rest: HeadedCandidate[] = [];
  const copies: SkippedFile[] = [];
  const byNumber = Map.groupBy(files, partOf);
  for (const number of [...byNumber.keys()].sort((a, b) => a - b)) {
    const imported: { one: HeadedCandidate; digest: string | null }[] = [];
    const same = byNumber.get(number)!;
    for (const one of same) {
      const digest =
        same.length === 1 ? null : (await readTableContent([fileToRead(one)], options)).digest;
      const original = imported.find((other) => digest !== null && other.digest === digest);
      if (original === undefined) {
        imported.push({ one, digest });
        continue;
      }
      const name = nameBeside(original.one.file.path, one.file.path);
      copies.push(skip(one, 'copy', skipTexts.sameRows(name)));
    }
    parts.push(imported[0]!.one);
    rest.push(...imported.slice(1).map(({ one }) => one));
  }
  return { parts, rest, copies };
}

function fileToRead({ file, head }: HeadedCandidate): FileToRead {
  return { path: file.path, firstHeader: head.firstHeader ?? undefined };
}

/** Part number of a file. The number in brackets of a copy, as in `현황 (2).csv`, counts only for a file without a header. */
function partOf({ file, head }: HeadedCandidate): number {
  if (head.isContinued) return placeAmongParts(file.path);
  return datasetOfFileName(file.path).part ?? 1;
}

/** Joins parts with the same columns in any order. Records that carry their names may lack some of them. */
function joinParts(parts: readonly HeadedCandidate[]): FileTable[] {
  const tables: HeadedCandidate[][] = [];
  for (const part of parts) {
    const table = tables.find(([first]) => mayJoin(first!.head, part.head));
    if (table === undefined) tables.push([part]);
    else table.push(part);
  }
  return tables.map(tableOf);
}

function mayJoin(one: TableHead, other: TableHead): boolean {
  if (one.hasNamedValues && other.hasNamedValues) return true;
  return (
    one.columns.length === other.columns.length &&
    other.columns.every((name) => one.columns.includes(name))
  );
}

function tableOf(files: readonly HeadedCandidate[]): FileTable {
  return { files, columns: [...new Set(files.flatMap(({ head }) => head.columns))] };
}

function skip({ file }: Candidate, code: string, message: BilingualText): SkippedFile {
  return { path: file.path, code, message, isNamed: false };
}

function compare(a: number, b: number): number {
  // The difference of two infinities is NaN.
  return a === b ? 0 : a - b;
}

function formatOf(path: string): string {
  return extname(path.replace(/\.(gz|zip)$/i, '')).toLowerCase();
}

/** Preference among formats without damage: a workbook has types and no quoting, XML needs most repairs. */
function formatRank([first]: readonly Candidate[]): number {
  const rank = formats.indexOf(formatOf(first!.file.path));
  return rank < 0 ? formats.length : rank;
}

const formats = ['.xlsx', '.xls', '.ods', '.csv', '.tsv', '.txt', '.json', '.xml'];
