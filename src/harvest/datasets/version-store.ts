import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Origin } from '../../data/axis.ts';
import { replaceFile, syncFolder } from '../../data/snapshot/durable.ts';
import type { GateFinding } from '../runs/gates.ts';
import { datasetLimits } from './limits.ts';

/** A version of a dataset's file, stored as received. */
export interface StoredVersion {
  /** Name in commands, a day and a hash: `20260831-1f3a9c2b`. */
  readonly key: string;
  readonly number: string;
  readonly title: string;
  /** ISO 8601 date of the data, from the title; null without one. */
  readonly date: string | null;
  readonly detailKey: string;
  readonly attachment: string;
  readonly serial: string;
  readonly extension: string;
  /** Number of rows that the portal states; null if it states none. */
  readonly rows: number | null;
  readonly provider: string | null;
  readonly cycle: string | null;
  readonly license: string | null;
  readonly origin: Origin;
  /** ISO 8601 date-time. */
  readonly takenAt: string;
  /** The run that downloaded it; null for an earlier version. */
  readonly run: number | null;
  /** Path in the version's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Number of successive downloads with equal bytes. */
  readonly looks: number;
  /** Result of reading the file; absent until it is read. */
  readonly reading?: VersionReading;
}

interface VersionReading {
  /** SHA-256 of the main table's records, in hex. */
  readonly records: string;
  /** The same for the file's other tables, by code; absent if an earlier release read the file, without these tables. */
  readonly besides?: Readonly<Record<string, string>>;
  /** Findings about the file. */
  readonly findings: readonly GateFinding[];
}

/**
 * The versions of one dataset under a data folder: `versions/file_<number>/<key>/`, each with its file and
 * an `about.json` that is written last. A folder without it counts as absent.
 */
export class VersionStore {
  readonly #folder: string;

  constructor(data: string, number: string) {
    this.#folder = join(data, 'versions', `file_${number}`);
  }

  /** The stored versions, newest first. */
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

  /** Path to which a version is downloaded before `put`. */
  partialPath(key: string): string {
    mkdirSync(join(this.#folder, key), { recursive: true });
    return join(this.#folder, key, 'part');
  }

  /** Stores the bytes at `partialPath`, durably, in place of the version's previous ones. */
  put(about: Omit<StoredVersion, 'file'>, name: string): StoredVersion {
    const folder = join(this.#folder, about.key);
    // Each content has its own folder, so the previous content is valid until about.json is replaced.
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

  storeReading(version: StoredVersion, reading: VersionReading): void {
    const path = join(this.#folder, version.key, aboutName);
    replaceFile(path, `${JSON.stringify({ ...version, reading }, null, 1)}\n`);
  }

  /** Removes unfinished versions and those past `versionsKept`. */
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

/** Key of a version: equal for the same attachment, different after each replacement. */
export function versionKey(date: string | null, detailKey: string, attachment: string): string {
  const digest = createHash('sha256').update(`${detailKey}\n${attachment}`).digest('hex');
  return `${date?.replaceAll('-', '') ?? 'undated'}-${digest.slice(0, 8)}`;
}

const aboutName = 'about.json';

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
