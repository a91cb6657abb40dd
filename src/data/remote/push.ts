import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths, fileNames, type FileFacts } from '../snapshot/layout.ts';
import { FileLock } from '../snapshot/lock.ts';
import { currentId, readManifest, snapshotFolder } from '../snapshot/snapshots.ts';
import { objectKeys, removeDropped, withoutOld, type CleanOptions } from './clean.ts';
import { compressFile, hashFile } from './compress-file.ts';
import { dataPackageKey, dataPackageOf } from './data-package.ts';
import { inParallel } from './in-parallel.ts';
import { goesOnFrom, numberPast, rememberManifests } from './lineage.ts';
import { isDamage, StoreFault, type ObjectStore } from './object-store.ts';
import type { Pointer, PushedSnapshot } from './pointer.ts';
import { sha256 } from './sign-request.ts';
import { isPlain, manifestKey, objectKey } from './stored-manifest.ts';
import type { TransferProgress } from './transfer-progress.ts';
import { StoreWriter } from './write-lease.ts';

interface PushOptions extends CleanOptions {
  /** Uploads every file, even if the store has it: a repair of objects with wrong bytes. */
  readonly isAgain: boolean;
  /** Pushes over a snapshot of another data folder. */
  readonly isReplacement?: boolean;
  readonly onProgress?: (progress: TransferProgress) => void;
}

interface PushFacts {
  readonly id: string;
  readonly objectsWritten: number;
  readonly bytesWritten: number;
  readonly objectsRemoved: number;
  /** False if the store ignores conditions, so that two pushers could collide. */
  readonly isGuarded: boolean;
}

/**
 * Pushes the current snapshot of a data folder: its manifest, the objects that the store lacks, the pointer with a
 * condition, then the table of its Parquet files. A push that is stopped earlier leaves the pointer as it was; one that
 * fails after that names it. The next one goes on.
 */
export async function pushSnapshot(
  store: ObjectStore,
  data: string,
  options: PushOptions,
): Promise<PushFacts> {
  using _lock = new FileLock(join(dataPaths(data).snapshots, '.push.lock'), busyFolder);
  const id = currentId(data);
  if (id === null) throw new Error(`There is no snapshot in ${data} yet: load a file first.`);
  const { files } = readManifest(data, id);
  const bytes = readFileSync(join(snapshotFolder(data, id), fileNames.manifest));
  const pushed = { id, manifest: sha256(bytes), pushedAt: new Date().toISOString() };
  const plan = (pointer: Pointer): PushedSnapshot => {
    if (options.isReplacement !== true) refuseForeign(data, store, pointer, pushed);
    refuseTaken(data, store, pointer, pushed);
    return pushed;
  };
  using writer = await StoreWriter.take(store, writerId(data), plan, options.signal);
  const describeAndClean = async (pointer: Omit<Pointer, 'lease'>): Promise<number> => {
    await store.write(dataPackageKey, { bytes: dataPackageOf(data, id) }, options);
    return await removeDropped(store, writer, pointer, options);
  };
  try {
    const isGuarded = await writer.honoursConditions();
    await store.write(manifestKey(pushed), { bytes }, options);
    const folder = snapshotFolder(data, id);
    const known = options.isAgain ? new Set<string>() : await keysOfCurrent(store, writer, options);
    const upload = new Upload(store, folder, files, known, options);
    await upload.run(() => writer.check());
    const { pointer } = withoutOld(withPushed(writer.pointer, pushed), options.keep);
    // If the process ends between these two, the store has one of them.
    const previous = currentOf(writer.pointer)?.manifest ?? [];
    rememberManifests(data, store, [previous, pushed.manifest].flat());
    await writer.change(pointer);
    rememberManifests(data, store, [pushed.manifest]);
    const objectsRemoved = await describeAndClean(pointer).catch((error: unknown) => {
      throw unfinished(id, store.name, error);
    });
    const { objectsWritten, bytesWritten } = upload;
    return { id, objectsWritten, bytesWritten, objectsRemoved, isGuarded };
  } catch (error) {
    await writer.giveUp();
    throw error;
  }
}

/** Random id of a data folder as a writer, created on first use. */
export function writerId(data: string): string {
  const path = join(dataPaths(data).snapshots, '.writer');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const id = randomUUID();
    mkdirSync(dataPaths(data).snapshots, { recursive: true });
    writeFileSync(path, `${id}\n`, { flush: true });
    return id;
  }
}

/** A fault after the pointer was replaced. */
function unfinished(id: string, name: string, cause: unknown): StoreFault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreFault(
    cause instanceof StoreFault ? cause.code : 'failed',
    `${id} is pushed, and followers of ${name} switch to it. The list of Parquet files or the removal of old snapshots failed: ${reason} The same command does the rest.`,
    { cause },
  );
}

function busyFolder(cause: unknown): StoreFault {
  return new StoreFault('busy', 'Another process pushes from this folder. Try again.', { cause });
}

/**
 * Throws if the store has a snapshot that this folder neither pushed nor pulled last: its data would be lost. The order
 * of ids does not matter: a rollback is the push of an earlier snapshot.
 */
