import { linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { UnlinkedDemand } from '../demand.ts';
import { writeJson } from './axis-writer.ts';
import { syncFolder } from './durable.ts';
import {
  axisCodes,
  axisFolder,
  catalogFolder,
  dataPaths,
  fileNames,
  formatVersion,
  type Collectors,
  type FileFacts,
  type Manifest,
} from './layout.ts';
import { BuildLock } from './lock.ts';
import { OpenedSnapshot } from './opened.ts';
import {
  currentId,
  nextId,
  pointTo,
  readManifest,
  removeOldSnapshots,
  snapshotFolder,
  snapshotIds,
  unfinishedPrefix,
} from './snapshots.ts';
import { verifyFolder } from './verify.ts';

/**
 * Builds the next snapshot beside the ones being served and publishes it in one step.
 *
 * What is not put anew or dropped is taken over from the current snapshot by hard links. Until the pointer
 * is replaced nothing that a server reads has changed; a crash leaves a folder that the next build removes.
 */
export class SnapshotBuilder implements Disposable {
  readonly #data: string;
  readonly #lock: BuildLock;
  readonly #stage: string;
  readonly #previous: Manifest | null;
  readonly #files = new Map<string, FileFacts>();
  /** Folders and files that are not taken over from the previous snapshot. */
  readonly #replaced = new Set<string>();
  #collectors: Collectors | undefined;

  constructor(data: string) {
    this.#data = data;
    this.#lock = new BuildLock(data);
    try {
      const { snapshots } = dataPaths(data);
      for (const name of readdirSync(snapshots)) {
        if (name.startsWith(unfinishedPrefix)) rmSync(join(snapshots, name), { recursive: true });
      }
      this.#previous = manifestToFollow(data);
      this.#collectors = this.#previous?.collectors;
      this.#stage = mkdtempSync(join(snapshots, unfinishedPrefix));
    } catch (error) {
      this.#lock[Symbol.dispose]();
      throw error;
    }
  }

  /** Codes of the axes in the snapshot this one follows. */
  get previousAxes(): string[] {
    return this.#previous === null ? [] : axisCodes(this.#previous);
  }

  /** Codes of the axes put so far. */
  get stagedAxes(): string[] {
    return [...this.#replaced].flatMap((path) => (path.startsWith('axes/') ? [path.slice(5)] : []));
  }

  get previousId(): string | null {
    return this.#previous?.id ?? null;
  }

  /** An empty folder in which the axis is to be written; `putAxis` takes it in. */
  stageAxis(code: string): string {
    return this.#folder(axisFolder(code));
  }

  putAxis(code: string, files: Readonly<Record<string, FileFacts>>): void {
    this.#put(axisFolder(code), files);
  }

  dropAxis(code: string): void {
    this.#replaced.add(axisFolder(code));
  }

  stageCatalog(): string {
    return this.#folder(catalogFolder);
  }

  putCatalog(files: Readonly<Record<string, FileFacts>>): void {
    this.#put(catalogFolder, files);
  }

  putDemand(demand: UnlinkedDemand): void {
    this.#replaced.add(fileNames.demand);
    rmSync(join(this.#stage, fileNames.demand), { force: true });
    this.#files.set(fileNames.demand, writeJson(join(this.#stage, fileNames.demand), demand));
  }

  /** True if the snapshot will have a ranking of demand. */
  get hasDemand(): boolean {
    return this.#files.has(fileNames.demand) || fileNames.demand in (this.#previous?.files ?? {});
  }

  /** Stores the outcome of the collections; without it the previous snapshot's is taken over. */
  putCollectors(collectors: Collectors): void {
    this.#collectors = collectors;
  }

  /**
   * Takes the records and the index of an axis over from the current snapshot into its folder, all but
   * `axis.json`, which is to be written anew; `putAxis` takes in what this returns with it.
   */
  restageAxis(code: string): { folder: string; files: Record<string, FileFacts> } {
    const folder = this.stageAxis(code);
    const files: Record<string, FileFacts> = {};
    for (const [path, facts] of Object.entries(this.#previous?.files ?? {})) {
      const name = path.slice(axisFolder(code).length + 1);
      if (dirname(path) !== axisFolder(code) || name === fileNames.axis) continue;
      linkSync(join(snapshotFolder(this.#data, this.#previous!.id), path), join(folder, name));
      files[name] = facts;
    }
    return { folder, files };
  }

  /** Opens the snapshot as it would be published now, to compute what depends on the whole. */
  preview(): OpenedSnapshot {
    this.#takeOver();
    return new OpenedSnapshot(this.#stage, this.#manifest('', new Date()));
  }

  /** Checks the new snapshot, gives it its name and points to it. Returns its id. */
  publish(reason: string, now: Date = new Date()): string {
    this.#takeOver();
    const manifest = this.#manifest(reason, now);
    this.#removeStrays();
    writeJson(join(this.#stage, fileNames.manifest), manifest);
    verifyFolder(this.#stage, manifest, { hashes: false });
    for (const folder of this.#folders()) syncFolder(folder);
    renameSync(this.#stage, snapshotFolder(this.#data, manifest.id));
    syncFolder(dataPaths(this.#data).snapshots);
    pointTo(this.#data, manifest.id);
    removeOldSnapshots(this.#data);
    return manifest.id;
  }

  /** Gives up what was not published and lets the next build begin. */
  [Symbol.dispose](): void {
    rmSync(this.#stage, { recursive: true, force: true });
    this.#lock[Symbol.dispose]();
  }

  #folder(name: string): string {
    const folder = join(this.#stage, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #put(folder: string, files: Readonly<Record<string, FileFacts>>): void {
    this.#replaced.add(folder);
    for (const [name, facts] of Object.entries(files)) this.#files.set(`${folder}/${name}`, facts);
  }

  #manifest(reason: string, now: Date): Manifest {
    return {
      formatVersion,
      id: nextId(this.#data, now),
      builtAt: now.toISOString(),
      previous: this.#previous?.id ?? null,
      reason,
      ...(this.#collectors === undefined ? {} : { collectors: this.#collectors }),
      files: Object.fromEntries([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  #takeOver(): void {
    if (this.#previous === null) return;
    const from = snapshotFolder(this.#data, this.#previous.id);
    for (const [path, facts] of Object.entries(this.#previous.files)) {
      if (this.#files.has(path)) continue;
      if (this.#replaced.has(path) || this.#replaced.has(dirname(path))) continue;
      mkdirSync(join(this.#stage, dirname(path)), { recursive: true });
      linkSync(join(from, path), join(this.#stage, path));
      this.#files.set(path, facts);
    }
  }

  /** Files that a failed axis left behind are not part of the snapshot. */
  #removeStrays(): void {
    const kept = new Set([...this.#files.keys()].flatMap((path) => [path, ...foldersOf(path)]));
    for (const entry of readdirSync(this.#stage, { recursive: true, encoding: 'utf8' })) {
      if (!kept.has(entry.split(sep).join('/'))) {
        rmSync(join(this.#stage, entry), { recursive: true, force: true });
      }
    }
  }

  #folders(): string[] {
    const folders = new Set([...this.#files.keys()].flatMap(foldersOf));
    return [this.#stage, ...[...folders].map((folder) => join(this.#stage, folder))];
  }
}

/** The folders above a file of the manifest, innermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(at);
  return folders;
}

/** The current snapshot's, or the newest there is where the pointer names one that is gone. */
function manifestToFollow(data: string): Manifest | null {
  const current = currentId(data);
  const stored = snapshotIds(data);
  const id = current !== null && stored.includes(current) ? current : (stored.at(-1) ?? null);
  return id === null ? null : readManifest(data, id);
}
