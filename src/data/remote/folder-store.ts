import { createReadStream, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { replaceFile, syncFolder } from '../snapshot/durable.ts';
import { FileLock } from '../snapshot/lock.ts';
import { sha256 } from './sign-request.ts';
import {
  StoreFault,
  type ObjectBytes,
  type ObjectContent,
  type ObjectStore,
  type OpenOptions,
  type ReadOptions,
  type TaggedBytes,
} from './object-store.ts';

/** Objects as files of a folder, of this machine or mounted from another. */
export class FolderStore implements ObjectStore {
  readonly name: string;

  /** The folder may be absent until something is written. */
  constructor(folder: string) {
    this.name = folder;
  }

  async read(key: string, options: ReadOptions): Promise<TaggedBytes | 'unchanged' | null> {
    const { bytesMax, knownTag = null } = options;
    const path = this.#path(key);
    const size = sizeOf(path);
    if (size === null) return null;
    if (size > bytesMax) {
      throw new StoreFault('unreadable', `${path} is larger than ${bytesMax} bytes.`);
    }
    const bytes = readFileSync(path);
    const tag = sha256(bytes);
    return tag === knownTag ? 'unchanged' : { bytes, tag };
  }

  async open(key: string, { from }: OpenOptions): Promise<ObjectBytes | null> {
    const path = this.#path(key);
    if (sizeOf(path) === null) return null;
    return { from, body: createReadStream(path, { start: from }) };
  }

  async has(key: string): Promise<boolean> {
    return sizeOf(this.#path(key)) !== null;
  }

  async write(key: string, content: ObjectContent): Promise<void> {
    const path = this.#path(key);
    mkdirSync(dirname(path), { recursive: true });
    if ('bytes' in content) return replaceFile(path, content.bytes);
    // Two pushers may write the same object at once.
    const newPath = `${path}.${process.pid}.new`;
    await copyFile(content.path, newPath);
    const file = await open(newPath, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(newPath, path);
    syncFolder(dirname(path));
  }

  async replace(key: string, bytes: Buffer, tag: string | null): Promise<string | null> {
    const path = this.#path(key);
    mkdirSync(dirname(path), { recursive: true });
    using _lock = await this.#lock();
    const stored = await this.read(key, { bytesMax: Infinity });
    const storedTag = stored === null || stored === 'unchanged' ? null : stored.tag;
    if (storedTag !== tag) return null;
    replaceFile(path, bytes);
    return sha256(bytes);
  }

  async remove(key: string): Promise<void> {
    rmSync(this.#path(key), { force: true });
  }

  /** The lock of the folder, which is held for the time of a comparison and a rename. */
  async #lock(): Promise<FileLock> {
    for (let tries = 1; ; tries++) {
      try {
        return new FileLock(join(this.name, '.lock'), busyFolder);
      } catch (error) {
        if (!(error instanceof StoreFault) || tries === lockTriesMax) throw error;
        await wait(lockWaitMs);
      }
    }
  }

  #path(key: string): string {
    return join(this.name, key);
  }
}

const lockTriesMax = 100;
const lockWaitMs = 50;

function busyFolder(cause: unknown): StoreFault {
  return new StoreFault('busy', 'Another process writes to the folder. Try again.', { cause });
}

function sizeOf(path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : null;
}
