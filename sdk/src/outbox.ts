import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimes,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type { OutboxEntry, Outbox } from './journal.ts';

export interface FileOutboxOptions {
  /** Largest size of the file, of which delivered entries take at most about half; 16 MB by default. */
  readonly bytesMax?: number;
}

/**
 * An outbox in a file, with a line of JSON for each undelivered entry, synced to disk before it is sent. The file contains
 * email addresses: it has mode 0600, is rewritten without delivered entries, and is emptied as soon as everything is
 * delivered. A line that a crash cut short is ignored. Each process needs a file of its own.
 *
 * @example
 * import { createSvc } from '@maru/sdk';
 * import { fileOutbox } from '@maru/sdk/outbox';
 *
 * const svc = createSvc({ membersUrl, apiKey, outbox: fileOutbox('svc-outbox.jsonl') });
 * console.log(await svc.close()); // { delivered: 0, pending: 0 }
 */
export function fileOutbox(path: string, options: FileOutboxOptions = {}): Outbox {
  return new FileOutbox(path, options.bytesMax ?? 16_777_216);
}

class FileOutbox implements Outbox {
  readonly #path: string;
  readonly #bytesMax: number;
  /** Sizes of the lines of undelivered entries, by id. */
  #pending = new Map<string, number>();
  #file: number | null = null;
  #lock: NodeJS.Timeout | undefined;
  #bytes = 0;
  #pendingBytes = 0;

  constructor(path: string, bytesMax: number) {
    this.#path = resolve(path);
    this.#bytesMax = bytesMax;
  }

  open(): readonly OutboxEntry[] {
    if (openPaths.has(this.#path)) throw new Error(`This process already has ${this.#path} open.`);
    this.#lock = takeLock(`${this.#path}.lock`);
    const entries = this.#rewrite();
    openPaths.add(this.#path);
    return entries;
  }

  put(entry: OutboxEntry): void {
    if (this.#pending.has(entry.id)) return;
    const line = lineOf(entry);
    this.#append(line, this.#bytesMax);
    this.#pending.set(entry.id, line.length);
    this.#pendingBytes += line.length;
  }

  drop(id: string): void {
    const lineBytes = this.#pending.get(id);
    if (this.#file === null || lineBytes === undefined) return;
    this.#pending.delete(id);
    this.#pendingBytes -= lineBytes;
    if (this.#pending.size === 0) {
      ftruncateSync(this.#file, 0);
      this.#bytes = 0;
      return;
    }
    this.#append(lineOf({ done: id }), Infinity);
    const deliveredBytes = this.#bytes - this.#pendingBytes;
    const worthwhileBytes = Math.min(65_536, this.#bytesMax / 2);
    if (deliveredBytes > Math.max(this.#pendingBytes, worthwhileBytes)) this.#rewrite();
  }

  close(): void {
    if (this.#file === null) return;
    clearInterval(this.#lock);
    closeSync(this.#file);
    this.#file = null;
    openPaths.delete(this.#path);
    unlinkSync(`${this.#path}.lock`);
  }

  /** Writes the undelivered entries alone. The rename replaces the file completely or not at all. */
  #rewrite(): readonly OutboxEntry[] {
    const entries = existsSync(this.#path) ? readUndelivered(readFileSync(this.#path, 'utf8')) : [];
    const lines = entries.map(lineOf);
    const content = Buffer.concat(lines);
    const draft = `${this.#path}.new`;
    writeFileSync(draft, content, { mode: 0o600, flush: true });
    const file = openSync(draft, 'a');
    try {
      renameSync(draft, this.#path);
    } catch (error) {
      // The file so far stays in use.
      closeSync(file);
      throw error;
    }
    if (this.#file !== null) closeSync(this.#file);
    this.#file = file;
    this.#pending = new Map(entries.map(({ id }, at) => [id, lines[at]!.length]));
    this.#pendingBytes = this.#bytes = content.length;
    return entries;
  }

  #append(line: Buffer, bytesMax: number): void {
    if (this.#file === null) throw new Error(`${this.#path} is not open`);
    if (this.#bytes + line.length > bytesMax) throw new Error(`${this.#path} is full`);
    try {
      if (writeSync(this.#file, line) < line.length)
        throw new Error(`The disk of ${this.#path} is full`);
      fsyncSync(this.#file);
    } catch (error) {
      // The next line would join a part of this one, and a restart would lose both.
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
    this.#bytes += line.length;
  }
}

function lineOf(line: OutboxEntry | { readonly done: string }): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** Files open in this process, because a lock with its own process id looks like that of a crashed process. */
const openPaths = new Set<string>();

/** Entries without their `done` line. A line that a crash cut short is not JSON and was never acknowledged. */
function readUndelivered(text: string): readonly OutboxEntry[] {
  const entries = new Map<string, OutboxEntry>();
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry === null) continue;
    if ('done' in entry) entries.delete(entry.done);
    else entries.set(entry.id, entry);
  }
  return [...entries.values()];
}

function parseLine(line: string): OutboxEntry | { readonly done: string } | null {
  try {
    // Safe: only this class writes to the file.
    return JSON.parse(line) as OutboxEntry | { readonly done: string };
  } catch {
    return null;
  }
}

/**
 * Takes the lock and refreshes it. The lock of a crashed process is replaced. Since process ids are reused, so is a lock
 * that was not refreshed for a while.
 */
function takeLock(path: string): NodeJS.Timeout {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : NaN;
    const isFresh = existsSync(path) && Date.now() - statSync(path).mtimeMs < lockLifeMs;
    if (isFresh && owner !== process.pid && isRunning(owner)) {
      const text = `Process ${owner} has the outbox ${path} open. Give each process a file of its own.`;
      throw new Error(text, { cause });
    }
    writeFileSync(path, String(process.pid), { mode: 0o600 });
  }
  const touch = (): void => {
    const now = new Date();
    // After a failure, the lock only looks like that of a crashed process.
    utimes(path, now, now, () => {});
  };
  return setInterval(touch, lockLifeMs / 6).unref();
}

const lockLifeMs = 60_000;

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // With any other error the process belongs to another user, or this process may not check (Deno without `--allow-run`).
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
