import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAxis, testAxis, testFields } from '../../../test/build-axis.ts';
import { buildCatalog, testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { catalogTypes } from '../../data/axis.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { MemoryStore, type MemoryAxis } from '../../../test/fixtures/memory-store.ts';
import { SnapshotStore } from './snapshot.ts';
import type { LookupStore } from './store.ts';

test('the snapshot store answers searches and pages like one that reads every record', async () => {
  await fc.assert(
    fc.asyncProperty(
      axisRows,
      axisRows,
      fc.array(anyText, { minLength: 1, maxLength: 8 }),
      async (one, two, texts) => {
        using data = temporaryFolder();
        buildAxis(data.path, 'file_1', one, placeOf);
        const id = buildAxis(data.path, 'file_2', two, placeOf);
        await using files = new SnapshotStore(data.path, id);
        const memory = new MemoryStore({
          snapshot: files.snapshot,
          axes: [inMemory(files, 'file_1', one), inMemory(files, 'file_2', two)],
        });
        for (const text of texts) await compareSearches(files, memory, text);
        for (const code of ['file_1', 'file_2']) await comparePages(files, memory, code);
      },
    ),
    { numRuns: 40 },
  );
});

async function compareSearches(
  files: LookupStore,
  memory: LookupStore,
  text: string,
): Promise<void> {
  const query = parseQuery(text);
  if (query.terms.length === 0) return;
  for (const [offset, limit] of [
    [0, 200],
    [3, 2],
    [0, 0],
  ] as const) {
    for (const scope of [{}, { axis: 'file_2' }, { axis: 'file_9' }, { region: '11' }] as const) {
      const texts = { ...query, offset, limit, ...scope };
      assert.deepEqual(plain(await files.search(texts)), plain(await memory.search(texts)), text);
    }
  }
}

test('the snapshot store answers catalog searches like one that reads every entry', async () => {
  await fc.assert(
    fc.asyncProperty(catalog, fc.array(anyText, { maxLength: 6 }), async (entries, texts) => {
      using data = temporaryFolder();
      const id = buildCatalog(data.path, entries);
      await using files = new SnapshotStore(data.path, id);
      const axes = [inMemory(files, 'file_1', [['하나', null]])];
      const memory = new MemoryStore({ snapshot: files.snapshot, axes, catalog: entries });
      for (const text of ['', '1', ...texts]) {
        for (const type of [undefined, 'FILE', 'STD'] as const) {
          const query = { ...parseQuery(text), offset: 1, limit: 3 };
          const [one, two] = await Promise.all(
            [files, memory].map((store) =>
              store.catalogSearch(type === undefined ? query : { ...query, type }),
            ),
          );
          assert.deepEqual(plain(one!), plain(two!), `${text} ${type}`);
        }
      }
    }),
    { numRuns: 30 },
  );
});

async function comparePages(files: LookupStore, memory: LookupStore, code: string): Promise<void> {
  for (const regions of [undefined, ['11'], ['11110', '26110'], ['50']]) {
    for (const [offset, limit] of [
      [0, 500],
      [1, 3],
      [40, 5],
    ] as const) {
      const query = { offset, limit, ...(regions === undefined ? {} : { regions }) };
      const [one, two] = [await files.page(code, query), await memory.page(code, query)];
      assert.deepEqual([one.count, one.total], [two.count, two.total]);
      assert.deepEqual(
        JSON.parse(`[${one.items.toString()}]`),
        JSON.parse(`[${two.items.toString()}]`),
      );
    }
  }
}

/** Records as values: the bytes of two stores may differ where their meaning does not. */
function plain(result: { readonly hits: readonly { readonly record: Buffer }[] }): unknown {
  const hits = result.hits.map((hit) => ({
    ...hit,
    record: JSON.parse(hit.record.toString()) as unknown,
  }));
  return { ...result, hits };
}

function inMemory(
  store: LookupStore,
  code: string,
  rows: readonly (readonly (string | null)[])[],
): MemoryAxis {
  return {
    stored: { ...store.axes.get(code)!, axis: testAxis(code), fields: testFields },
    rows: rows.map(([name, note]) => ({ 이름: name!, 비고: note! })),
    regionsOfRows: rows.map((row) => placeOf(row)?.codes ?? []),
  };
}

/** Region of a record, which its note names. */
function placeOf(
  values: readonly unknown[],
): { codes: readonly string[]; basis: 'address' } | null {
  if (values[1] === '서울특별시 종로구') return { codes: ['11', '11110'], basis: 'address' };
  // A district whose text lacks the sido.
  if (values[1] === '중구' || values[1] === '부산광역시 중구')
    return { codes: ['26', '26110'], basis: 'address' };
  return null;
}

const part = fc.constantFrom(
  '강남',
  '역',
  '서울',
  '도서관',
  '1호점',
  'SK',
  '２층',
  '한마음',
  '가',
  '종로구',
  '무선인터넷',
  '와이파이',
  ' ',
);
const words = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const cell = fc.oneof(words, fc.constantFrom('서울특별시 종로구', '부산광역시 중구', '중구', null));
const axisRows = fc.array(fc.tuple(cell, cell), { maxLength: 40 });
const anyText = fc.oneof(
  words,
  words.map((text) => `"${text}"`),
  fc.constantFrom('종로', '구', 'sk', '서울특별시', '서울시', '부산', '중구 부산시', '강남 서울시'),
);
const catalog = fc
  .uniqueArray(
    fc.record({
      portalId: fc.integer({ min: 1, max: 12 }).map(String),
      type: fc.constantFrom(...catalogTypes),
      title: words,
      provider: fc.option(words),
      keywords: fc.array(words, { maxLength: 3 }),
      modified: fc.constantFrom('2024-01-01', '2025-01-01', '2026-01-01', null),
    }),
    { maxLength: 20, selector: ({ type, portalId }) => `${type}:${portalId}` },
  )
  .map((entries) => entries.map((entry) => testEntry(entry)));
