import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import iconv from 'iconv-lite';
import type { BilingualText } from '../../contract/language.ts';
import { pathOnDisk } from '../files/path-on-disk.ts';
import { FileRefused } from '../files/refused.ts';
import { steadyFile, refusalOfFileError } from '../files/steady-file.ts';
import { failureOf } from './failure.ts';
import { Manifests, manifestName, type ManifestFacts } from './manifest.ts';
import { skipTexts } from './skip-texts.ts';

/** A data file to import, with the facts of a manifest beside it. */
export interface InputFile extends ManifestFacts {
  readonly path: string;
  readonly sizeBytes: number;
  /** True if the command line names the file itself; then it must be readable. */
  readonly isNamed: boolean;
}

/** A file that is not imported, and the reason. */
export interface SkippedFile {
  readonly path: string;
  /** Stable: a `RefusalCode`, `superseded`, `copy`, `other_format`, or `internal` for a defect of Maru. */
  readonly code: string;
  readonly message: BilingualText;
  readonly isNamed: boolean;
}

interface Inputs {
  readonly files: readonly InputFile[];
  /** Files of folders, ignored because their names do not end like those of data files. */
  readonly passedOver: readonly string[];
  /** Entries of folders that are not readable files. */
  readonly refused: readonly SkippedFile[];
}

/**
 * Finds data files: the files among the paths, and all data files below the folders. A `MANIFEST.json` in the
 * folder of a file, or up to two folders above, describes it. Links to files are followed. Links to folders are
 * not, because they may form a cycle. Throws if a path does not exist, a manifest is invalid, or no file is found.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const byPath = new Map<string, InputFile>();
  // A file can be named twice, or be in a named folder.
  const addFile = (file: InputFile): void => {
    const key = resolve(file.path);
    if (file.isNamed || !byPath.has(key)) byPath.set(key, file);
  };
  const passedOver: string[] = [];
  const refused: SkippedFile[] = [];
  const manifests = new Manifests();
  for (const path of paths) {
    if (!isFolder(path)) {
      const { sizeBytes } = steadyFile(path);
      addFile({ path, sizeBytes, isNamed: true, ...manifests.factsOf(path) });
      continue;
    }
    for (const file of filesBelow(path, refused)) {
      if (isDataName(file.path)) {
        addFile({ ...file, isNamed: false, ...manifests.factsOf(file.path) });
      } else if (basename(file.path) !== manifestName) passedOver.push(file.path);
    }
  }
  const files = [...byPath.values()];
  if (files.length === 0) {
    const reasons = refused.map(({ message }) => ` ${message.en}`).join('');
    throw new Error(
      `No data file was found in ${paths.join(', ')}: name a CSV or XLSX file.${reasons}`,
    );
  }
  if (files.length > filesMax) {
    throw new Error(
      `${files.length} files were found, but one load takes at most ${filesMax}. Load the folders one by one.`,
    );
  }
  return { files, passedOver, refused };
}

function isFolder(path: string): boolean {
  try {
    return statSync(pathOnDisk(path)).isDirectory();
  } catch (error) {
    throw refusalOfFileError(path, error);
  }
}

const filesMax = 10_000;
const dataEndings = new Set(
  (
    '.csv .tsv .txt .tab .lst .xlsx .xlsm .xlsb .xls .ods .json .geojson .ndjson .jsonl .geojsonl .geojsons .xml .gml ' +
    '.gpx .kml .kmz .dbf .parquet .zip .gz'
  ).split(' '),
);

function isDataName(path: string): boolean {
  const name = basename(path);
  // Excel writes a file `~$…` beside each workbook that is open.
  const isHidden = name.startsWith('.') || name.startsWith('~$');
  return dataEndings.has(extname(name).toLowerCase()) && !isHidden && name !== manifestName;
}

/** Yields the files below a folder; adds every other entry to `refused`. */
function* filesBelow(
  folder: string,
  refused: SkippedFile[],
): Generator<{ readonly path: string; readonly sizeBytes: number }> {
  for (const entry of sortedEntries(folder, refused)) {
    const isText = isUtf8(entry.name);
    const name = isText ? entry.name.toString() : iconv.decode(entry.name, 'cp949');
    const path = join(folder, name);
    if (!isText && !opensSameFile(path, entry.name)) {
      refused.push(
        skippedEntry(path, new FileRefused('unreadable', skipTexts.nameUnreadable(path))),
      );
      continue;
    }
    if (entry.isDirectory()) {
      yield* filesBelow(path, refused);
      continue;
    }
    try {
      yield { path, sizeBytes: steadyFile(path).sizeBytes };
    } catch (error) {
      refused.push(skippedEntry(path, error));
    }
  }
}

function sortedEntries(folder: string, refused: SkippedFile[]): Dirent<Buffer>[] {
  try {
    const entries = readdirSync(pathOnDisk(folder), { withFileTypes: true, encoding: 'buffer' });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    refused.push(skippedEntry(folder, refusalOfFileError(folder, error)));
    return [];
  }
}

/** A file that is not imported because it was refused, or because its import failed. */
export function refusedFile(
  { path, isNamed }: Pick<InputFile, 'path' | 'isNamed'>,
  { code, message }: { readonly code: string; readonly message: BilingualText },
): SkippedFile {
  // The entry has the path already.
  const prefix = `${path}: `;
  const ko = message.ko.startsWith(prefix) ? message.ko.slice(prefix.length) : message.ko;
  return { path, code, message: { ko, en: message.en }, isNamed };
}

/** A skipped file for a refusal; any other error is thrown. */
function skippedEntry(path: string, error: unknown): SkippedFile {
  if (!(error instanceof FileRefused)) throw error;
  return refusedFile({ path, isNamed: false }, failureOf(error));
}

/** False if another file has the decoded form of a CP949 name, so that the path opens that file. */
function opensSameFile(path: string, name: Buffer): boolean {
  const rawPath = pathOnDisk(path);
  return typeof rawPath !== 'string' && rawPath.subarray(-name.length).equals(name);
}
