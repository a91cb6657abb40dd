import { closeSync, openSync, readSync } from 'node:fs';

/** Fills `bytes` from a position of a file. Throws when the file ends before they are full. */
export function readFully<Bytes extends Uint8Array>(
  descriptor: number,
  bytes: Bytes,
  position: number,
): Bytes {
  for (let done = 0; done < bytes.length;) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error('A file of the snapshot is shorter than what points into it.');
    done += read;
  }
  return bytes;
}

/** Opens a file for reading and closes it when the callback throws. */
export function openForReading<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r');
  try {
    return use(descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
