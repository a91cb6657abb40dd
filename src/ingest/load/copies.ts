import { createHash } from 'node:crypto';
import { FileRefused } from '../files/refused.ts';
import { fileSource } from '../files/source.ts';
import type { Identity } from './identity.ts';
import type { InputFile, SkippedFile } from './inputs.ts';
import { nameBeside, skipTexts } from './skip-texts.ts';

/** A file to import, with the identity of its axis. */
export interface Candidate {
  readonly file: InputFile;
  readonly identity: Identity;
  /** ISO 8601; empty if it is unknown. */
  readonly date: string;
}

/**
 * Keeps one of the files that are equal byte for byte. It prefers a file with a number, then the newest date, then
 * the shortest path. Files with different numbers are all kept, because they belong to different datasets. The files in
 * `exempt` are kept, too.
 */
export async function separateCopies(
  candidates: readonly Candidate[],
  exempt: ReadonlySet<Candidate>,
): Promise<{ kept: Candidate[]; copies: Copy[] }> {
  const copies: Copy[] = [];
  const examined = candidates.filter((one) => !exempt.has(one));
  for (const sameSize of Map.groupBy(examined, ({ file }) => file.sizeBytes).values()) {
    // An empty file is refused as empty, not as a copy.
    if (sameSize.length === 1 || sameSize[0]!.file.sizeBytes === 0) continue;
    const byHash = new Map<string, Candidate[]>();
    for (const one of sameSize) {
      const hash = await hashOf(one.file.path);
      byHash.set(hash, [...(byHash.get(hash) ?? []), one]);
    }
    for (const same of byHash.values()) {
      for (const [copy, original] of pairCopies(same)) {
        const message = skipTexts.sameBytes(nameBeside(original.file.path, copy.file.path));
        const skipped = { path: copy.file.path, code: 'copy', message, isNamed: false };
        copies.push({ copy, original, skipped });
      }
    }
  }
  const dropped = new Set(copies.map(({ copy }) => copy));
  return { kept: candidates.filter((one) => !dropped.has(one)), copies };
}

interface Copy {
  readonly copy: Candidate;
  readonly original: Candidate;
  readonly skipped: SkippedFile;
}

/** Pairs each copy with the file that is imported instead of it. */
function pairCopies(same: readonly Candidate[]): [copy: Candidate, original: Candidate][] {
  const ranked = same.toSorted(
    (a, b) =>
      Number(a.identity.isProvisional) - Number(b.identity.isProvisional) ||
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) ||
      a.file.path.length - b.file.path.length ||
      (a.file.path < b.file.path ? -1 : 1),
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
    // An unreadable file is not a copy; importing it reports the reason.
    if (error instanceof FileRefused) return path;
    throw error;
  }
  return hash.digest('hex');
}
