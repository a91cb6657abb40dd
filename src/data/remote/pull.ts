import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../snapshot/durable.ts';
import { dataPaths, fileNames, type FileFacts, type Manifest } from '../snapshot/layout.ts';
import { BuildInProgress, BuildLock, FileLock } from '../snapshot/lock.ts';
import {
  currentId,
  pointTo,
  readManifest,
  removeOldSnapshots,
  removeSnapshot,
  removeUnfinished,
  snapshotFolder,
  snapshotIds,
  unfinishedPrefix,
} from '../snapshot/snapshots.ts';
import { verifyFolder } from '../snapshot/verify.ts';
import { hashFile } from './compress-file.ts';
import { fetchObject } from './fetch-object.ts';
import { inParallel } from './in-parallel.ts';
import { manifestHash, numberPast, rememberManifests } from './lineage.ts';
import { StoreFault, type ObjectStore } from './object-store.ts';
import { readPointer, type PushedSnapshot } from './pointer.ts';
import { readStoredManifest, type StoredManifest } from './stored-manifest.ts';
import type { TransferProgress } from './transfer-progress.ts';

export interface PullOptions {
  /** Tag of the pointer at the last pull; without it the pointer is read in any case. */
  readonly knownTag?: string | null;
  /** Removes a snapshot of the same id that was built here. */
  readonly isReplacement?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: TransferProgress) => void;
}

export interface PullFacts {
  /** The snapshot to which the data folder points now. */
  readonly id: string;
  /** Tag of the pointer, for the next pull. */
  readonly tag: string;
  readonly isNew: boolean;
  readonly objectsFetched: number;
  readonly bytesFetched: number;
}

/**
 * Makes the current snapshot of a store that of a data folder; `unchanged` if the pointer has the known tag. Only files
 * that no snapshot of the folder has are fetched. A snapshot becomes visible when all of its files are there and
 * checked. Fetched files stay after a stop, so that the next pull goes on.
 */
export async function pullSnapshot(
  store: ObjectStore,
  data: string,
  options: PullOptions = {},
): Promise<PullFacts | 'unchanged'> {
  const stored = await readPointer(store, options);
  if (stored === 'unchanged') return stored;
  const { id = null, snapshots = [] } = stored?.pointer ?? {};
  const pushed = snapshots.find((each) => each.id === id);
  if (stored === null || pushed === undefined) {
    throw new StoreFault(
      'missing_object',
      `${store.name} has no snapshot yet. Push one with ./maru snapshot push, or check the address.`,
    );
  }
  using _lock = new FileLock(join(dataPaths(data).snapshots, '.pull.lock'), busyFolder);
  const previous = currentId(data);
  let transfer = { objectsFetched: 0, bytesFetched: 0 };
  if (!isStored(data, pushed, options)) {
    transfer = await pullFiles(store, data, pushed, options);
  } else if (previous !== pushed.id) {
    using _build = new BuildLock(data);
    pointTo(data, pushed.id);
  }
  rememberManifests(data, store, [pushed.manifest]);
  numberPast(data, stored.pointer);
  const isNew = previous !== pushed.id;
  return { id: pushed.id, tag: stored.tag, isNew, ...transfer };
}

function busyFolder(cause: unknown): StoreFault {
  return new StoreFault('busy', 'Another process pulls into this folder. Try again.', { cause });
}

/** Fetches the files that the folder lacks, and publishes the snapshot. */
async function pullFiles(
  store: ObjectStore,
  data: string,
  pushed: PushedSnapshot,
  options: PullOptions,
): Promise<Pick<PullFacts, 'objectsFetched' | 'bytesFetched'>> {
  const stage = new PullStage(store, data);
  const content = await readStoredManifest(store, pushed, options.signal);
  await stage.fetch(content.manifest, options);
  try {
    stage.publish(pushed, content);
  } catch (error) {
    if (error instanceof BuildInProgress || isOfSystem(error)) throw error;
    // A file of an earlier snapshot may have other bytes than when it was fetched.
    if (!(await stage.forgetDamaged(content.manifest))) throw error;
    await stage.fetch(content.manifest, options);
    stage.publish(pushed, content);
  }
  const { objectsFetched, bytesFetched } = stage;
  return { objectsFetched, bytesFetched };
}

/** True for an error of a call of the operating system, such as a full disk. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** True if the folder has the snapshot. Throws if it has another one of the same id that shall stay. */
function isStored(
  data: string,
  { id, manifest }: PushedSnapshot,
  { isReplacement }: PullOptions,
): boolean {
  const hash = manifestHash(data, id);
  if (hash === null || hash === manifest) return hash !== null;
  if (isReplacement === true) return false;
  throw new StoreFault(
    'refused',
    `${data} has another snapshot ${id} than the store, built here. Follow into a folder of its own (MARU_DATA). To replace the one built here, run ./maru snapshot pull --replace.`,
  );
}

