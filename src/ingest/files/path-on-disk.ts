import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import iconv from 'iconv-lite';

/**
 * A path as the file system knows it: Windows and old archives leave names in CP949, which are written here
 * as they read. Such a path comes as bytes; one that is there as it is, or nowhere, comes back unchanged.
 */
export function pathOnDisk(path: string): string | Buffer {
  if (!notAscii.test(path) || existsSync(path)) return path;
  let found: Buffer = Buffer.alloc(0);
  for (const name of resolve(path).split(sep).slice(1)) {
    const next = [Buffer.from(name), iconv.encode(name, 'cp949')]
      .map((bytes) => Buffer.concat([found, Buffer.from(sep), bytes]))
      .find((each) => existsSync(each));
    if (next === undefined) return path;
    found = next;
  }
  return found;
}

const notAscii = /\P{ASCII}/u;
