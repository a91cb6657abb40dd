import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the entries of a folder durable: without it a rename may be lost with the power. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces a small file so that a reader sees the old content or the new one, whatever happens between. */
export function replaceFile(path: string, content: string): void {
  const beside = `${path}.new`;
  writeFileSync(beside, content, { flush: true });
  renameSync(beside, path);
  syncFolder(dirname(path));
}
