import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { typedReadings } from '../korean/typed-text.ts';
import { SearchIndexBuilder } from './builder.ts';
import { SearchIndex } from './index-file.ts';
import { typedNames } from './typed-names.ts';

test('names of many axes that begin with a typed text are found in steps of one key', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'pack.bin');
  using sink = new ByteSink(path);
  const builder = new SearchIndexBuilder(sink, { isPack: true });
  const documents = 300;
  for (let at = 0; at < documents; at++)
    builder.add(`가${String.fromCharCode(0xac00 + at)}`, [], []);
  builder.finish();
  sink.close();
  using index = SearchIndex.open(FileRange.of(path));
  const chunk = index.chunks[0]!;
  const setOf = chunk.setOf.bind(chunk);
  let reads = 0;
  chunk.setOf = (key) => {
    reads++;
    return setOf(key);
  };
  const parts = Array.from({ length: documents }, (_, at) => {
    return { index: at, from: at, to: at + 1, base: 0 };
  });
  const searched = { chunks: [{ chunk, parts }], isLast: new Uint8Array(documents) };
  const steps = typedNames(searched, typedReadings('가가')[0]!);
  let most = 0;
  for (;;) {
    const before = reads;
    const step = steps.next();
    most = Math.max(most, reads - before);
    if (step.done !== true) continue;
    assert.ok(step.value.length > 0);
    break;
  }
  assert.ok(reads > 20, `${reads} reads`);
  assert.ok(most < 20, `${most} reads in a step`);
});
