import { basename, dirname } from 'node:path/posix';
import { columnsKey } from './column-names.ts';
import { datasetOfFileName } from './dataset-name.ts';
import type { Part, PartOpener } from './part.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';

/**
 * Keys of the sets of columns that members with different titles or folders have in common. Tables with equal columns
 * become one, and often nothing but the file names distinguishes their rows. Parts and versions of one file have one
 * title.
 */
export async function commonColumns(
  members: readonly Part[],
  openPart: PartOpener,
): Promise<ReadonlySet<string>> {
  const titles = new Map<string, Set<string>>();
  for (const member of members) {
    const path = member.path ?? '';
    const source = textName.test(path) ? firstLines(member.source) : member.source;
    try {
      for await (const { part, columns } of openPart({ ...member, source, finding: () => {} })) {
        const key = columnsKey(columns);
        const title = titleKey(part ?? path);
        titles.set(key, (titles.get(key) ?? new Set()).add(title));
      }
    } catch (error) {
      // It is reported when the member is read.
      if (!(error instanceof FileRefused)) throw error;
    }
  }
  return new Set([...titles].flatMap(([key, { size }]) => (size > 1 ? [key] : [])));
}

function titleKey(path: string): string {
  return JSON.stringify([dirname(path), datasetOfFileName(basename(path)).title]);
}

/** Names of texts whose columns can be read from their first lines. */
const textName = /\.(?:csv|tsv|txt)$/iu;

/** The first bytes of a source, up to the end of their last whole line. */
function firstLines(source: ByteSource): ByteSource {
  return {
    name: source.name,
    async *open() {
      let length = 0;
      for await (const bytes of source.open()) {
        length += bytes.length;
        if (length < headBytes) yield bytes;
        else {
          yield bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
          return;
        }
      }
    },
  };
}

const headBytes = 256 * 1024;
const lineFeed = 10;
