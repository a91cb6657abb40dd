import { readSync } from 'node:fs';

/** Fills `bytes` from a position of a file. Throws if the file ends before. */
export function readFully<Bytes extends Uint8Array>(
  descriptor: number,
  bytes: Bytes,
  position: number,
): Bytes {
  for (let filled = 0; filled < bytes.length;) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, position + filled);
    if (read === 0) throw new Error(`A file of the snapshot is cut off. ${repairAdvice}`);
    filled += read;
  }
  return bytes;
}

/** Advice for errors about a file of a snapshot. */
export const repairAdvice = 'Roll back to an earlier snapshot, or load the data again.';
