import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testAxis } from '../../../test/build-axis.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Field, FieldRole, FieldType, Value } from '../../data/axis.ts';
import type { Aggregate } from '../../data/columns/aggregates.ts';
import type { SelectQuery } from '../../data/columns/select-records.ts';
import type { Condition } from '../../data/columns/condition.ts';
import type { GroupKey } from '../../data/columns/group-keys.ts';
import type { Selection } from '../../data/columns/selection.ts';
import { valueBounds } from '../../data/columns/value-bounds.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { AxisWriter } from '../../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { SnapshotStore } from './snapshot.ts';

/** Generated tables, and queries of each. */
const [tables, queries] = isLongForm ? [1000, 20] : [25, 16];

test('columns select, sort and group records as a scan of all records does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 60 }),
      fc.array(selectQuery, { minLength: queries, maxLength: queries }),
      fc.array(valuesQuery, { minLength: queries / 4, maxLength: queries / 4 }),
      fc.array(groupsQuery, { minLength: queries / 2, maxLength: queries / 2 }),
      async (rows, selects, counted, grouped) => {
        using data = temporaryFolder();
        const id = buildTable(data.path, rows);
        await using files = new SnapshotStore(data.path, id);
        const plain = new MemoryStore({
          snapshot: files.snapshot,
          axes: [
            {
              stored: files.axes.get('file_1')!,
              rows: rows.map((row) =>
                Object.fromEntries(fields.map((f, at) => [f.name, row[at]!])),
              ),
              regionsOfRows: rows.map((row) => regionOf(row)?.codes ?? []),
            },
          ],
        });
        for (const query of selects) {
          assert.deepEqual(
            await files.select('file_1', query),
            await plain.select('file_1', query),
            JSON.stringify(query),
          );
        }
        for (const query of counted) {
          const answer = await files.values('file_1', query);
          assert.deepEqual(answer, await plain.values('file_1', query), JSON.stringify(query));
        }
        for (const query of grouped) {
          const answer = await files.groups('file_1', query);
          assert.deepEqual(answer, await plain.groups('file_1', query), JSON.stringify(query));
        }
        const everyRow = [...rows.keys()];
        const additions = files.additions('file_1', everyRow);
        assert.deepEqual(additions, plain.additions('file_1', everyRow));
        for (const { _id } of additions.slice(0, 3)) {
          assert.equal(await files.rowOf('file_1', _id), await plain.rowOf('file_1', _id));
        }
      },
    ),
    { numRuns: tables },
  );
});

function buildTable(data: string, rows: readonly (readonly Value[])[]): string {
  using builder = new SnapshotBuilder(data);
  using writer = new AxisWriter(
    builder.stageAxis('file_1'),
    fields.map(({ name }) => name),
  );
  for (const row of rows) writer.add(row);
  const { files } = writer.finish(testAxis('file_1'), fields, { joinRegion: regionOf });
  builder.putAxis('file_1', files);
  return builder.publish('Built a table.');
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

const columnNames = [...fields.map(({ name }) => name), '_sido', '_sigungu', '_total'];
const column = fc.constantFrom(...columnNames);
const operator = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
const moreValues = ['2024', '2024-06', '202406', '5', '1.5', 'true', '11', '41111', '강', '가나다'];

/** A value to compare a column with: mostly one of its own. */
function valueFor(name: string): fc.Arbitrary<string> {
  const own = cells[columnNames.indexOf(name)] ?? ['11', '41111', '12', 'true', 'false'];
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...own.map(String)) },
    { weight: 1, arbitrary: fc.constantFrom(...moreValues) },
  );
}

