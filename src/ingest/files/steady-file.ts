import { statSync, type BigIntStats } from 'node:fs';
import { fileErrorSentence } from '../../kernel/file-error.ts';
import { pathOnDisk } from './path-on-disk.ts';
import { FileRefused } from './refused.ts';

/** A file with its size at the first check. */
interface SteadyFile {
  readonly sizeBytes: number;
  /** The refusal of a file that has changed since the first check; null if it is unchanged. */
  changeRefusal(): FileRefused | null;
}

/**
 * Checks a file before it is opened, because opening a pipe would wait for its writer. Throws `FileRefused` for a path
 * that is not a readable file. A file is read more than once, so a change in between must be detected.
 */
export function steadyFile(path: string): SteadyFile {
  const before = statEntry(path);
  if (!before.isFile()) {
    throw new FileRefused(
      'not_a_file',
      `${path} is ${entryKind(before)}, not a file; name a data file.`,
    );
  }
  return {
    sizeBytes: Number(before.size),
    changeRefusal() {
      const after = statSync(pathOnDisk(path), { bigint: true, throwIfNoEntry: false });
      if (after !== undefined && isSame(before, after)) return null;
      const change =
        after === undefined ? 'it is gone' : `${before.size} bytes, then ${after.size}`;
      return new FileRefused(
        'changed',
        `${path} changed while it was read (${change}); wait until it is written and load it again.`,
      );
    },
  };
}

function statEntry(path: string): BigIntStats {
  try {
    return statSync(pathOnDisk(path), { bigint: true });
  } catch (error) {
    throw refusalOfFileError(path, error);
  }
}

/** The refusal for an error of the file system; other errors are returned unchanged. */
export function refusalOfFileError(path: string, error: unknown): unknown {
  const sentence = fileErrorSentence(error, path);
  return sentence === null ? error : new FileRefused('unreadable', sentence, { cause: error });
}

/** Describes an entry that is not a file. */
function entryKind(facts: BigIntStats): string {
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  return facts.isSocket() ? 'a socket' : 'a device';
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
}
