import { statSync, type BigIntStats } from 'node:fs';
import type { BilingualText } from '../../contract/language.ts';
import { fileErrorText } from '../../kernel/file-error.ts';
import { pathOnDisk } from './path-on-disk.ts';
import { refusalTexts } from './refusal-texts.ts';
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
    throw new FileRefused('not_a_file', refusalTexts.notFile(path, entryKind(before)));
  }
  return {
    sizeBytes: Number(before.size),
    changeRefusal() {
      const after = statSync(pathOnDisk(path), { bigint: true, throwIfNoEntry: false });
      if (after !== undefined && isSame(before, after)) return null;
      const text =
        after === undefined
          ? refusalTexts.gone(path)
          : refusalTexts.changed(path, before.size, after.size);
      return new FileRefused('changed', text);
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
  const text = fileErrorText(error, path);
  return text === null ? error : new FileRefused('unreadable', text, { cause: error });
}

/** Describes an entry that is not a file. */
function entryKind(facts: BigIntStats): BilingualText {
  if (facts.isDirectory()) return { ko: '폴더', en: 'a folder' };
  if (facts.isFIFO()) return { ko: '파이프', en: 'a pipe' };
  return facts.isSocket() ? { ko: '소켓', en: 'a socket' } : { ko: '장치', en: 'a device' };
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
}
