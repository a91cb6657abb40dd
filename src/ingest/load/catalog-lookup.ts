import type { CatalogType, StoredAxis } from '../../data/axis.ts';
import { numberTag, typeTag, type CatalogEntry } from '../../data/catalog.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { taggedSet } from '../../data/search/listing.ts';
import { intersect, slice } from '../../data/search/document-set.ts';
import { searchIndexes } from '../../data/search/search.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { isSameAxis } from '../../data/snapshot/same-axis.ts';
import type { CatalogLookup } from './identity.ts';

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
    storedAxis: (code) => opened?.axes.get(code) ?? null,
    isStored(written) {
      const previous = opened?.axes.get(written.stored.axis.code);
      if (opened === null || previous === undefined) return false;
      return isSameAxis(written, previous, opened.manifest);
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
      if (part === null) return null;
      const text = matchingText(title);
      if (text === '') return null;
      const terms = text.split(' ').map((word) => ({ text: word, phrase: false }));
      const { matches } = searchIndexes([part.index], { terms, text }, { offset: 0, limit: 2 });
      const exact = matches.filter(({ rank }) => rank.tier === 0);
      // If two datasets have the title, either may be meant: no entry is better than a wrong one.
      return exact.length === 1 ? entry(exact[0]!.document) : null;
    },
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
    },
  };
}

/** Axes of the current snapshot. */
export interface StoredAxes {
  storedAxis(code: string): StoredAxis | null;
  /** True if the axis is stored already with the same records, fields and facts. */
  isStored(written: WrittenAxis): boolean;
}