/** Files of a snapshot on their way into a data folder. */
class PullStage {
  objectsFetched = 0;
  bytesFetched = 0;
  readonly #store: ObjectStore;
  readonly #data: string;
  /** Folder of fetched files, named by their hashes. */
  readonly #fetched: string;
  /** Paths of the files in the snapshots of the folder, by their hashes. */
  readonly #storedFiles: Map<string, string>;

  constructor(store: ObjectStore, data: string) {
    this.#store = store;
    this.#data = data;
    this.#fetched = join(dataPaths(data).snapshots, '.pull');
    this.#storedFiles = filesByHash(data);
  }

  /** Fetches the files that no snapshot of the folder has. */
  async fetch(manifest: Manifest, { signal, onProgress }: PullOptions): Promise<void> {
    mkdirSync(this.#fetched, { recursive: true });
    const lacking = new Map(
      Object.entries(manifest.files)
        .filter(([, facts]) => this.#find(facts) === null)
        .map(([path, facts]) => [facts.sha256, { path, facts }] as const),
    );
    const filesTotal = lacking.size;
    const bytesTotal = lacking.values().reduce((sum, { facts }) => sum + facts.bytes, 0);
    this.#requireSpace(bytesTotal);
    let [files, bytes] = [0, 0];
    await inParallel(fetchesAtOnce, lacking.values(), async ({ path, facts }) => {
      this.bytesFetched += await fetchObject(this.#store, path, facts, this.#fetched, signal);
      this.objectsFetched++;
      files++;
      bytes += facts.bytes;
      onProgress?.({ files, filesTotal, bytes, bytesTotal });
    });
    syncFolder(this.#fetched);
  }

  /** Links all files into a folder, checks it, gives it its name and points to it. */
  publish({ id }: PushedSnapshot, { manifest, bytes }: StoredManifest): void {
    const { snapshots } = dataPaths(this.#data);
    using _build = new BuildLock(this.#data);
    removeUnfinished(this.#data);
    const folder = mkdtempSync(join(snapshots, unfinishedPrefix));
    try {
      const folders = new Set([folder]);
      for (const [path, facts] of Object.entries(manifest.files)) {
        const target = join(folder, path);
        for (let at = dirname(target); !folders.has(at); at = dirname(at)) folders.add(at);
        mkdirSync(dirname(target), { recursive: true });
        linkSync(this.#find(facts) ?? join(this.#fetched, facts.sha256), target);
      }
      writeFileSync(join(folder, fileNames.manifest), bytes, { flush: true });
      verifyFolder(folder, manifest, { hashes: false });
      for (const each of folders) syncFolder(each);
      removeSnapshot(this.#data, id);
      renameSync(folder, snapshotFolder(this.#data, id));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    syncFolder(snapshots);
    pointTo(this.#data, id);
    removeOldSnapshots(this.#data);
    rmSync(this.#fetched, { recursive: true, force: true });
  }

  /** Computes the hashes of all files that were there, so that wrong ones are fetched. True if there are any. */
  async forgetDamaged(manifest: Manifest): Promise<boolean> {
    let isDamaged = false;
    for (const facts of Object.values(manifest.files)) {
      const path = this.#find(facts);
      if (path === null || (await hashFile(path)) === facts.sha256) continue;
      this.#storedFiles.delete(facts.sha256);
      rmSync(join(this.#fetched, facts.sha256), { force: true });
      isDamaged = true;
    }
    return isDamaged;
  }

  /** Path of a file in the folder with this hash, and still its size; null if there is none. */
  #find({ sha256: hash, bytes }: FileFacts): string | null {
    const path = this.#storedFiles.get(hash) ?? join(this.#fetched, hash);
    return statSync(path, { throwIfNoEntry: false })?.size === bytes ? path : null;
  }

  #requireSpace(bytes: number): void {
    const { bavail, bsize } = statfsSync(this.#fetched);
    if (bytes <= bavail * bsize) return;
    const [needed, free] = [bytes, bavail * bsize].map((each) => Math.ceil(each / 1e6));
    throw new StoreFault(
      'disk_full',
      `The snapshot needs ${needed} MB in ${this.#data}, and ${free} MB are free. Free some space; what is there stays in use.`,
    );
  }
}

const fetchesAtOnce = 4;

/** Paths of the files in the snapshots of a folder, by their hashes; without snapshots that cannot be read. */
function filesByHash(data: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const id of snapshotIds(data)) {
    for (const [path, { sha256: hash }] of Object.entries(filesOf(data, id))) {
      paths.set(hash, join(snapshotFolder(data, id), path));
    }
  }
  return paths;
}

function filesOf(data: string, id: string): Manifest['files'] {
  try {
    return readManifest(data, id).files;
  } catch {
    // Its files are fetched instead.
    return {};
  }
}
