import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import iconv from 'iconv-lite';

/**
 * Converts a path to the form on disk. Windows and old archives leave names in CP949: a path with such a name becomes
 * bytes. A path that exists as written, or does not exist, is returned unchanged.
 */
export function pathOnDisk(path: string): string | Buffer {
  if (!notAscii.test(path) || existsSync(path)) return path;
  let resolved: Buffer = Buffer.alloc(0);
  for (const name of resolve(path).split(sep).slice(1)) {
    const next = [Buffer.from(name), iconv.encode(name, 'cp949')]
      .map((bytes) => Buffer.concat([resolved, Buffer.from(sep), bytes]))
      .find((each) => existsSync(each));
    if (next === undefined) return path;
    resolved = next;
  }
  return resolved;
}

const notAscii = /\P{ASCII}/u;
