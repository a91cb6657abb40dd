import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { ByteSink } from '../../data/byte-sink.ts';
import { FileRange } from '../../data/file-range.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { SearchIndexBuilder } from '../../data/search/builder.ts';
import { SearchIndex } from '../../data/search/index-file.ts';
import type { Matches, Search } from '../../data/search/search.ts';
import { separately } from '../../data/search/searched-indexes.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { RecentSearches } from './recent-searches.ts';

test('a search over a hundred million documents is kept for its next page', () => {
  using opened = indexOf(['서울 강남구', '부산', '서울 종로구']);
  const searches = new RecentSearches();
  let found = 0;
  const indexesOf = () => {
    found++;
    return { ...separately([{ index: opened.index }]), documents: 100_000_000 };
  };
  const requested = { scope: '', query: parseQuery('서울'), indexesOf };
  const page = (offset: number): Matches =>
    runSteps(searches.run(requested, (search) => search.page({ offset, limit: 1 })));
  assert.deepEqual(
    [page(0), page(1)].map(({ total, matches }) => [total, matches[0]?.document]),
    [
      [2, 0],
      [2, 2],
    ],
  );
  assert.equal(found, 1);
});

test('the bytes of a search grow with its results and with the texts that it keeps', () => {
  using opened = indexOf(Array.from({ length: 9_000 }, (_, at) => `서울특별시 ${at}`));
  const searches = new RecentSearches();
  const bytes: number[] = [];
  const requested = {
    scope: '',
    query: parseQuery('서울특별시'),
    indexesOf: () => [{ index: opened.index }],
  };
  const read = function* (search: Search): Generator<void, void> {
    bytes.push(search.bytes);
    yield* search.page({ offset: 0, limit: 10 });
    bytes.push(search.bytes);
    yield* search.sets();
    bytes.push(search.bytes);
  };
  runSteps(searches.run(requested, read));
  const [before, counted, checked] = bytes as [number, number, number];
  // A bitmap of the candidates, and 512 ranked hits; then a number for each document.
  assert.ok(counted > before + 8_192 && counted < before + 1_000_000, `${counted}`);
  assert.ok(checked >= counted, `${checked}`);
});

function indexOf(names: readonly string[]): { readonly index: SearchIndex } & Disposable {
  const folder = temporaryFolder();
  const path = join(folder.path, 'index.bin');
  {
    using sink = new ByteSink(path);
    const builder = new SearchIndexBuilder(sink);
    for (const name of names) builder.add(name, [], []);
    builder.finish();
    sink.close();
  }
  const index = SearchIndex.open(FileRange.of(path));
  return {
    index,
    [Symbol.dispose]: () => {
      index[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}
