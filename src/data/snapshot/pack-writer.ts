import { ByteSink } from '../byte-sink.ts';
import type { FileRange } from '../file-range.ts';
import { SearchIndexBuilder } from '../search/builder.ts';
import type { AxisFiles } from './axis-files.ts';
import { openIndex } from './axis-index.ts';
import { axisFileNames, fileNames, type FileFacts } from './layout.ts';
import { encodeFooter, type WrittenPackedAxis } from './pack-file.ts';
import type { PackedFacts } from './packed-files.ts';
import { encodeRegions } from './packed-regions.ts';

/** An axis to be packed, and the snapshot that has its files. */
interface AxisToPack {
  readonly code: string;
  readonly from: AxisFiles;
}

/** Writes a pack of axes at a path, without their Parquet files. Together they have at most as many records as a chunk. */
export function writePack(path: string, axes: readonly AxisToPack[]): FileFacts {
  using sink = new ByteSink(path);
  const packed: WrittenPackedAxis[] = [];
  let from = 0;
  for (const { code, from: source } of axes) {
    const stored = source.description(code)!;
    const { fields, axis, rows, schemaFingerprint, hasCoordinates } = stored;
    const labels = [...new Set(fields.map(({ label }) => label))];
    const summary = { axis, rows, schemaFingerprint, hasCoordinates, labels };
    const files = copyFiles(sink, code, source);
    const regions = encodeRegions(stored.regions);
    const place = { at: sink.position, bytes: regions.length };
    sink.write(regions);
    packed.push({ code, from, files, summary, regions: place });
    from += rows;
  }
  const at = sink.position;
  const index = new SearchIndexBuilder(sink, { isPack: true });
  for (const { code, from: source } of axes) {
    using own = openIndex(source, code);
    for (const chunk of own.chunks) index.addChunk(chunk);
  }
  index.finish();
  sink.write(encodeFooter({ index: { at, bytes: sink.position - at }, axes: packed }));
  return sink.close();
}

function copyFiles(sink: ByteSink, code: string, source: AxisFiles): Record<string, PackedFacts> {
  const files: Record<string, PackedFacts> = {};
  for (const name of axisFileNames) {
    if (name === fileNames.parquet) continue;
    const facts = source.facts(code, name);
    if (facts === undefined) continue;
    const { bytes, sha256 } = facts;
    using file = name === fileNames.search ? null : source.file(code, name);
    files[name] = { ...(file === null ? {} : { at: sink.position }), bytes, sha256 };
    if (file !== null) copyFile(sink, file);
  }
  return files;
}

/** Writes all bytes of a file to a sink. */
export function copyFile(sink: ByteSink, file: FileRange): void {
  for (let at = 0; at < file.size; at += blockBytes) {
    sink.write(file.read(Buffer.allocUnsafe(Math.min(blockBytes, file.size - at)), at));
  }
}

const blockBytes = 1 << 20;
