import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Origin } from '../../data/axis.ts';
import { replaceFile, syncFolder } from '../../data/snapshot/durable.ts';
import type { Finding } from '../runs/gates.ts';
import { datasetLimits } from './limits.ts';

/** One version of a dataset's file, kept as it came. */
export interface StoredVersion {
  /** Day and a hash, as `20260831-1f3a9c2b`: the name by which a person asks for it. */
  readonly key: string;
  readonly number: string;
  readonly title: string;
  /** ISO 8601 date of the data as its title tells it; null where it does not. */
  readonly date: string | null;
  readonly detailKey: string;
  readonly attachment: string;
  readonly serial: string;
  readonly extension: string;
  /** Rows as the portal counts them; null where it does not. */
  readonly rows: number | null;
  readonly provider: string | null;
  readonly cycle: string | null;
  readonly license: string | null;
  readonly origin: Origin;
  /** ISO 8601 date-time. */
  readonly takenAt: string;
  /** The run that took it; null for one out of the history. */
  readonly run: number | null;
  /** From the version's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Downloads in a row that came to the same bytes. */
  readonly looks: number;
  /** What reading it came to; absent until it was read. */
  readonly reading?: VersionReading;
}

export interface VersionReading {
  /** SHA-256 of the records it gave, in hex. */
  readonly records: string;
  /** What was odd about the file. */
  readonly findings: readonly Finding[];
}

/**
 * The versions of one dataset under a data folder: `versions/file_<number>/<key>/`, each with its file and
 * an `about.json` that is written last. What has none is unfinished and counts as absent.
 */
export class VersionShelf {
  readonly #folder: string;

  constructor(data: string, number: string) {
    this.#folder = join(data, 'versions', `file_${number}`);
  }

  /** The newest first. */
  versions(): StoredVersion[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((key) => this.#read(key) ?? [])
      .sort((a, b) => compare(b.date ?? '', a.date ?? '') || compare(b.takenAt, a.takenAt));
  }

  find(key: string): StoredVersion | null {
    return /^[\w-]{1,64}$/.test(key) ? this.#read(key) : null;
  }

  pathOf({ key, file }: Pick<StoredVersion, 'key' | 'file'>): string {
    return join(this.#folder, key, file);
  }

  /** Where the bytes of a version go until `put` takes them in. */
  partOf(key: string): string {
    mkdirSync(join(this.#folder, key), { recursive: true });
    return join(this.#folder, key, 'part');
  }

  /** Takes in what was written, durably, in place of what the version had before. */
  put(about: Omit<StoredVersion, 'file'>, name: string): StoredVersion {
    const folder = join(this.#folder, about.key);
    // Other bytes get another folder: until about.json is replaced the old ones count.
    const inner = about.sha256.slice(0, 12);
    mkdirSync(join(folder, inner), { recursive: true });
    const file = `${inner}/${basename(name)}`;
    renameSync(join(folder, 'part'), join(folder, file));
    syncFolder(join(folder, inner));
    for (const each of [folder, this.#folder, join(this.#folder, '..')]) syncFolder(each);
    const stored = { ...about, file };
    replaceFile(join(folder, aboutName), `${JSON.stringify(stored, null, 1)}\n`);
    for (const other of readdirSync(folder)) {
      if (other !== inner && other !== aboutName) rmSync(join(folder, other), { recursive: true });
    }
    return stored;
  }

  /** Notes what reading a version came to. */
  note(version: StoredVersion, reading: VersionReading): void {
    const path = join(this.#folder, version.key, aboutName);
    replaceFile(path, `${JSON.stringify({ ...version, reading }, null, 1)}\n`);
  }

  /** Removes what is unfinished and what is past `versionsKept`. */
  tidy(): void {
    if (!existsSync(this.#folder)) return;
    const kept = new Set(
      this.versions()
        .slice(0, datasetLimits.versionsKept)
        .map(({ key }) => key),
    );
    for (const key of readdirSync(this.#folder)) {
      if (!kept.has(key)) rmSync(join(this.#folder, key), { recursive: true });
    }
  }

  #read(key: string): StoredVersion | null {
    const path = join(this.#folder, key, aboutName);
    // Written by `put` only.
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StoredVersion) : null;
  }
}

/** The key of a version: the same for the same attachment, another after each replacement. */
export function versionKey(date: string | null, detailKey: string, attachment: string): string {
  const digest = createHash('sha256').update(`${detailKey}\n${attachment}`).digest('hex');
  return `${date?.replaceAll('-', '') ?? 'undated'}-${digest.slice(0, 8)}`;
}

const aboutName = 'about.json';

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
