import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';

/** A data file that a person asked to hold, with what a manifest beside it says. */
export interface InputFile {
  readonly path: string;
  /** Named on the command line, and not found in a folder: it must be readable. */
  readonly isNamed: boolean;
  readonly title: string | null;
  readonly portalId: string | null;
  readonly license: string | null;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  /** Files in folders that are no data, by their ending. */
  readonly passedOver: readonly string[];
}

/**
 * The data files that paths mean: files as they are, folders with everything below them. A folder's
 * `MANIFEST.json` of the form `{"files":[{"file","title","portal_number","licence_data"}]}` tells what
 * its files are. Throws when a path is absent or nothing is found.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const files: InputFile[] = [];
  const passedOver: string[] = [];
  for (const path of paths) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) throw new Error(`There is no file or folder ${path}.`);
    if (!facts.isDirectory()) {
      files.push({ path, isNamed: true, title: null, portalId: null, license: null });
      continue;
    }
    const manifest = readFolderManifest(path);
    for (const file of filesBelow(path)) {
      if (basename(file) === manifestName) continue;
      if (!isDataName(file)) {
        passedOver.push(file);
        continue;
      }
      const known = manifest.get(relative(path, file).normalize('NFC')) ?? nothingKnown;
      files.push({ path: file, isNamed: false, ...known });
    }
  }
  if (files.length === 0) throw new Error(`No data file was found in ${paths.join(', ')}.`);
  if (files.length > filesMax) {
    throw new Error(
      `${files.length} files are more than the ${filesMax} of one run. Load them by folder.`,
    );
  }
  return { files, passedOver };
}

const filesMax = 10_000;
const manifestName = 'MANIFEST.json';
const nothingKnown = { title: null, portalId: null, license: null };
const dataEndings = new Set(
  '.csv .tsv .txt .tab .xlsx .xlsm .xls .json .geojson .ndjson .jsonl .xml .zip .gz'.split(' '),
);

function isDataName(path: string): boolean {
  return dataEndings.has(extname(path).toLowerCase()) && !basename(path).startsWith('.');
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function readFolderManifest(folder: string): Map<string, typeof nothingKnown | KnownFacts> {
  const path = join(folder, manifestName);
  const found = new Map<string, KnownFacts>();
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return found;
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const entries = (manifest as { files?: unknown }).files;
  if (!Array.isArray(entries)) throw new Error(`${path} has no list "files".`);
  for (const entry of entries as Record<string, unknown>[]) {
    const { file } = entry;
    if (typeof file !== 'string') continue;
    found.set(file.normalize('NFC'), {
      title: textOf(entry['title']),
      portalId: /^\d{1,12}$/.test(String(entry['portal_number']))
        ? String(entry['portal_number'])
        : null,
      license: textOf(entry['licence_data']),
    });
  }
  return found;
}

interface KnownFacts {
  readonly title: string | null;
  readonly portalId: string | null;
  readonly license: string | null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
