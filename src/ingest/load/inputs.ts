import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, extname, join } from 'node:path';
import iconv from 'iconv-lite';
import { pathOnDisk } from '../files/path-on-disk.ts';
import { FileRefused } from '../files/refused.ts';
import { steadyFile, unreadable } from '../files/steady-file.ts';
import { Manifests, manifestName, type ManifestFacts } from './manifest.ts';

/** A data file to import, with the facts of a manifest beside it. */
export interface InputFile extends ManifestFacts {
  readonly path: string;
  readonly sizeBytes: number;
  /** True if the command line names it, so that it must be readable. */
  readonly isNamed: boolean;
}

/** A file that is not imported, and the reason. */
export interface SkippedFile {
  readonly path: string;
  /** Stable: a `RefusalCode`, `superseded`, `copy`, or `internal` for a defect of Maru. */
  readonly code: string;
  readonly message: string;
  readonly isNamed: boolean;
}

interface Inputs {
  readonly files: readonly InputFile[];
  /** Files in folders whose ending is no data format. */
  readonly passedOver: readonly string[];
  /** Entries of folders that cannot be reached as files. */
  readonly refused: readonly SkippedFile[];
}

/**
 * Finds the data files of paths: files, and everything below folders. A `MANIFEST.json` beside a file, or up to
 * two folders above it, describes it. Links to files are followed. Links to folders are not, because they may
 * form a circle. Throws if a path is absent or no file, a manifest is broken, or nothing is found.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const files: InputFile[] = [];
  const passedOver: string[] = [];
  const refused: SkippedFile[] = [];
  const manifests = new Manifests();
  for (const path of paths) {
    if (!isFolder(path)) {
      const { sizeBytes } = steadyFile(path);
      files.push({ path, sizeBytes, isNamed: true, ...manifests.factsOf(path) });
      continue;
    }
    for (const file of filesBelow(path, refused)) {
      if (isDataName(file.path)) {
        files.push({ ...file, isNamed: false, ...manifests.factsOf(file.path) });
      } else if (basename(file.path) !== manifestName) passedOver.push(file.path);
    }
  }
  if (files.length === 0) {
    const why = refused.map(({ message }) => ` ${message}`).join('');
    throw new Error(`No data file was found in ${paths.join(', ')}.${why}`);
  }
  if (files.length > filesMax) {
    throw new Error(
      `${files.length} files are more than the ${filesMax} of one run. Load them by folder.`,
    );
  }
  return { files, passedOver, refused };
}

function isFolder(path: string): boolean {
  try {
    return statSync(pathOnDisk(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

const filesMax = 10_000;
const dataEndings = new Set(
  '.csv .tsv .txt .tab .xlsx .xlsm .xls .ods .json .geojson .ndjson .jsonl .xml .zip .gz'.split(
    ' ',
  ),
);

function isDataName(path: string): boolean {
  const name = basename(path);
  return (
    dataEndings.has(extname(name).toLowerCase()) && !name.startsWith('.') && name !== manifestName
  );
}

/** The files below a folder; other entries are added to `refused`. */
function* filesBelow(
  folder: string,
  refused: SkippedFile[],
): Generator<{ readonly path: string; readonly sizeBytes: number }> {
  for (const entry of entriesOf(folder, refused)) {
    const isText = isUtf8(entry.name);
    const name = isText ? entry.name.toString() : iconv.decode(entry.name, 'cp949');
    const path = join(folder, name);
    if (!isText && !leadsTo(path, entry.name)) {
      refused.push(notReached(path, new FileRefused('unreadable', namedInNeither(path))));
      continue;
    }
    if (entry.isDirectory()) {
      yield* filesBelow(path, refused);
      continue;
    }
    try {
      yield { path, sizeBytes: steadyFile(path).sizeBytes };
    } catch (error) {
      refused.push(notReached(path, error));
    }
  }
}

function entriesOf(folder: string, refused: SkippedFile[]): Dirent<Buffer>[] {
  try {
    const entries = readdirSync(pathOnDisk(folder), { withFileTypes: true, encoding: 'buffer' });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    refused.push(notReached(folder, unreadable(folder, error)));
    return [];
  }
}

/** The refusal as a skipped file; any other error is thrown again. */
function notReached(path: string, error: unknown): SkippedFile {
  if (!(error instanceof FileRefused)) throw error;
  return { path, code: error.code, message: error.message, isNamed: false };
}

/** True if a path with a CP949 name can be opened by its decoded name: another file may have that name. */
function leadsTo(path: string, name: Buffer): boolean {
  const found = pathOnDisk(path);
  return typeof found !== 'string' && found.subarray(-name.length).equals(name);
}

function namedInNeither(path: string): string {
  return `${path}: its name is neither UTF-8 nor CP949, or another file has the same; rename it and load it again.`;
}
