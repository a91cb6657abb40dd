import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAxis, testAxis, testFields } from '../../../test/build-axis.ts';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Value } from '../../data/axis.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { typedReadings } from '../../data/korean/typed-text.ts';
import { AxisWriter } from '../../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { packsOf } from '../../data/snapshot/layout.ts';
import { readManifest } from '../../data/snapshot/snapshots.ts';
import { SnapshotStore } from './snapshot.ts';
import type { LookupStore } from './store.ts';

test('packed axes answer every query as axes with files of their own', async () => {
  await fc.assert(
    fc.asyncProperty(anyAxes, anyAxes, anyTexts, async (first, second, texts) => {
      using lone = temporaryFolder();
      using packed = temporaryFolder();
      const ids = [
        [lone.path, undefined],
        [packed.path, 1],
      ] as const;
      const stores = ids.map(([data, looseMax]) => {
        publish(data, first, looseMax);
        return new SnapshotStore(data, publish(data, second, looseMax));
      });
      await using one = stores[0]!;
      await using other = stores[1]!;
      assert.ok(packsOf(readManifest(packed.path, other.snapshot.id)).length > 0);
      for (const text of texts) {
        assert.deepEqual(await searchesOf(other, text), await searchesOf(one, text), text);
      }
      assert.deepEqual(await axesOf(other), await axesOf(one));
    }),
    { numRuns: isLongForm ? 1_000 : 12 },
  );
});

test('names that begin with a text come from packed axes as from others, in one order', async () => {
  using lone = temporaryFolder();
  using packed = temporaryFolder();
  const syllables = [...'가각간갈감갑강같개거'];
  const namesOf = (axis: string, each: number): string[] =>
    syllables.flatMap((syllable, place) =>
      Array.from({ length: each + ((place * 7) % 5) }, (_, at) => `${syllable}${axis}${at}`),
    );
  const axes = { a: namesOf('나', 3), b: namesOf('나', 9), c: namesOf('다라', 1), d: ['가', '간'] };
  publish(lone.path, axes);
  await using one = new SnapshotStore(lone.path, publish(lone.path, { e: ['갸'] }));
  publish(packed.path, axes, 1);
  await using other = new SnapshotStore(packed.path, publish(packed.path, { e: ['갸'] }));
  for (const text of ['가', '가나', '강나1', '간', 'ㄱㄴ1', '거다라0']) {
    const [expected, found] = await Promise.all(
      [one, other].map((store) => namesTyped(store, text)),
    );
    assert.ok(expected!.length > 0 || text === 'ㄱㄴ1', text);
    assert.deepEqual(found, expected, text);
  }
});

async function namesTyped(store: LookupStore, text: string): Promise<string[][]> {
  const found = await Promise.all(typedReadings(text).map((typed) => store.typedNames(typed)));
  return found.map((names) => names.map(({ axis, record }) => `${axis} ${nameIn(record)}`));
}

test('a packed axis that was put again or dropped answers from its new records alone', async () => {
  using data = temporaryFolder();
  publish(data.path, { a: ['강남 하나'], b: ['강남 둘'], c: ['강남 셋'], d: ['강남 넷'] }, 1);
  const first = publish(data.path, { b: ['서초 다섯'] }, 9);
  assert.deepEqual(await namesFound(data.path, first, '강남'), ['강남 넷', '강남 셋', '강남 하나']);
  assert.deepEqual(await namesFound(data.path, first, '둘'), []);
  assert.deepEqual(await namesFound(data.path, first, '서초'), ['서초 다섯']);
  using builder = new SnapshotBuilder(data.path);
  builder.dropAxis('file_1');
  const second = builder.publish('Dropped one.');
  assert.deepEqual(await namesFound(data.path, second, '강남'), ['강남 넷', '강남 셋']);
});

test('changes and earlier records of a packed axis are read from its earlier pack', async () => {
  using data = temporaryFolder();
  const first = publish(data.path, { a: ['하나', '둘'], b: ['셋'], c: ['넷'] }, 1);
  const second = publish(data.path, { a: ['다섯', '둘'] }, 1);
  await using store = new SnapshotStore(data.path, second);
  const changes = await store.changes('file_1', { since: first, offset: 0, limit: 9 });
  assert.deepEqual(changes!.totals, { added: 1, changed: 0, removed: 1 });
  const unchanged = await store.changes('file_2', { since: first, offset: 0, limit: 9 });
  assert.deepEqual(unchanged!.totals, { added: 0, changed: 0, removed: 0 });
  await using earlier = new SnapshotStore(data.path, first);
  const [added] = earlier.additions('file_1', [0]);
  const found = await store.earlierRecord({ snapshot: first, code: 'file_1', id: added!._id });
  assert.match(found!.record.toString(), /하나/);
  assert.equal(found!.stored.rows, 2);
});

