import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the entries of a folder durable: without it a power failure may undo a rename. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces a small file atomically: even after a crash a reader sees the old content or the new one. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const newPath = `${path}.new`;
  writeFileSync(newPath, content, { flush: true });
  renameSync(newPath, path);
  syncFolder(dirname(path));
}
