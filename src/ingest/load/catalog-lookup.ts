import type { CatalogType, StoredAxis } from '../../data/axis.ts';
import { numberTag, typeTag, type CatalogEntry } from '../../data/catalog.ts';
import { taggedSet } from '../../data/search/listing.ts';
import { intersect, slice } from '../../data/search/document-set.ts';
import { searchIndexes } from '../../data/search/search.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { isSameAxis } from '../../data/snapshot/same-axis.ts';
import type { CatalogLookup } from './identity.ts';
import { matchTitle, noMatches, titleEnds, titleWords, type TitleMatches } from './title-match.ts';

/** Opens a snapshot to look up its axes by code and its catalog entries by number or title. */
export function openCatalogLookup(
  data: string,
  id: string | null,
): CatalogLookup & StoredAxes & Disposable {
  const opened = id === null ? null : OpenedSnapshot.open(data, id);
  // The catalog of the sample portal does not describe real files.
  const isSample = opened?.catalog?.summary.origin === 'sample';
  const part = isSample ? null : (opened?.catalog?.part ?? null);
  const entry = (document: number): CatalogEntry =>
    JSON.parse(part!.records.record(document).toString()) as CatalogEntry;
  return {
    storedAxis: (code) => opened?.files.description(code) ?? null,
    isStored(written) {
      const previous = opened?.files.description(written.stored.axis.code) ?? null;
      return opened !== null && previous !== null && isSameAxis(written, previous, opened.files);
    },
    byNumber(portalId) {
      if (part === null) return null;
      // A number can have entries of several types; a data file most likely belongs to FILE.
      for (const type of ['FILE', 'STD', 'API', 'LINKED'] satisfies CatalogType[]) {
        for (const chunk of part.index.chunks) {
          const documents = intersect(
            taggedSet(chunk, [numberTag(portalId)]),
            chunk.setOf(typeTag(type)),
          );
          const [document] = slice(documents, 0, 1);
          if (document !== undefined) return entry(chunk.base + document);
        }
      }
      return null;
    },
    byTitle(title) {
      if (part === null) return noMatches;
      const words = titleWords(title);
      if (words.length === 0) return noMatches;
      const find = (texts: readonly string[]): TitleMatches => {
        const terms = texts.map((text) => ({ text, phrase: false }));
        const query = { terms, text: texts.join(' ') };
        const page = { offset: 0, limit: entriesReadMax };
        const { matches } = searchIndexes([part], query, page);
        return matchTitle(
          title,
          matches.map(({ document }) => entry(document)),
        );
      };
      const found = find(words);
      // The catalog may have a blank inside a word of the file’s name.
      return found.same.length > 0 ? found : find(titleEnds(title));
    },
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
    },
  };
}

/** Number of catalog entries that are compared with a title, starting with entries that begin with its words. */
const entriesReadMax = 1000;

/** Axes of the current snapshot. */
export interface StoredAxes {
  storedAxis(code: string): StoredAxis | null;
  /** True if the axis is stored already with the same records, fields and facts. */
  isStored(written: WrittenAxis): boolean;
}
