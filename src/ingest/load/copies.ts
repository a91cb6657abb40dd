import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { FileRefused } from '../files/refused.ts';
import { fileSource } from '../files/source.ts';
import type { Identity } from './identity.ts';
import type { InputFile, NotHeld } from './inputs.ts';

/** A file and the axis that it would be. */
export interface Candidate {
  readonly file: InputFile;
  readonly identity: Identity;
  /** ISO 8601; empty where nothing tells it. */
  readonly date: string;
}

/**
 * Leaves one of the files that are the same byte for byte, the one that says most of itself: with a number
 * before one without, then the newest date, then the shortest name. Files with different numbers stay: they
 * are what somebody says of them.
 */
export async function withoutCopies(
  candidates: readonly Candidate[],
): Promise<{ kept: Candidate[]; copies: NotHeld[] }> {
  const copies: NotHeld[] = [];
  const dropped = new Set<Candidate>();
  for (const sameSize of Map.groupBy(candidates, ({ file }) => file.sizeBytes).values()) {
    // An empty file is refused as what it is.
    if (sameSize.length === 1 || sameSize[0]!.file.sizeBytes === 0) continue;
    const byHash = new Map<string, Candidate[]>();
    for (const one of sameSize) {
      const hash = await hashOf(one.file.path);
      byHash.set(hash, [...(byHash.get(hash) ?? []), one]);
    }
    for (const same of byHash.values()) {
      for (const [one, original] of copiesAmong(same)) {
        dropped.add(one);
        const message = `${basename(original.file.path)} is the same, byte for byte; of copies one is held.`;
        copies.push({ path: one.file.path, code: 'copy', message, isNamed: false });
      }
    }
  }
  return { kept: candidates.filter((one) => !dropped.has(one)), copies };
}

/** Each copy with the file that is held in its place. */
function copiesAmong(same: readonly Candidate[]): [Candidate, Candidate][] {
  const ranked = same.toSorted(
    (a, b) =>
      Number(a.identity.isProvisional) - Number(b.identity.isProvisional) ||
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      a.file.path.length - b.file.path.length,
  );
  const originals: Candidate[] = [];
  return ranked.flatMap((one): [Candidate, Candidate][] => {
    const { isProvisional, axis } = one.identity;
    const original = originals.find(
      (other) => isProvisional || other.identity.axis.code === axis.code,
    );
    if (original !== undefined) return [[one, original]];
    originals.push(one);
    return [];
  });
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of fileSource(path).open()) hash.update(chunk);
  } catch (error) {
    // What cannot be read is nobody's copy; loading it says why.
    if (error instanceof FileRefused) return path;
    throw error;
  }
  return hash.digest('hex');
}
