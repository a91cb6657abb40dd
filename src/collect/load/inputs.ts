import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, extname, join } from 'node:path';
import iconv from 'iconv-lite';
import { kindOf, steadyFile, unreadable } from '../files/steady-file.ts';
import { Manifests, manifestName, type KnownFacts } from './manifest.ts';

/** A data file that a person asked to hold, with what a manifest beside it says. */
export interface InputFile extends KnownFacts {
  readonly path: string;
  /** Named on the command line, and not found in a folder: it must be readable. */
  readonly isNamed: boolean;
}

/** A file that is not held, and why. */
export interface NotHeld {
  readonly path: string;
  /** Stable: a `RefusalCode`, `superseded`, `copy`, or `internal` when it is our fault. */
  readonly code: string;
  readonly message: string;
  readonly isNamed: boolean;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  /** Files in folders that are no data, by their ending. */
  readonly passedOver: readonly string[];
  /** What lies in folders and cannot be reached as a file. */
  readonly refused: readonly NotHeld[];
}

/**
 * The data files that paths mean: files as they are, folders with everything below them. A `MANIFEST.json`
 * beside a file, or up to two folders above it, tells what it is. Links to files are followed, links to
 * folders are not: they may lead in a circle.
 * Throws when a path is absent or no file, a manifest is broken, or nothing is found.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const files: InputFile[] = [];
  const passedOver: string[] = [];
  const refused: NotHeld[] = [];
  const manifests = new Manifests();
  for (const path of paths) {
    if (!isFolder(path)) {
      steadyFile(path);
      files.push({ path, isNamed: true, ...manifests.factsOf(path) });
      continue;
    }
    for (const file of filesBelow(path, refused)) {
      if (isDataName(file)) files.push({ path: file, isNamed: false, ...manifests.factsOf(file) });
      else if (basename(file) !== manifestName) passedOver.push(file);
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
    return statSync(path).isDirectory();
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

/** The files below a folder; what can be none of them goes to `refused`. */
function* filesBelow(folder: string, refused: NotHeld[]): Generator<string> {
  const refuse = (path: string, error: unknown): void => {
    const known = unreadable(path, error);
    // Anything else is a fault of ours.
    if (!(known instanceof Error) || !('code' in known)) throw known;
    refused.push({ path, code: String(known.code), message: known.message, isNamed: false });
  };
  let entries: Dirent<Buffer>[];
  try {
    entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    refuse(folder, error);
    return;
  }
  for (const entry of entries.sort((a, b) => Buffer.compare(a.name, b.name))) {
    if (!isUtf8(entry.name)) {
      const path = join(folder, iconv.decode(entry.name, 'cp949'));
      refused.push({ path, code: 'unreadable', message: namedInCp949(path), isNamed: false });
      continue;
    }
    const path = join(folder, entry.name.toString());
    if (entry.isDirectory()) yield* filesBelow(path, refused);
    else if (entry.isFile()) yield path;
    else {
      try {
        const facts = statSync(path, { bigint: true });
        if (facts.isFile()) yield path;
        else {
          const link = entry.isSymbolicLink() ? 'a link to ' : '';
          const message = `${path} is ${link}${kindOf(facts)}, not a file.`;
          refused.push({ path, code: 'not_a_file', message, isNamed: false });
        }
      } catch (error) {
        refuse(path, error);
      }
    }
  }
}

/** Windows and old archives leave such names; a path that is no text cannot be passed on. */
function namedInCp949(path: string): string {
  return `${path}: its name is in CP949, not UTF-8; rename it (convmv -f cp949 -t utf8 --notest) and load it again.`;
}
