import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';

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
 * The data files that paths mean: files as they are, folders with everything below them. A `MANIFEST.json`
 * beside a file, or up to two folders above it, of the form
 * `{"files":[{"file","title","portal_number","licence_data"}]}` tells what it is.
 * Throws when a path is absent or nothing is found.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const files: InputFile[] = [];
  const passedOver: string[] = [];
  const manifests = new Manifests();
  for (const path of paths) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) throw new Error(`There is no file or folder ${path}.`);
    if (!facts.isDirectory()) {
      files.push({ path, isNamed: true, ...manifests.factsOf(path) });
      continue;
    }
    for (const file of filesBelow(path)) {
      if (isDataName(file)) files.push({ path: file, isNamed: false, ...manifests.factsOf(file) });
      else if (basename(file) !== manifestName) passedOver.push(file);
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
const dataEndings = new Set(
  '.csv .tsv .txt .tab .xlsx .xlsm .xls .json .geojson .ndjson .jsonl .xml .zip .gz'.split(' '),
);

function isDataName(path: string): boolean {
  const name = basename(path);
  return (
    dataEndings.has(extname(name).toLowerCase()) && !name.startsWith('.') && name !== manifestName
  );
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

/** The manifests met, each read once. */
class Manifests {
  readonly #byFolder = new Map<string, Map<string, KnownFacts>>();

  factsOf(path: string): KnownFacts {
    let folder = dirname(resolve(path));
    for (let level = 0; level <= levelsAboveMax; level++) {
      const known = this.#manifest(folder).get(relative(folder, resolve(path)).normalize('NFC'));
      if (known !== undefined) return known;
      folder = dirname(folder);
    }
    return { title: null, portalId: null, license: null };
  }

  #manifest(folder: string): Map<string, KnownFacts> {
    let manifest = this.#byFolder.get(folder);
    if (manifest === undefined) {
      manifest = readManifestFile(join(folder, manifestName));
      this.#byFolder.set(folder, manifest);
    }
    return manifest;
  }
}

const levelsAboveMax = 2;

function readManifestFile(path: string): Map<string, KnownFacts> {
  const found = new Map<string, KnownFacts>();
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return found;
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const entries = (manifest as { files?: unknown } | null)?.files;
  if (!Array.isArray(entries)) return found;
  for (const entry of entries as Record<string, unknown>[]) {
    const { file } = entry;
    if (typeof file !== 'string') continue;
    const number = String(entry['portal_number']);
    found.set(file.normalize('NFC'), {
      title: textOf(entry['title']),
      portalId: /^\d{1,12}$/.test(number) ? number : null,
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
