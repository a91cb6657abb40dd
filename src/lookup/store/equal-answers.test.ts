import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { testAxis } from '../../../test/build-axis.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { queriesOf, type QueriedTable } from '../../../test/fixtures/table-queries.ts';
import { isLongForm, realData, realDataTest } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Axis, Field, FieldRole, FieldType, Row, Value } from '../../data/axis.ts';
import type { GroupsQuery } from '../../data/columns/groups.ts';
import type { SelectQuery } from '../../data/columns/select-records.ts';
import type { ValuesQuery } from '../../data/columns/values.ts';
import { createAxisRegionJoiner } from '../../data/regions/axis-joiner.ts';
import { AxisWriter } from '../../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import type { RegionJoin } from '../../data/snapshot/index-records.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { loadFiles } from '../../ingest/load/load.ts';
import { SnapshotStore } from './snapshot.ts';

/** Generated tables, queries of each, and queries of each loaded axis. */
const [tables, queries, queriesOfAxis] = isLongForm ? [1000, 20, 100] : [25, 16, 40];
/** Records of a loaded axis that are compared. */
const loadedRowsMax = 400;

test('columns select, sort and group records as a scan of all records does', async () => {
  const texts = { patterns, searches: ['강남', '서울', '서울시', 'sk'] };
  const { select, values, groups } = queriesOf({ fields, values: cells, ...texts });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 60 }),
      listOf(select, queries),
      listOf(values, queries / 4),
      listOf(groups, queries / 2),
      async (rows, selects, counted, grouped) => {
        await using stores = openStores({ axis: testAxis('file_1'), fields, rows, regionOf });
        for (const query of selects) await stores.compareSelect(query);
        for (const query of selects.slice(0, 4)) await stores.compareClusters(query);
        for (const query of counted) await stores.compareValues(query);
        for (const query of grouped) await stores.compareGroups(query);
        await stores.compareAdditions();
      },
    ),
    { numRuns: tables },
  );
});

test('columns answer for the records of a loaded file as a scan of them does', async () => {
  await compareLoaded([resolve(import.meta.dirname, '../../../test/fixtures/car-parks.csv')]);
});

realDataTest('columns answer for the records of real files as a scan of them does', async (t) => {
  // The large ones are for the benchmark.
  const folders = readdirSync(realData).filter((name) => name !== 'load' && !name.includes('.'));
  const compared = await compareLoaded(folders.map((name) => join(realData, name)));
  t.diagnostic(`${compared} queries of real records`);
});

function listOf<Query>(query: fc.Arbitrary<Query>, length: number): fc.Arbitrary<Query[]> {
  return fc.array(query, { minLength: length, maxLength: length });
}

/** Loads files and compares answers for the first records of each axis; returns the number of queries. */
async function compareLoaded(paths: readonly string[]): Promise<number> {
  using data = temporaryFolder();
  await loadFiles(data.path, paths);
  await using store = new SnapshotStore(data.path, currentId(data.path)!);
  let compared = 0;
  for (const [code, stored] of store.axes) {
    const ordinals = Array.from({ length: Math.min(stored.rows, loadedRowsMax) }, (_, row) => row);
    const rows = store
      .records(code, ordinals)
      // A record is an object of its fields.
      .map((json) => Object.values(JSON.parse(json.toString()) as Record<string, Value>));
    const regionOf = createAxisRegionJoiner(stored.fields) ?? (() => null);
    await using stores = openStores({ ...stored, rows, regionOf });
    const { select, values, groups } = queriesOf(tableOf(stored.fields, rows));
    await fc.assert(
      fc.asyncProperty(select, values, groups, async (selected, counted, grouped) => {
        await stores.compareSelect(selected);
        await stores.compareValues(counted);
        await stores.compareGroups(grouped);
        compared += 3;
      }),
      { numRuns: queriesOfAxis },
    );
    await stores.compareAdditions();
  }
  return compared;
}