function refuseForeign(
  data: string,
  store: ObjectStore,
  pointer: Pointer,
  { id, manifest }: PushedSnapshot,
): void {
  const current = currentOf(pointer);
  if (current === undefined || current.manifest === manifest) return;
  if (goesOnFrom(data, store, current)) return;
  throw new StoreFault(
    'refused',
    `${store.name} has snapshot ${current.id} from another data folder, and ${id} was not built on it, so ${id} is not pushed. To go on from there, run ./maru snapshot pull here, load or collect again, then push. To replace it, push with --replace.`,
  );
}

/** Throws if the store has, or had, another snapshot with this id, which followers may have. */
function refuseTaken(
  data: string,
  store: ObjectStore,
  pointer: Pointer,
  { id, manifest }: PushedSnapshot,
): void {
  const { snapshots, dropped } = pointer;
  const isOther = (each: { id: string; manifest: string }): boolean =>
    each.id === id && each.manifest !== manifest;
  if (![...snapshots, ...dropped].some(isOther)) return;
  numberPast(data, pointer);
  throw new StoreFault(
    'refused',
    `${store.name} has another snapshot ${id}, from another data folder. Load or collect again here, then push: the next snapshot gets a number that is free.`,
  );
}

function currentOf({ id, snapshots }: Pointer): PushedSnapshot | undefined {
  return snapshots.find((each) => each.id === id);
}

function withPushed(pointer: Pointer, pushed: PushedSnapshot): Pointer {
  const isOther = ({ manifest }: { readonly manifest: string }): boolean =>
    manifest !== pushed.manifest;
  return {
    ...pointer,
    id: pushed.id,
    snapshots: pointer.snapshots.some((each) => !isOther(each))
      ? pointer.snapshots
      : [...pointer.snapshots, pushed],
    dropped: pointer.dropped.filter(isOther),
  };
}

/** Keys of the current snapshot of a store, which need no request each; none if it is damaged, which a push repairs. */
async function keysOfCurrent(
  store: ObjectStore,
  { pointer }: StoreWriter,
  { signal }: PushOptions,
): Promise<ReadonlySet<string>> {
  const current = currentOf(pointer);
  try {
    return new Set(current === undefined ? [] : await objectKeys(store, current, signal));
  } catch (error) {
    if (isDamage(error)) return new Set();
    throw error;
  }
}

/** The upload of the files of a snapshot that a store lacks. */
class Upload {
  objectsWritten = 0;
  bytesWritten = 0;
  readonly #store: ObjectStore;
  readonly #folder: string;
  readonly #stage: string;
  readonly #lacking: ReadonlyMap<string, { readonly path: string; readonly facts: FileFacts }>;
  readonly #options: PushOptions;

  constructor(
    store: ObjectStore,
    folder: string,
    files: Readonly<Record<string, FileFacts>>,
    known: ReadonlySet<string>,
    options: PushOptions,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#stage = join(folder, '..', '.push');
    this.#options = options;
    this.#lacking = new Map(
      Object.entries(files)
        .map(([path, facts]) => [objectKey(path, facts), { path, facts }] as const)
        .filter(([key]) => !known.has(key)),
    );
  }

  async run(check: () => void): Promise<void> {
    rmSync(this.#stage, { recursive: true, force: true });
    mkdirSync(this.#stage);
    const { onProgress, isAgain, signal } = this.#options;
    const [filesTotal, bytesTotal] = [this.#lacking.size, sumOf(this.#lacking.values())];
    let [files, bytes] = [0, 0];
    try {
      await inParallel(uploadsAtOnce, this.#lacking, async ([key, { path, facts }]) => {
        check();
        signal?.throwIfAborted();
        if (isAgain || !(await this.#store.has(key, signal))) await this.#write(key, path, facts);
        files++;
        bytes += facts.bytes;
        onProgress?.({ files, filesTotal, bytes, bytesTotal });
      });
    } finally {
      rmSync(this.#stage, { recursive: true, force: true });
    }
    check();
  }

  async #write(key: string, path: string, facts: FileFacts): Promise<void> {
    const file = join(this.#folder, path);
    const { signal } = this.#options;
    if (isPlain(path)) {
      const hash = await hashFile(file);
      if (hash !== facts.sha256) throw damaged(path);
      await this.#store.write(key, { path: file, sha256: hash }, { signal });
      this.bytesWritten += facts.bytes;
    } else {
      const compressedPath = join(this.#stage, `${facts.sha256}.zst`);
      const compressed = await compressFile(file, compressedPath);
      if (compressed.plainSha256 !== facts.sha256) throw damaged(path);
      const content = { path: compressedPath, sha256: compressed.sha256 };
      await this.#store.write(key, content, { signal });
      rmSync(compressedPath);
      this.bytesWritten += compressed.bytes;
    }
    this.objectsWritten++;
  }
}

const uploadsAtOnce = 4;

function damaged(path: string): Error {
  return new Error(
    `${path} has other bytes than its hash, so the snapshot is not pushed. ./maru snapshot verify checks it; load or collect the data again.`,
  );
}

function sumOf(files: Iterable<{ readonly facts: FileFacts }>): number {
  let sum = 0;
  for (const { facts } of files) sum += facts.bytes;
  return sum;
}
