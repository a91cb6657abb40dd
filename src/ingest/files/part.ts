import type { FileLimits } from './limits.ts';
import type { PartHeader } from './part-header.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { FindingSink, Table } from './table.ts';

/** A part of a file that is read as tables: the file itself or a member of an archive. */
export interface Part {
  readonly source: ByteSource;
  /** The path inside the archive; null for the file itself. */
  readonly path: string | null;
  /** Number of archives around the part, at most `archiveDepthMax`. */
  readonly depth: number;
  /** The file of the same name with another ending, such as `.cpg`; null if there is none. */
  beside(ending: string): ByteSource | null;
  readonly sheet: string | null;
  /** Header of the part that this one may continue without a header; null if there is none. */
  readonly firstHeader: PartHeader | null;
  readonly limits: FileLimits;
  readonly finding: FindingSink;
}

/** Opens a part of any format; the archive reader calls it for its members. */
export type PartOpener = (part: Part) => AsyncIterable<Table>;

/** The refusal of archives that are nested too deeply. */
export function nestingRefusal({ source, limits }: Part): FileRefused {
  return new FileRefused('unsupported', refusalTexts.nested(source.name, limits.archiveDepthMax));
}
