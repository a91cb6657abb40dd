import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { CatalogEntry } from '../../data/catalog.ts';
import { syncFolder } from '../../data/snapshot/durable.ts';
import type { Door } from '../doors/ask.ts';
import type { OpenRun } from '../doors/door-run.ts';
import { downloadFile } from '../download/file-dataset.ts';
import { FileRefused } from '../files/refused.ts';
import { backoffMs } from '../portal/backoff.ts';
import { catalogLimits } from './limits.ts';
import { readCatalog, type CatalogReport } from './read.ts';

export interface ListFile {
  readonly entries: CatalogEntry[];
  /** Carries the list's date. */
  readonly name: string;
}

/**
 * The monthly list file 15062804 (목록개방현황), by the three steps of any file. 15121937 and 15156444 are not
 * fetched: what they add (request variables, columns, items of standards) is no part of a catalog entry.
 * A file that is cut off, empty or `isOdd` is fetched again and believed once it comes the same twice.
 */
export async function collectList(
  open: OpenRun,
  door: Door | null,
  report: CatalogReport,
  isOdd: (entries: readonly CatalogEntry[]) => boolean,
  signal?: AbortSignal,
): Promise<ListFile> {
  const stored = existsSync(open.folder)
    ? readdirSync(open.folder).find((name) => name.startsWith(prefix))
    : undefined;
  if (stored !== undefined) {
    open.count(0);
    return { entries: await readCatalog(join(open.folder, stored), report), name: stored };
  }
  if (door === null) throw new Error('No list file is stored: collect again without --reparse.');
  const seen = new Set<string>();
  for (let look = 1; ; look++) {
    const { name, bytes } = await download(door, signal);
    open.count(0);
    const path = join(open.folder, `unread_${name}`);
    writeDurably(path, bytes);
    const digest = hash('md5', bytes);
    const isBelieved = seen.has(digest) || look >= catalogLimits.looksMax;
    seen.add(digest);
    const found: Parameters<CatalogReport>[0][] = [];
    let entries: CatalogEntry[];
    try {
      entries = await readCatalog(path, (finding) => void found.push(finding));
    } catch (error) {
      if (error instanceof FileRefused && !isBelieved) continue;
      throw error;
    }
    const isWhole = bytes.at(-1) === newline && !isOdd(entries);
    if (!isWhole && !isBelieved) continue;
    renameSync(path, join(open.folder, `${prefix}${name}`));
    syncFolder(open.folder);
    for (const finding of found) report(finding);
    return { entries, name };
  }
}

/** What a list file that was read and believed is called, in front. */
const prefix = 'list_';
const newline = 0x0a;

/** A page of maintenance or an error at any of the steps makes the whole way to be taken again. */
async function download(
  { gateway, clock, random, limits }: Door,
  signal: AbortSignal | undefined,
): Promise<{ name: string; bytes: Uint8Array }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const options = { gateway, clock, ...(signal === undefined ? {} : { signal }) };
      const { title, extension, bytes } = await downloadFile('15062804', options);
      return {
        name: `${title.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60)}.${extension}`,
        bytes,
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= catalogLimits.downloadsMax) throw error;
      await clock.wait(backoffMs(attempt, random, limits), signal);
    }
  }
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'w');
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