/** Values of loaded records to compare with, parts of them for patterns, and words of them to search for. */
function tableOf(
  fieldsOfAxis: readonly Field[],
  rows: readonly (readonly Value[])[],
): QueriedTable {
  const values = fieldsOfAxis.map((_, at) =>
    [...new Set(rows.map((row) => row[at]!))].slice(0, 50),
  );
  const texts = values.flat().filter((value) => typeof value === 'string');
  const some = texts.filter((_, at) => at % Math.ceil(texts.length / 40) === 0);
  return {
    fields: fieldsOfAxis,
    values,
    patterns: ['%', '', ...some.map((text) => `%${text.slice(1, 3).replaceAll(/[%_\\]/g, '')}%`)],
    searches: ['서울', '서울특별시', ...some.flatMap((text) => /[가-힣]{2}/.exec(text)?.[0] ?? [])],
  };
}

interface TableContent {
  readonly axis: Axis;
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly Value[])[];
  readonly regionOf: RegionJoin;
}

/** Publishes a table and opens it beside a store that scans all records. */
function openStores({ axis, fields: ofAxis, rows, regionOf: findRegion }: TableContent) {
  const { code } = axis;
  const data = temporaryFolder();
  const files = new SnapshotStore(data.path, publish());
  const plain = new MemoryStore({
    snapshot: files.snapshot,
    axes: [
      {
        stored: files.axes.get(code)!,
        rows: rows.map((row) => Object.fromEntries(ofAxis.map(({ name }, at) => [name, row[at]!]))),
        regionsOfRows: rows.map((row) => findRegion(row)?.codes ?? []),
      },
    ],
  });
  function publish(): string {
    using builder = new SnapshotBuilder(data.path);
    const names = ofAxis.map(({ name }) => name);
    using writer = new AxisWriter(builder.stageAxis(code), names);
    for (const row of rows) writer.add(row);
    builder.putAxis(code, writer.finish(axis, ofAxis, { joinRegion: findRegion }).files);
    return builder.publish('Built a table.');
  }
  return {
    async compareSelect(query: SelectQuery): Promise<void> {
      const answers = [await files.select(code, query), await plain.select(code, query)];
      assert.deepEqual(answers[0], answers[1], `${code} ${JSON.stringify(query)}`);
    },
    /** Compares the clusters of a selection in a coarse and a fine grid. */
    async compareClusters({ condition, near, bbox }: SelectQuery): Promise<void> {
      const selection = {
        ...(condition === undefined ? {} : { condition }),
        ...(near === undefined ? {} : { near }),
        ...(bbox === undefined ? {} : { bbox }),
      };
      for (const cell of [0.003, 2]) {
        const grid = { west: 126.97, north: 37.57, cell, columns: 13, rows: 11 };
        const query = { ...selection, grid };
        const answers = [await files.clusters(code, query), await plain.clusters(code, query)];
        assert.deepEqual(answers[0], answers[1], `${code} ${JSON.stringify(query)}`);
      }
    },
    async compareValues(query: ValuesQuery): Promise<void> {
      const answers = [await files.values(code, query), await plain.values(code, query)];
      assert.deepEqual(answers[0], answers[1], `${code} ${JSON.stringify(query)}`);
      const type = ofAxis.find(({ name }) => name === query.column)?.type;
      if (type !== 'integer' && type !== 'number') return;
      const bins = [await files.histogram(code, query), await plain.histogram(code, query)];
      assert.deepEqual(bins[0], bins[1], `${code} ${JSON.stringify(query)}`);
    },
    async compareGroups(query: GroupsQuery): Promise<void> {
      const [answer, exact] = [await files.groups(code, query), await plain.groups(code, query)];
      const items = exact.items.map((item, at) => roundedAs(item, answer.items[at]));
      assert.deepEqual(answer, { ...exact, items }, `${code} ${JSON.stringify(query)}`);
    },
    async compareAdditions(): Promise<void> {
      const everyRow = [...rows.keys()];
      const additions = files.additions(code, everyRow);
      assert.deepEqual(additions, plain.additions(code, everyRow));
      for (const { _id } of additions.slice(0, 3)) {
        assert.equal(await files.rowOf(code, _id), await plain.rowOf(code, _id));
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await files[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}

/**
 * A group with the sums of `other` where both differ by the rounding of thousands of additions: the scan sums decimals,
 * columns with too many decimal places sum binary numbers.
 */
function roundedAs(group: Row, other: Row | undefined): Row {
  return Object.fromEntries(
    Object.entries(group).map(([name, exact]) => {
      const sum = other?.[name];
      return [name, isRounded(exact, sum) ? sum : exact];
    }),
  );
}

function isRounded(exact: Value, sum: Value | undefined): sum is number {
  return (
    typeof exact === 'number' &&
    typeof sum === 'number' &&
    !Number.isInteger(exact) &&
    Math.abs(sum - exact) <= Math.abs(exact) * 2 ** -40
  );
}

/** Region of a record, which its name gives. */
function regionOf([name]: readonly Value[]): { codes: string[]; basis: 'address' } | null {
  if (name === '서울') return { codes: ['11', '11110'], basis: 'address' };
  if (name === '수원') return { codes: ['41', '41110', '41111'], basis: 'address' };
  return name === '광주' ? { codes: ['12', '29', '12210'], basis: 'address' } : null;
}

const fields: readonly Field[] = [
  field('이름', 'string', 'name'),
  field('수', 'integer'),
  field('비율', 'number'),
  field('날', 'date'),
  field('때', 'datetime'),
  field('여부', 'boolean'),
  field('위도', 'number', 'lat'),
  field('경도', 'number', 'lon'),
];

function field(name: string, type: FieldType, role: FieldRole | null = null): Field {
  const stats = {
    nonNull: 0,
    distinct: 0,
    minLength: null,
    maxLength: null,
    min: null,
    max: null,
    examples: [],
  };
  const searchable = type === 'string';
  return {
    name,
    label: name,
    labelEn: null,
    labelSource: 'header',
    type,
    unit: null,
    role,
    searchable,
    stats,
  };
}

const texts = [
  '서울',
  '수원',
  '광주',
  'SK',
  'sk',
  'ＳＫ',
  '강남 구',
  '강남  구',
  '1호점',
  'a_b',
  '100%',
  '-',
];
const integers = [
  '0',
  '7',
  '15,293',
  '15293',
  '+7',
  '-3',
  '100',
  '9007199254740991',
  '-',
  '미상',
  7,
  -3,
];
const numbers = ['0.1', '0.2', '0.30', '3', '1,000.5', '-0.7', '1.0E-4', '해당없음', '없음', 0.1];
const days = [
  '2024-06-01',
  '20240601',
  '2024.6.1',
  '2024-06-30',
  '2023-12-31',
  '2025/01/02',
  '9999-12-31',
  '0000-00-00',
  '2024-02-31',
  '봄',
];
const moments = [
  '2024-06-01 09:30',
  '2024-06-01T09:30:15',
  '202406010930',
  '2024-06-01',
  '2023-12-31 24:00',
  '-',
  '어제',
];
const booleans = ['TRUE', 'false', true, false, 'Y', '-'];
const latitudes = ['37.5665', '37.5700', '35.1', '0', '95', '-', 37.5665];
const longitudes = ['126.9780', '127.0', '129.05', '0', '200', '북', 127];

const cells = [texts, integers, numbers, days, moments, booleans, latitudes, longitudes];
const record = fc.tuple(
  ...cells.map((values) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...values) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  ),
) as fc.Arbitrary<Value[]>;
const patterns = [
  '%강남%',
  's_',
  '%호점',
  '1%',
  '%',
  '',
  '100\\%',
  'a\\_b',
  '%0%3%',
  '서울',
  '%24-06%',
  '__',
];
