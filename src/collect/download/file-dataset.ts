import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../portal/clock.ts';
import { createPortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { addressOf, findNewest } from './take-version.ts';

export interface DownloadOptions {
  /** `http://host:port` that stands for every host of the portal; null for the portal itself. */
  readonly gateway: string | null;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** The newest file of a dataset. */
export interface DownloadedFile {
  readonly number: string;
  /** With the reference date at its end: `전국…_20260831`. */
  readonly title: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

/** Downloads the newest file of a FILE dataset into memory, for who needs it once. Throws `PortalError`. */
export async function downloadFile(
  number: string,
  { signal, ...options }: DownloadOptions,
): Promise<DownloadedFile> {
  const site = createPortalSite(options);
  const { attachment } = await findNewest({ number, site, signal });
  const { title, extension } = attachment;
  const folder = mkdtempSync(join(tmpdir(), 'maru-file-'));
  try {
    const path = join(folder, 'part');
    const judge = () => sniffFile(path, extension).fault;
    await site.download(addressOf(attachment), path, judge, { signal });
    return { number, title, extension, bytes: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
