import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isObject } from '../../kernel/json-object.ts';
import { refusalOfFileError } from '../files/steady-file.ts';

/** Facts of a manifest about a file; null if absent. */
export interface ManifestFacts {
  readonly title: string | null;
  readonly portalId: string | null;
  readonly license: string | null;
}

export const manifestName = 'MANIFEST.json';

/**
 * Reads each manifest once: `{"files":[{"file","title","portal_number","licence_data"}]}`. An invalid manifest is an
 * error. A manifest without the member `files` belongs to another program and is ignored.
 */
export class Manifests {
  readonly #byFolder = new Map<string, Map<string, ManifestFacts>>();

  factsOf(path: string): ManifestFacts {
    let folder = dirname(resolve(path));
    for (let level = 0; level <= levelsAboveMax; level++) {
      const facts = this.#manifest(folder).get(relative(folder, resolve(path)).normalize('NFC'));
      if (facts !== undefined) return facts;
      folder = dirname(folder);
    }
    return { title: null, portalId: null, license: null };
  }

  #manifest(folder: string): Map<string, ManifestFacts> {
    let manifest = this.#byFolder.get(folder);
    if (manifest === undefined) {
      manifest = readManifestFile(join(folder, manifestName));
      this.#byFolder.set(folder, manifest);
    }
    return manifest;
  }
}

const levelsAboveMax = 2;
const manifestBytesMax = 16 * 1024 ** 2;

function readManifestFile(path: string): Map<string, ManifestFacts> {
  const factsByFile = new Map<string, ManifestFacts>();
  const manifest = parseManifest(path);
  const entries = isObject(manifest) ? manifest['files'] : undefined;
  if (entries === undefined) return factsByFile;
  if (!Array.isArray(entries)) throw invalidManifest(path, '"files" is not a list');
  for (const [index, entry] of (entries as unknown[]).entries()) {
    if (!isObject(entry))
      throw invalidManifest(path, `entry ${index + 1} of "files" is not an object`);
    const { file } = entry;
    if (typeof file !== 'string')
      throw invalidManifest(path, `entry ${index + 1} of "files" has no text "file"`);
    const number = String(entry['portal_number']);
    factsByFile.set(file.normalize('NFC'), {
      title: textOf(entry['title']),
      portalId: /^\d{1,12}$/.test(number) ? number : null,
      license: textOf(entry['licence_data']),
    });
  }
  return factsByFile;
}

function parseManifest(path: string): unknown {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true) return null;
  if (facts.size > manifestBytesMax)
    throw invalidManifest(path, `it is larger than ${manifestBytesMax} bytes`);
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refusalOfFileError(path, error);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw invalidManifest(path, error instanceof Error ? error.message : String(error), error);
  }
}

function invalidManifest(path: string, reason: string, cause?: unknown): Error {
  const remedy = 'Correct it or move it elsewhere, and load again.';
  return new Error(`${path} cannot be used: ${reason}. ${remedy}`, { cause });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
