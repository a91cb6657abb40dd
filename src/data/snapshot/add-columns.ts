import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, StoredAxis } from '../axis.ts';
import { AxisColumns } from '../columns/axis-columns.ts';
import { RecordRuns } from '../columns/record-runs.ts';
import { FileRange } from '../file-range.ts';
import { RecordHash } from '../record-id.ts';
import { membersOf } from '../search/document-set.ts';
import { tagKey } from '../search/gram.ts';
import { SearchIndex, type SearchChunk } from '../search/index-file.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { RecordsFile } from './records.ts';

/** Adds the columns file to the folder of an axis from an earlier version, which wrote none. */
export function addColumns(folder: string): FileFacts {
  // Trusted, because the manifest has the hash of axis.json.
  const stored = JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
  const { fields, axis } = stored;
  const codes = stored.regions.map((region) => region.code);
  using records = RecordsFile.in(folder);
  using index = SearchIndex.open(FileRange.of(join(folder, fileNames.search)));
  const path = join(folder, fileNames.columns);
  using runs = new RecordRuns(`${path}.records`, fields.length);
  const hash = new RecordHash();
  for (const { bytes, starts, ends } of records.blocks()) {
    for (let i = 0; i < starts.length; i++) {
      // A records file contains only rows.
      const record = JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as Row;
      const values = fields.map(({ name }) => record[name] ?? null);
      hash.hashBytes(bytes, starts[i]!, ends[i]!);
      runs.add(values, hash.high, hash.low);
    }
  }
  using columns = new AxisColumns(path, fields, axis.keyFields);
  const regions = regionsOfRecords(index, codes);
  for (const run of runs.take()) {
    columns.add(run, () => ({ regionCodes: regions.next().value ?? null, isTotal: false }));
  }
  return columns.finish();
}

/** Region codes of each record, from the tags of the search index. */
function* regionsOfRecords(
  index: SearchIndex,
  codes: readonly string[],
): Generator<readonly string[], undefined> {
  for (const chunk of index.chunks) yield* regionsOfChunk(chunk, codes);
}

function regionsOfChunk(chunk: SearchChunk, codes: readonly string[]): readonly string[][] {
  const codesByRecord: string[][] = Array.from({ length: chunk.documents }, () => []);
  for (const code of codes) {
    for (const record of membersOf(chunk.setOf(tagKey(Number(code))))) {
      codesByRecord[record]!.push(code);
    }
  }
  return codesByRecord;
}
