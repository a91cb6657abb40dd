import { join } from 'node:path';
import { ByteSink } from '../byte-sink.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import type { AxisFiles } from './axis-files.ts';
import { openIndex } from './axis-index.ts';
import { axisFileNames, fileNames, type FileFacts } from './layout.ts';
import { copyFile } from './pack-writer.ts';

/** Writes the files of a packed axis, except `axis.json`, into a folder as they were before the axis was packed. */
export function unpackAxis(
  folder: string,
  code: string,
  from: AxisFiles,
): Record<string, FileFacts> {
  const files: Record<string, FileFacts> = {};
  for (const name of axisFileNames) {
    if (name === fileNames.axis || from.facts(code, name) === undefined) continue;
    using sink = new ByteSink(join(folder, name));
    if (name === fileNames.search) writeIndex(sink, code, from);
    else copyFile(sink, from.file(code, name)!);
    files[name] = sink.close();
  }
  return files;
}

function writeIndex(sink: ByteSink, code: string, from: AxisFiles): void {
  const index = new SearchIndexBuilder(sink);
  for (const chunk of openIndex(from, code).chunks) index.addChunk(chunk);
  index.finish();
}
