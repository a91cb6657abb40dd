import { linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { UnlinkedDemand } from '../demand.ts';
import { boundaryLevels, type StoredBoundaries } from '../regions/stored-boundaries.ts';
import { syncFolder } from './durable.ts';
import { writeJson } from './json-file.ts';
import {
  axisFileNames,
  axisCodes,
  axisFolder,
  boundariesFile,
  catalogFolder,
  dataPaths,
  fileNames,
  formatOf,
  packedParquetPath,
  packPath,
  packsOf,
  type Collectors,
  type FileFacts,
  type Manifest,
} from './layout.ts';
import { AxisFiles } from './axis-files.ts';
import { BuildLock } from './lock.ts';
import { OpenedSnapshot } from './opened.ts';
import { writePack } from './pack-writer.ts';
import { choosePacks, isHalfEmpty, type LooseAxis } from './packing.ts';
import {
  currentId,
  nextId,
  pointTo,
  readManifest,
  removeOldSnapshots,
  removeUnfinished,
  snapshotFolder,
  snapshotIds,
  unfinishedPrefix,
} from './snapshots.ts';
import { unpackAxis } from './unpack-axis.ts';
import { DamagedSnapshot, verifyFolder } from './verify.ts';

/**
 * Builds the next snapshot beside the ones being served and publishes it in one step.
 *
 * Files that are neither put nor dropped are hard-linked from the previous snapshot. Servers read nothing of the new
 * snapshot before the pointer is replaced. A crash leaves a folder that the next build removes.
 */
export class SnapshotBuilder implements Disposable {
  readonly #data: string;
  readonly #lock: BuildLock;
  readonly #stage: string;
  readonly #previous: Manifest | null;
  readonly #files = new Map<string, FileFacts>();
  /** Folders and files that are not linked from the previous snapshot, because they were put or dropped. */
  readonly #replaced = new Set<string>();
  readonly #looseMax: number | undefined;
  readonly #previousFiles: AxisFiles | null;
  /** Served axes of each pack, by its path. */
  readonly #packs = new Map<string, readonly string[]>();
  #collectors: Collectors | undefined;

  /** As many small axes with folders of their own become packs. */
  constructor(data: string, { looseMax }: { readonly looseMax?: number } = {}) {
    this.#data = data;
    this.#looseMax = looseMax;
    this.#lock = new BuildLock(data);
    try {
      removeUnfinished(data);
      this.#previous = previousManifest(data);
      this.#collectors = this.#previous?.collectors;
      this.#previousFiles = this.#previous && filesOf(data, this.#previous);
      this.#stage = mkdtempSync(join(dataPaths(data).snapshots, unfinishedPrefix));
    } catch (error) {
      this.#lock[Symbol.dispose]();
      throw error;
    }
  }

  /** Codes of the axes in the previous snapshot. */
  get previousAxes(): string[] {
    return this.#previous === null ? [] : axisCodes(this.#previous);
  }

  /** Codes of the axes put or dropped so far. */
  get stagedAxes(): string[] {
    return [...this.#replaced].flatMap((path) => (path.startsWith('axes/') ? [path.slice(5)] : []));
  }

  get previousId(): string | null {
    return this.#previous?.id ?? null;
  }

  /** Creates an empty folder for an axis; `putAxis` then adds the files written into it. */
  stageAxis(code: string): string {
    return this.#createFolder(axisFolder(code));
  }

  putAxis(code: string, files: Readonly<Record<string, FileFacts>>): void {
    this.#addFiles(axisFolder(code), files);
  }

  /** Adds a file to the folder of each axis that has records but not this file. */
  addMissing(name: string, add: (folder: string) => FileFacts): void {
    for (const path of this.pathsWithout(name)) {
      this.#files.set(path, add(dirname(join(this.#stage, path))));
    }
  }

  /** Paths at which axes with records lack a file, because an earlier version did not write it. */
  pathsWithout(name: string): string[] {
    this.#linkPrevious();
    return axisCodes(this.#manifest('', new Date())).flatMap((code) => {
      const [records, path] = [fileNames.records, name].map(
        (file) => `${axisFolder(code)}/${file}`,
      );
      return this.#files.has(records!) && !this.#files.has(path!) ? [path!] : [];
    });
  }

  dropAxis(code: string): void {
    this.#replaced.add(axisFolder(code));
  }

  stageCatalog(): string {
    return this.#createFolder(catalogFolder);
  }

  putCatalog(files: Readonly<Record<string, FileFacts>>): void {
    this.#addFiles(catalogFolder, files);
  }

  putDemand(demand: UnlinkedDemand): void {
    this.#putJson(fileNames.demand, demand);
  }

  putBoundaries(boundaries: StoredBoundaries): void {
    this.#putJson(boundariesFile(boundaries.level), boundaries);
  }

  dropBoundaries(): void {
    for (const level of boundaryLevels) this.#replaced.add(boundariesFile(level));
  }

  /** True if the snapshot will have a ranking of demand. */
  get hasDemand(): boolean {
    return this.#files.has(fileNames.demand) || fileNames.demand in (this.#previous?.files ?? {});
  }

  /** Sets the outcome of the collections. Without it the snapshot has the outcome in the previous snapshot. */
  putCollectors(collectors: Collectors): void {
    this.#collectors = collectors;
  }

  /**
   * Creates a folder for an axis with all of its previous files except `axis.json`. The caller writes `axis.json` and
   * passes it to `putAxis` with the returned files.
   */
  restageAxis(code: string): { folder: string; files: Record<string, FileFacts> } {
    const folder = this.stageAxis(code);
    const files: Record<string, FileFacts> = {};
    if (this.#previousFiles?.isPacked(code)) {
      return { folder, files: unpackAxis(folder, code, this.#previousFiles) };
    }
    for (const [path, facts] of Object.entries(this.#previous?.files ?? {})) {
      const name = path.slice(axisFolder(code).length + 1);
      if (dirname(path) !== axisFolder(code) || name === fileNames.axis) continue;
      linkSync(join(snapshotFolder(this.#data, this.#previous!.id), path), join(folder, name));
      files[name] = facts;
    }
    return { folder, files };
  }

  /** Opens the snapshot as it would be published now, to compute values that depend on the whole snapshot. */
  preview(): OpenedSnapshot {
    this.#linkPrevious();
    return OpenedSnapshot.in(this.#stage, this.#manifest('', new Date()));
  }

  /** Verifies the new snapshot, renames its folder to its id and points to it. Returns the id. */
  publish(reason: string, now: Date = new Date()): string {
    this.#linkPrevious();
    this.#packSmallAxes();
    const manifest = this.#manifest(reason, now);
    this.#removeUnlistedFiles();
    writeJson(join(this.#stage, fileNames.manifest), manifest);
    this.#verify(manifest);
    for (const folder of this.#allFolders()) syncFolder(folder);
    renameSync(this.#stage, snapshotFolder(this.#data, manifest.id));
    syncFolder(dataPaths(this.#data).snapshots);
    pointTo(this.#data, manifest.id);
    removeOldSnapshots(this.#data);
    return manifest.id;
  }

  /** Removes a snapshot that was not published and releases the lock. */
  [Symbol.dispose](): void {
    rmSync(this.#stage, { recursive: true, force: true });
    this.#previousFiles?.[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }

  #verify(manifest: Manifest): void {
    try {
      const verified = this.#previous?.files ?? {};
      verifyFolder(this.#stage, manifest, { hashes: false, verified });
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      throw new Error(
        `The new snapshot is incomplete: ${error.path} ${error.damage}. Nothing was published, and the previous ` +
          'data is still served. Run the same command again.',
        { cause: error },
      );
    }
  }

  #createFolder(name: string): string {
    const folder = join(this.#stage, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #putJson(name: string, content: unknown): void {
    this.#replaced.add(name);
    rmSync(join(this.#stage, name), { force: true });
    this.#files.set(name, writeJson(join(this.#stage, name), content));
  }

  #addFiles(folder: string, files: Readonly<Record<string, FileFacts>>): void {
    this.#replaced.add(folder);
    for (const [name, facts] of Object.entries(files)) this.#files.set(`${folder}/${name}`, facts);
  }

  #manifest(reason: string, now: Date): Manifest {
    const packs = Object.fromEntries([...this.#packs].sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      formatVersion: formatOf({ packs }),
      id: nextId(this.#data, now),
      builtAt: now.toISOString(),
      previous: this.#previous?.id ?? null,
      reason,
      ...(this.#collectors === undefined ? {} : { collectors: this.#collectors }),
      ...(this.#packs.size === 0 ? {} : { packs }),
      files: Object.fromEntries([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  #linkPrevious(): void {
    if (this.#previous === null) return;
    const from = snapshotFolder(this.#data, this.#previous.id);
    this.#keepPacks(this.#previous);
    for (const [path, facts] of Object.entries(this.#previous.files)) {
      if (this.#files.has(path)) continue;
      if (this.#replaced.has(path) || this.#replaced.has(dirname(path))) continue;
      mkdirSync(join(this.#stage, dirname(path)), { recursive: true });
      linkSync(join(from, path), join(this.#stage, path));
      this.#files.set(path, facts);
    }
  }

  /** Keeps the packs of which an axis is neither put nor dropped. */
  #keepPacks(previous: Manifest): void {
    this.#packs.clear();
    for (const [path, codes] of packsOf(previous)) {
      const served = codes.filter((code) => !this.#replaced.has(axisFolder(code)));
      for (const code of codes) {
        if (this.#replaced.has(axisFolder(code))) this.#removeFile(packedParquetPath(code));
      }
      if (served.length > 0) this.#packs.set(path, served);
      else this.#removeFile(path);
    }
  }

  /** Packs small axes, if there are many, and the axes of packs that are half empty. */
  #packSmallAxes(): void {
    using staged = new AxisFiles(this.#stage, this.#manifest('', new Date()));
    const homeless = this.#axesOfHalfEmptyPacks();
    const loose = staged.codes.flatMap((code): LooseAxis[] => {
      const isHomeless = homeless.has(code);
      if (!isHomeless && staged.isPacked(code)) return [];
      const facts = axisFileNames.flatMap((name) => staged.facts(code, name) ?? []);
      const rows = (staged.facts(code, fileNames.rows)?.bytes ?? 0) / 8 - 1;
      const bytes = facts.reduce((sum, file) => sum + file.bytes, 0);
      return [{ code, rows, bytes, isHomeless }];
    });
    for (const codes of choosePacks(loose, this.#looseMax)) this.#writePack(codes, staged);
    for (const path of new Set(homeless.values())) this.#removePack(path);
  }

  /** Axes of packs that this build leaves half empty, with the path of the pack. */
  #axesOfHalfEmptyPacks(): Map<string, string> {
    const homeless = new Map<string, string>();
    for (const [path, codes] of packsOf(this.#previous ?? {})) {
      const served = this.#packs.get(path);
      if (served === undefined || served.length === codes.length) continue;
      const { axes } = this.#previousFiles!.pack(path);
      const isServed = new Set(served);
      const [rows, servedRows] = [axes, axes.filter(({ code }) => isServed.has(code))].map((some) =>
        some.reduce((sum, { summary }) => sum + summary.rows, 0),
      );
      if (!isHalfEmpty(rows!, servedRows!)) continue;
      for (const code of served) homeless.set(code, path);
    }
    return homeless;
  }

  #writePack(codes: readonly string[], from: AxisFiles): void {
    const path = packPath(this.#nextPack());
    mkdirSync(join(this.#stage, dirname(path)), { recursive: true });
    const axes = codes.map((code) => ({ code, from }));
    this.#files.set(path, writePack(join(this.#stage, path), axes));
    this.#packs.set(path, codes);
    for (const code of codes) {
      this.#moveParquet(code);
      for (const name of axisFileNames) this.#files.delete(`${axisFolder(code)}/${name}`);
    }
  }

  /** Moves the Parquet file of an axis that leaves its folder. */
  #moveParquet(code: string): void {
    const from = `${axisFolder(code)}/${fileNames.parquet}`;
    const facts = this.#files.get(from);
    if (facts === undefined) return;
    const to = packedParquetPath(code);
    mkdirSync(join(this.#stage, dirname(to)), { recursive: true });
    renameSync(join(this.#stage, from), join(this.#stage, to));
    this.#files.set(to, facts);
  }

  #nextPack(): number {
    const paths = [...this.#packs.keys(), ...packsOf(this.#previous ?? {}).map(([path]) => path)];
    return 1 + Math.max(0, ...paths.map((path) => Number(/\d+/.exec(path)![0])));
  }

  #removePack(path: string): void {
    this.#packs.delete(path);
    this.#removeFile(path);
  }

  #removeFile(path: string): void {
    this.#replaced.add(path);
    this.#files.delete(path);
  }

  /** Removes files that are not in the manifest: the files of an axis that was staged but never put. */
  #removeUnlistedFiles(): void {
    const paths = new Set([...this.#files.keys()].flatMap((path) => [path, ...foldersOf(path)]));
    for (const entry of readdirSync(this.#stage, { recursive: true, encoding: 'utf8' })) {
      if (!paths.has(entry.split(sep).join('/'))) {
        rmSync(join(this.#stage, entry), { recursive: true, force: true });
      }
    }
  }

  #allFolders(): string[] {
    const folders = new Set([...this.#files.keys()].flatMap(foldersOf));
    return [this.#stage, ...[...folders].map((folder) => join(this.#stage, folder))];
  }
}

function filesOf(data: string, manifest: Manifest): AxisFiles {
  return new AxisFiles(snapshotFolder(data, manifest.id), manifest);
}

/** The folders above a file of the manifest, innermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(at);
  return folders;
}

/** Manifest of the current snapshot, or of the newest one if the current is missing. */
function previousManifest(data: string): Manifest | null {
  const current = currentId(data);
  const stored = snapshotIds(data);
  const id = current !== null && stored.includes(current) ? current : (stored.at(-1) ?? null);
  return id === null ? null : readManifest(data, id);
}
