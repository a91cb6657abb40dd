import { join } from 'node:path';
import { FileRange } from '../file-range.ts';
import { repairAdvice } from '../read-fully.ts';
import { ChunkRange } from '../search/chunk-range.ts';
import { SearchIndex, type SearchChunk } from '../search/index-file.ts';
import type { AxisFiles } from './axis-files.ts';
import { axisFolder, fileNames } from './layout.ts';
import type { PackFile } from './pack-file.ts';

/** Opens the search index of an axis of a snapshot. That of a packed axis reads the index of its pack. */
export function openIndex(files: AxisFiles, code: string): SearchIndex {
  const pack = files.packOf(code);
  if (pack === null) {
    return SearchIndex.open(FileRange.of(join(files.folder, axisFolder(code), fileNames.search)));
  }
  const { from, summary } = pack.axis(code);
  return new SearchIndex([new ChunkRange(chunkOf(pack), from, summary.rows)]);
}

/** The search index of all records of a pack, closed with the pack. */
export function chunkOf(pack: PackFile): SearchChunk {
  let chunk = chunks.get(pack);
  if (chunk === undefined) {
    const { chunks: all } = pack.own(SearchIndex.open(pack.index));
    chunk = all[0];
    if (chunk === undefined || all.length > 1)
      throw new Error(`A pack has not one search index. ${repairAdvice}`);
    chunks.set(pack, chunk);
  }
  return chunk;
}

const chunks = new WeakMap<PackFile, SearchChunk>();