const leaf: fc.Arbitrary<Condition> = column.chain((name) => {
  const value = valueFor(name);
  const type =
    fields.find((one) => one.name === name)?.type ?? (name === '_total' ? 'boolean' : 'string');
  const readable = value.filter(
    (text) => type === 'string' || valueBounds({ type }, text) !== null,
  );
  const isNegated = fc.boolean();
  return fc.oneof(
    fc.tuple(operator, value, readable).map(([sign, any, read]): Condition => {
      const isEquality = sign === '=' || sign === '<>';
      return { kind: 'compare', column: name, operator: sign, value: isEquality ? any : read };
    }),
    fc.record({
      kind: fc.constant('between' as const),
      column: fc.constant(name),
      from: readable,
      to: readable,
      isNegated,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(name),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
      isNegated,
    }),
    fc.record({
      kind: fc.constant('like' as const),
      column: fc.constant(name),
      pattern,
      isNegated,
    }),
    fc.record({ kind: fc.constant('null' as const), column: fc.constant(name), isNegated }),
  );
});
const pattern = fc.constantFrom(
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
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('node') }),
  ),
})).node;

const center = fc.constantFrom({ lat: 37.5665, lon: 126.978 }, { lat: 35, lon: 129 });
const selection: fc.Arbitrary<Selection> = fc.record(
  {
    condition,
    regions: fc.constantFrom(['11'], ['29', '41110'], ['50']),
    search: fc.constantFrom('강남', '서울', 'sk').map((text) => parseQuery(text)),
    near: fc.tuple(center, fc.constantFrom(undefined, 100, 50_000)).map(([place, radius]) => ({
      ...place,
      ...(radius === undefined ? {} : { radius }),
    })),
    bbox: fc.constantFrom({ minLon: 126, minLat: 35, maxLon: 128, maxLat: 37.57 }),
  },
  { requiredKeys: [] },
);
const sortTerm = fc.record({ column, isDescending: fc.boolean() });
const range = fc.record({
  offset: fc.constantFrom(0, 0, 3, 50),
  limit: fc.constantFrom(0, 2, 20, 500),
});

const selectQuery: fc.Arbitrary<SelectQuery> = fc
  .tuple(
    selection,
    range,
    fc.record(
      {
        sort: fc.array(sortTerm, { maxLength: 3 }),
        sample: fc.record({ size: fc.constantFrom(0, 1, 5), seed: fc.integer() }),
      },
      { requiredKeys: [] },
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as SelectQuery);

const valuesQuery = fc
  .tuple(selection, range, column)
  .map(([selected, page, name]) => ({ ...selected, ...page, column: name }));

const dateParts = ['year', 'month', 'day'] as const;
const groupKey = fc.oneof(
  column.map((name): GroupKey => ({ name, column: name, part: 'value' })),
  fc
    .tuple(fc.constantFrom('날', '때'), fc.constantFrom(...dateParts))
    .map(([name, part]): GroupKey => ({ name: `${part}(${name})`, column: name, part })),
);
const aggregate = fc.oneof(
  fc.constant<Aggregate>({ name: 'count', function: 'count', column: null }),
  fc
    .tuple(
      fc.constantFrom('sum', 'avg', 'median', 'min', 'max', 'distinct'),
      fc.constantFrom('수', '비율', '위도'),
    )
    .map(([kind, name]) => ({ name: `${kind}(${name})`, function: kind, column: name })),
  fc
    .tuple(fc.constantFrom('min', 'max', 'distinct'), column)
    .map(([kind, name]) => ({ name: `${kind}(${name})`, function: kind, column: name })),
) as fc.Arbitrary<Aggregate>;

const groupsQuery = fc
  .tuple(
    selection,
    range,
    fc.uniqueArray(groupKey, { maxLength: 3, selector: ({ name }) => name }),
    fc.uniqueArray(aggregate, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([selected, page, by, aggregates, hasHaving, hasSort, isDescending]) => {
    const [first] = aggregates;
    const sorted = [...by, ...aggregates][isDescending ? 0 : by.length]!;
    return {
      ...selected,
      ...page,
      by,
      aggregates,
      ...(hasHaving && ['count', 'sum', 'avg'].includes(first!.function)
        ? { having: { kind: 'compare', column: first!.name, operator: '>=', value: '2' } as const }
        : {}),
      ...(hasSort ? { sort: [{ column: sorted.name, isDescending }] } : {}),
    };
  });
