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
import type { Entry, Outbox } from './journal.ts';

export interface FileOutboxOptions {
  /** Past this nothing is added; 16 MB unless given. */
  readonly bytesMax?: number;
}

/**
 * Keeps in a file what is not delivered, a line of JSON an entry, on the disk before it is sent. The file holds e-mail
 * addresses: it has mode 0600, and is emptied as soon as everything is delivered. A line cut short by a crash is left
 * out. One process has one file.
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
  readonly #pending = new Set<string>();
  #file: number | null = null;
  #lock: NodeJS.Timeout | undefined;
  #bytes = 0;

  constructor(path: string, bytesMax: number) {
    this.#path = resolve(path);
    this.#bytesMax = bytesMax;
  }

  open(): readonly Entry[] {
    if (opened.has(this.#path)) throw new Error(`This process has ${this.#path} open already.`);
    this.#lock = lock(`${this.#path}.lock`);
    const entries = existsSync(this.#path) ? undelivered(readFileSync(this.#path, 'utf8')) : [];
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    // What was delivered leaves the file; the new one takes its place whole or not at all.
    const beside = `${this.#path}.new`;
    writeFileSync(beside, text, { mode: 0o600, flush: true });
    renameSync(beside, this.#path);
    this.#file = openSync(this.#path, 'a', 0o600);
    opened.add(this.#path);
    this.#bytes = Buffer.byteLength(text);
    for (const { id } of entries) this.#pending.add(id);
    return entries;
  }

  put(entry: Entry): void {
    if (this.#pending.has(entry.id)) return;
    this.#append(`${JSON.stringify(entry)}\n`, this.#bytesMax);
    this.#pending.add(entry.id);
  }

  drop(id: string): void {
    if (this.#file === null || !this.#pending.delete(id)) return;
    if (this.#pending.size > 0) return this.#append(`${JSON.stringify({ done: id })}\n`, Infinity);
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  close(): void {
    if (this.#file === null) return;
    clearInterval(this.#lock);
    closeSync(this.#file);
    this.#file = null;
    opened.delete(this.#path);
    unlinkSync(`${this.#path}.lock`);
  }

  #append(line: string, bytesMax: number): void {
    if (this.#file === null) throw new Error(`${this.#path} is not open`);
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > bytesMax) throw new Error(`${this.#path} is full`);
    writeSync(this.#file, bytes);
    fsyncSync(this.#file);
    this.#bytes += bytes.length;
  }
}

/** The lock below takes a lock of this process for one of another, which had its number before. */
const opened = new Set<string>();

/** A line cut short by a crash is no JSON: it was never relied on. */
function undelivered(text: string): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const line of text.split('\n')) {
    const read = parsed(line);
    if (read === null) continue;
    if ('done' in read) entries.delete(read.done);
    else entries.set(read.id, read);
  }
  return [...entries.values()];
}

function parsed(line: string): Entry | { readonly done: string } | null {
  try {
    // Lines of this file are ours.
    return JSON.parse(line) as Entry | { readonly done: string };
  } catch {
    return null;
  }
}

/**
 * A lock whose process is gone was left by a crash. Numbers of processes come again, in a container always the same one,
 * so that a lock also counts as left when nobody touched it for a while.
 */
function lock(path: string): NodeJS.Timeout {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : NaN;
    const isFresh = existsSync(path) && Date.now() - statSync(path).mtimeMs < lockLifeMs;
    if (isFresh && owner !== process.pid && isRunning(owner)) {
      const text = `Process ${owner} has the outbox ${path}: give each process a file of its own.`;
      throw new Error(text, { cause });
    }
    writeFileSync(path, String(process.pid), { mode: 0o600 });
  }
  const touch = (): void => {
    const now = new Date();
    // Where it cannot be touched, the worst is that it counts as left.
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
    // Else it runs as somebody else, or this process may not ask (Deno without `--allow-run`).
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