test('a snapshot of packs keeps its answers beside an axis of 70,000 records', async () => {
  using data = temporaryFolder();
  const many = Array.from({ length: 70_000 }, (_, at) => [`강남 ${at}`, '주차장']);
  buildAxis(data.path, 'file_2', many);
  const id = publish(data.path, { a: ['강남역'], c: ['강남역'], d: ['서초역'] }, 1);
  await using store = new SnapshotStore(data.path, id);
  const { total, axes, hits } = await store.search({ ...parseQuery('강남'), offset: 0, limit: 3 });
  assert.equal(total, 70_002);
  assert.deepEqual(
    axes.first(10).map(({ axis, count }) => [axis, count]),
    [
      ['file_2', 70_000],
      ['file_1', 1],
      ['file_3', 1],
    ],
  );
  assert.deepEqual(
    hits.map(({ axis }) => axis),
    ['file_1', 'file_3', 'file_2'],
  );
});

/** Names of the records of axes by a letter: a is file_1, and so on. */
type Axes = Readonly<Record<string, readonly string[]>>;

/** Publishes axes; `looseMax` of them become packs. */
function publish(data: string, axes: Axes, looseMax?: number): string {
  using builder = new SnapshotBuilder(data, looseMax === undefined ? {} : { looseMax });
  for (const [letter, names] of Object.entries(axes)) {
    const code = `file_${letter.charCodeAt(0) - 96}`;
    using writer = new AxisWriter(
      builder.stageAxis(code),
      testFields.map(({ name }) => name),
    );
    for (const [at, name] of names.entries()) writer.add([name, at % 2 === 0 ? '주차장' : null]);
    const axis = { ...testAxis(code), title: `${letter} 도서관`, collectedAt: '2026-01-01' };
    builder.putAxis(code, writer.finish(axis, testFields, { joinRegion }).files);
  }
  return builder.publish('Published.');
}

function joinRegion(values: readonly Value[]) {
  return String(values[0]).includes('강') ? ({ codes: ['11'], basis: 'field' } as const) : null;
}

async function searchesOf(store: LookupStore, text: string): Promise<unknown> {
  const query = parseQuery(text);
  const names: string[] = [];
  for (const typed of typedReadings(text)) {
    const found = await store.typedNames(typed);
    names.push(...found.map(({ record }) => nameIn(record)).sort());
  }
  if (query.terms.length === 0) return names;
  const scopes = [{}, { axis: 'file_2' }, { region: '11' }, { match: 'record' }] as const;
  const pages = [
    { offset: 0, limit: 200 },
    { offset: 3, limit: 2 },
  ];
  const found: unknown[] = [names, await store.hasMatch(query)];
  // Words of an axis that was put again stay in the index of its pack; a suggestion is searched for.
  for (const word of await store.similarWords(text, 'records')) {
    if (await store.hasMatch(parseQuery(word))) found.push(word);
  }
  for (const scope of scopes) {
    for (const page of pages)
      found.push(plain(await store.search({ ...query, ...page, ...scope })));
  }
  return found;
}

/** Everything about the axes that requests of one axis read. */
async function axesOf(store: LookupStore): Promise<unknown> {
  const all: unknown[] = [];
  for (const [code, stored] of store.axes) {
    const { axis, rows, fields, regions, schemaFingerprint, hasCoordinates } = stored;
    const every = Array.from({ length: rows }, (_, at) => at);
    const selected = { search: parseQuery('강'), regions: ['11'], offset: 0, limit: 9 };
    const file = store.parquet(code)!;
    const parts: Buffer[] = [];
    for await (const part of file.read(0, file.length)) parts.push(Buffer.from(part));
    all.push(
      [axis, rows, fields, regions, schemaFingerprint, hasCoordinates],
      plain(await store.page(code, { offset: 1, limit: 3 })),
      plain(await store.page(code, { offset: 0, limit: 3, regions: ['11'] })),
      store.records(code, every).map(String),
      store.additions(code, every),
      await store.select(code, selected),
      await store.values(code, { column: '이름', offset: 0, limit: 9 }),
      [file.sha256, Buffer.concat(parts).toString('base64')],
    );
  }
  return all;
}

async function namesFound(data: string, id: string, text: string): Promise<string[]> {
  await using store = new SnapshotStore(data, id);
  const { hits } = await store.search({ ...parseQuery(text), offset: 0, limit: 9 });
  return hits.map(({ record }) => nameIn(record)).sort();
}

function nameIn(record: Uint8Array): string {
  return (JSON.parse(String(record)) as { 이름: string }).이름;
}

/** An answer with its bytes as text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && 'type' in member && 'data' in member
        ? Buffer.from(member.data as number[]).toString()
        : member,
    ),
  );
}

const syllable = fc.constantFrom(...'강남서울도서관주차장1 ');
const name = fc.string({ unit: syllable, minLength: 1, maxLength: 9 });
const names = fc.array(name, { minLength: 1, maxLength: 12 });
const anyAxes = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), names, { minKeys: 1 });
const anyTexts = fc.array(fc.oneof(name, fc.constantFrom('강남', '도서관', '서울 도서관')), {
  minLength: 1,
  maxLength: 6,
});
