import assert from 'node:assert/strict';
import test from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Field } from '../../data/axis.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';
import { placeRecords } from './place-records.ts';

const fields: readonly Field[] = [
  ...testFields,
  {
    ...testFields[1]!,
    name: '위도',
    label: '위도',
    role: 'lat',
    type: 'number',
    searchable: false,
  },
  {
    ...testFields[1]!,
    name: '경도',
    label: '경도',
    role: 'lon',
    type: 'number',
    searchable: false,
  },
];

const rows = [
  ['서울시청직장어린이집', null, '37.5638', '126.973'],
  ['카메라 1', '남E19(서울시청직장어린이집 앞)', '37.5638', '126.973'],
  ['카메라 2', '남E20(서울시청직장어린이집 뒤)', '37.5638', '126.973'],
  ['서울시청', null, '37.5663', '126.9779'],
  ['공원', null, '37.5', '127.1'],
  ['한빛 1호점', '서울특별시 중구 한글대로 1101', '37.1', '127.1'],
  ['한빛 2호점', '서울특별시 중구 한글대로 110, 1층', '37.2', '127.2'],
  ['시청앞 약국', '나들길 3', '37.3', '127.3'],
  ['나들역', null, '35.1', '129.1'],
  ['나들역', null, '37.4', '127.4'],
] as const;

test('a place is the record with just its name before records that begin with it', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', rows, null, fields, { title: '시설' });
  await using store = new SnapshotStore(data.path, id);
  const request = { store, language: 'ko', isAbandoned: () => false } as const;
  const { agreed, choices } = await placeRecords('서울시청', request);
  assert.deepEqual(agreed, {
    name: '서울시청 (서울특별시 중구)',
    label: '서울시청 (서울특별시 중구) · 시설',
    near: '37.56630,126.97790',
  });
  assert.deepEqual(
    choices.map(({ near }) => near),
    ['37.56630,126.97790', '37.56380,126.97300'],
  );
});

test('one record with the name of a kind, and records of several places, are no place', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', rows, null, fields, { title: '시설' });
  await using store = new SnapshotStore(data.path, id);
  const request = { store, language: 'ko', isAbandoned: () => false } as const;
  for (const name of ['공원', '나들역', '없는곳', '서울']) {
    assert.equal((await placeRecords(name, request)).agreed, null, name);
  }
});

test('an address is found with its region in other words, and its number is whole', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', rows, null, fields, { title: '시설' });
  await using store = new SnapshotStore(data.path, id);
  const request = { store, language: 'ko', isAbandoned: () => false } as const;
  const { agreed, choices } = await placeRecords('서울 중구 한글대로 110', request);
  assert.equal(agreed?.near, '37.20000,127.20000');
  assert.deepEqual(
    choices.map(({ near }) => near),
    ['37.20000,127.20000'],
  );
});

test('a name that begins longer words is offered, but no place', async () => {
  using data = temporaryFolder();
  const without = rows.filter(([name]) => name !== '서울시청');
  const id = buildAxis(data.path, 'file_1', without, null, fields, { title: '시설' });
  await using store = new SnapshotStore(data.path, id);
  const request = { store, language: 'ko', isAbandoned: () => false } as const;
  const { agreed, choices } = await placeRecords('서울시청', request);
  assert.equal(agreed, null);
  assert.deepEqual(
    choices.map(({ near }) => near),
    ['37.56380,126.97300'],
  );
});

test('a record with just the name is no place where the name begins others elsewhere', async () => {
  using data = temporaryFolder();
  const halls = [
    ['나들구청', null, '35.1', '129.1'],
    ['나들구청 별관', null, '37.4', '127.4'],
  ];
  const id = buildAxis(data.path, 'file_1', halls, null, fields, { title: '시설' });
  await using store = new SnapshotStore(data.path, id);
  const request = { store, language: 'ko', isAbandoned: () => false } as const;
  const { agreed, choices } = await placeRecords('나들구청', request);
  assert.equal(agreed, null);
  assert.deepEqual(
    choices.map(({ name }) => name.slice(0, 8).trim()),
    ['나들구청 (부산', '나들구청 별관'],
  );
});
