import { statSync, type BigIntStats } from 'node:fs';
import { fileErrorSentence } from '../../kernel/file-error.ts';
import { pathOnDisk } from './path-on-disk.ts';
import { FileRefused } from './refused.ts';

/** A file as it was when it was first looked at. */
interface SteadyFile {
  readonly sizeBytes: number;
  /** The refusal of a file that has become another one since; null if it is the same. */
  changed(): FileRefused | null;
}

/**
 * Looks at a file before it is opened, because opening a pipe would wait for its writer. Throws
 * `FileRefused` for what is no file or cannot be reached. A file is read more than once: what changes in
 * between would be held in halves.
 */
export function steadyFile(path: string): SteadyFile {
  const before = factsOf(path);
  if (!before.isFile()) {
    throw new FileRefused(
      'not_a_file',
      `${path} is ${kindOf(before)}, not a file; name a data file.`,
    );
  }
  return {
    sizeBytes: Number(before.size),
    changed() {
      const after = statSync(pathOnDisk(path), { bigint: true, throwIfNoEntry: false });
      if (after !== undefined && isSame(before, after)) return null;
      const now = after === undefined ? 'it is gone' : `${before.size} bytes, then ${after.size}`;
      return new FileRefused(
        'changed',
        `${path} changed while it was read (${now}); wait until it is written and load it again.`,
      );
    },
  };
}

function factsOf(path: string): BigIntStats {
  try {
    return statSync(pathOnDisk(path), { bigint: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The refusal for an error of the file system; other errors are returned unchanged. */
export function unreadable(path: string, error: unknown): unknown {
  const sentence = fileErrorSentence(error, path);
  return sentence === null ? error : new FileRefused('unreadable', sentence, { cause: error });
}

/** Describes a path that is no file. */
function kindOf(facts: BigIntStats): string {
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  return facts.isSocket() ? 'a socket' : 'a device';
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
}
