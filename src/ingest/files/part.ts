import type { FileLimits } from './limits.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { FindingSink, Table } from './table.ts';

/** One part of a file on its way to tables: the file itself, or a member of an archive. */
export interface Part {
  readonly source: ByteSource;
  /** The path inside the archive; null for the file itself. */
  readonly path: string | null;
  /** Number of archives it lies in; an archive in an archive is the last that is opened. */
  readonly depth: number;
  readonly sheet: string | null;
  readonly limits: FileLimits;
  readonly finding: FindingSink;
}

/** Gives the tables of a part, whatever it is; passed to the archive reader, whose members may be anything. */
export type PartOpener = (part: Part) => AsyncIterable<Table>;

/** The refusal of archives inside archives inside archives. */
export function tooDeep({ source, limits }: Part): FileRefused {
  return new FileRefused(
    'unsupported',
    `${source.name} is packed more than ${limits.archiveDepthMax} times; unpack it before loading.`,
  );
}
