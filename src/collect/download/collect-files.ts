import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Origin } from '../../data/axis.ts';
import { loadFiles, type LoadReport } from '../load/load.ts';
import { HeldAxes } from '../run/held.ts';
import { downloadFile, type DownloadOptions } from './file-dataset.ts';

export interface CollectFilesOptions extends DownloadOptions {
  readonly origin: Origin;
  readonly onFile?: (number: string, message: string | null) => void;
}

export interface CollectFilesReport {
  /** Null when nothing could be downloaded. */
  readonly loaded: LoadReport | null;
  readonly failed: readonly { readonly number: string; readonly message: string }[];
}

/**
 * Downloads FILE datasets and holds them together, in one snapshot. What cannot be downloaded is reported
 * and keeps its last good data.
 */
export async function collectFiles(
  data: string,
  numbers: readonly string[],
  options: CollectFilesOptions,
): Promise<CollectFilesReport> {
  const folder = join(data, 'downloads');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const held = new HeldAxes(data);
  const failed: { number: string; message: string }[] = [];
  const files: { file: string; portal_number: string; title: string }[] = [];
  for (const number of numbers) {
    options.signal?.throwIfAborted();
    const origin = held.served(`file_${number}`)?.axis.origin ?? 'sample';
    let message: string | null = null;
    if (options.origin === 'sample' && origin !== 'sample') {
      message = 'Real data is held; sample data never replaces it.';
    } else {
      try {
        const { title, extension, bytes } = await downloadFile(number, options);
        // The name carries the reference date; what a file system forbids in it becomes a line.
        const name = `${number}_${title.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60)}.${extension}`;
        writeFileSync(join(folder, name), bytes, { flush: true });
        files.push({ file: name, portal_number: number, title: title.replace(/_\d{8}$/, '') });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        message = error.message;
      }
    }
    if (message !== null) failed.push({ number, message });
    options.onFile?.(number, message);
  }
  if (files.length === 0) return { loaded: null, failed };
  writeFileSync(join(folder, 'MANIFEST.json'), JSON.stringify({ files }));
  const loaded = await loadFiles(data, [folder], { origin: options.origin });
  rmSync(folder, { recursive: true, force: true });
  return { loaded, failed };
}
