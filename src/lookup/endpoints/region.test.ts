import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { testAxis } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { loadFiles } from '../../ingest/load/load.ts';
import type { Field, FieldRole, Value } from '../../data/axis.ts';
import dongLines from '../../data/regions/dongs.json' with { type: 'json' };
import formerLines from '../../data/regions/former-regions.json' with { type: 'json' };
import { areApart } from '../../data/regions/former-regions.ts';
import { createRegionJoin } from '../../data/regions/join.ts';
import { regionByCode, regionTable, type Region } from '../../data/regions/region-table.ts';
import { AxisWriter } from '../../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { silentLog } from '../../kernel/log.ts';
import type { Router } from '../../kernel/http/router.ts';
import { createLookupApp } from '../app.ts';
import { StoreHolder } from '../current-store.ts';
import { json } from '../../../test/fixtures/lookup-app.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { SnapshotStore } from '../store/snapshot.ts';
import type { LookupStore } from '../store/store.ts';

/**
 * A record of the test: a region of any time, named in one of the ways of the sources, perhaps with a dong.
 */
interface Place {
  readonly named: Region;
  readonly dong: string | null;
  readonly by: (typeof ways)[number];
}

const ways = ['field', 'code', 'address'] as const;
const columns = ['시도명', '시군구명', '법정동코드', '읍면동명', '주소'];
const dongsOf = new Map(
  (dongLines as [string, string][]).map(([code, names]) => [code, names.split(' ')]),
);
const partsOf = Map.groupBy(formerLines as [string, string, string][], ([former]) => former);

test('every region that ever was answers with the rows that an oracle finds, in both stores', async () => {
  const places = regionTable.flatMap((named) =>
    dongChoices(named).flatMap((dong, at) =>
      ways.filter((_, i) => dong === null || i === at % 3).map((by) => ({ named, dong, by })),
    ),
  );
  await comparePlaces(places.filter(isWritten), regionTable);
});

test('so it is for any records of any regions with any dongs', async () => {
  const sigungu = regionTable.filter(({ level }) => level === 'sigungu');
  const anyDong = fc.constantFrom(...[...dongsOf.values()].flat(), null);
  const place = fc.record({
    named: fc.constantFrom(...sigungu),
    dong: anyDong,
    by: fc.constantFrom(...ways),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 60 }), async (places) => {
      const written = places.filter(isWritten);
      const requested = new Set(written.flatMap(({ named }) => [named, ...kinOf(named)]));
      await comparePlaces(written, [...requested]);
    }),
    { numRuns: 12 },
  );
});

test('regions that were apart never count the same record', () => {
  const fields = placeFields();
  const joinRegion = createRegionJoin(fields)!;
  for (const named of regionTable) {
    for (const dong of dongChoices(named)) {
      const codes = joinRegion(cellsOf({ named, dong, by: 'code' }))?.codes ?? [];
      for (const one of codes) {
        for (const other of codes) {
          if (regionByCode(one)!.until === null || regionByCode(other)!.until === null) continue;
          assert.ok(!areApart(one, other), `${named.code} ${dong}: ${one} ${other}`);
        }
      }
    }
  }
});

test('in every fixture the rows of a region are the total of its records', async () => {
  using data = temporaryFolder();
  await loadFiles(data.path, [resolve(import.meta.dirname, '../../../test/fixtures/files')]);
  await using store = new SnapshotStore(data.path, currentId(data.path)!);
  const router = appOver(store);
  assert.ok(store.axes.size > 10);
  for (const region of regionTable) {
    const { items } = await json(router, `/api/region?sido=${region.code}`);
    for (const code of store.axes.keys()) {
      const rows = items.find((item) => item['axis'] === code)?.['rows'] ?? 0;
      assert.equal(await totalOf(router, code, region), rows, `${code} ${region.code}`);
    }
  }
});

test('undecided rows of a former region are reported with the regions that count them', async () => {
  using data = temporaryFolder();
  const now = regionByCode('28125')!;
  const places = [null, '신포동', '송현동'].map(
    (dong) => ({ named: now, dong, by: 'field' }) as const,
  );
  await using store = new SnapshotStore(data.path, hold(data.path, places));
  const { items, notices } = await json(appOver(store), '/api/region?sido=인천&sigungu=중구');
  assert.deepEqual(
    items.map((item) => item['rows']),
    [1],
  );
  assert.deepEqual((notices as unknown[])[1], {
    code: 'rows_undecided',
    asked: '중구',
    rows: 1,
    countedIn: ['제물포구'],
  });
});

test('a part of a divided region reports the rows that may name only the former one', async () => {
  using data = temporaryFolder();
  const former = regionByCode('28110')!;
  const places = [null, null, '운서동'].map(
    (dong) => ({ named: former, dong, by: 'field' }) as const,
  );
  await using store = new SnapshotStore(data.path, hold(data.path, places));
  const router = appOver(store);
  const notice = { former: '중구', until: '2026-07-01', rows: 3 };
  for (const [name, rows] of [
    ['영종구', 1],
    ['제물포구', 0],
  ] as const) {
    const { items, notices } = await json(router, `/api/region?sido=인천&sigungu=${name}`);
    assert.equal(items[0]?.['rows'] ?? 0, rows, name);
    assert.deepEqual(notices, [{ code: 'divided_before', asked: name, ...notice }]);
    const page = await json(router, `/api/data/axis?axis=file_1&sido=인천&sigungu=${name}`);
    assert.deepEqual(page['warnings'], [{ code: 'divided_before', asked: name, ...notice }]);
  }
  const { notices } = await json(router, '/api/region?sido=인천&sigungu=연수구');
  assert.deepEqual(notices, []);
});

async function comparePlaces(
  places: readonly Place[],
  requested: readonly Region[],
): Promise<void> {
  using data = temporaryFolder();
  await using files = new SnapshotStore(data.path, hold(data.path, places));
  const joinRegion = createRegionJoin(placeFields())!;
  const memory = new MemoryStore({
    snapshot: files.snapshot,
    axes: [
      {
        held: files.axes.get('file_1')!,
        rows: places.map((place) =>
          Object.fromEntries(columns.map((c, i) => [c, cellsOf(place)[i]!])),
        ),
        regionsOfRows: places.map((place) => joinRegion(cellsOf(place))?.codes ?? []),
      },
    ],
  });
  const apps = [files, memory].map(appOver);
  const located = places.map((place) => ({ place, today: livingPlace(place) }));
  for (const region of requested) {
    const expected = located.filter(({ place, today }) => liesIn(place, today, region)).length;
    for (const router of apps) {
      const { items } = await json(router, `/api/region?sido=${region.code}`);
      assert.equal(items[0]?.['rows'] ?? 0, expected, `${region.code} ${region.name}`);
      assert.equal(await totalOf(router, 'file_1', region), expected, region.code);
    }
  }
}

async function totalOf(router: Router, axis: string, { code }: Region): Promise<unknown> {
  return (await json(router, `/api/data/axis?axis=${axis}&limit=0&sido=${code}`))['total'];
}

function appOver(store: LookupStore): Router {
  const holder = new StoreHolder();
  void holder.replace(store);
  return createLookupApp({
    holder,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
    today: () => '2026-11-21',
  });
}

function hold(data: string, places: readonly Place[]): string {
  using builder = new SnapshotBuilder(data);
  using writer = new AxisWriter(builder.stageAxis('file_1'), columns);
  for (const place of places) writer.add(cellsOf(place));
  const fields = placeFields();
  const { files } = writer.finish(testAxis('file_1'), fields);
  builder.putAxis('file_1', files);
  return builder.publish('Built.');
}

function cellsOf({ named, dong, by }: Place): Value[] {
  const sido = regionByCode(named.code.slice(0, 2))!.name;
  const sigungu = named.level === 'sido' ? null : named.name;
  if (by === 'field') return [sido, sigungu, null, dong, null];
  if (by === 'code') return [null, null, named.code, dong, null];
  return [null, null, null, null, [sido, sigungu, dong, '1'].filter((x) => x !== null).join(' ')];
}

/** A name that two regions of a sido bear means the living one: such a former region has only its code. */
function isWritten({ named, by }: Place): boolean {
  if (by === 'code') return true;
  const sido = named.code.slice(0, 2);
  return regionTable.every(
    (other) => other === named || other.name !== named.name || !other.code.startsWith(sido),
  );
}

/** No dong; for regions that others became a part of all of theirs, for the rest the first. */
function dongChoices(named: Region): (string | null)[] {
  if (named.level === 'sido') return [null];
  const ends = endsOf(named).flatMap((end) => [end, ...districtsOf(end)]);
  const mixed = ends.filter(({ code }) => formerLines.some((line) => line[1] === code));
  const all = mixed.flatMap(({ code }) => dongsOf.get(code) ?? []);
  const first = ends.flatMap(({ code }) => (dongsOf.get(code) ?? []).slice(0, 1));
  return [null, ...new Set(all.length > 0 ? all : first)];
}

/**
 * The rule in its simplest form. A record belongs to the living region that it names or that this region became,
 * as far down as its dong decides, and to all above. It also belongs to a former region that it names, that
 * contained the named one, that contained all of its living region, or that contained its dong, unless it names
 * another former region that was disjoint from that one.
 */
function liesIn(place: Place, today: string, region: Region): boolean {
  if (region.until === null) return [today, ...above(today)].includes(region.code);
  if (region.level === 'sido' && region.successors[0]?.kind === 'n:1') {
    const came = regionByCode(today)?.predecessors.some(({ code }) => code.startsWith(region.code));
    return place.named === region || (today.length === 5 && came === true);
  }
  const parts = partsOf.get(region.code);
  if (parts === undefined) return liesIn(place, today, endsOf(region)[0]!);
  const whole = (code: string): boolean =>
    parts.some((line) => line[1] === code && line[2] === '*');
  const own = partsOf.get(place.named.code);
  if (own !== undefined) {
    if (place.named === region) return true;
    if (own.every(([, living]) => whole(living))) return true;
    if (areApart(place.named.code, region.code)) return false;
  }
  if (whole(today)) return true;
  const names = parts.find((line) => line[1] === today)?.[2].split(' ') ?? [];
  return place.dong !== null && names.includes(place.dong);
}

function livingPlace({ named, dong }: Place): string {
  if (named.level === 'sido' && named.successors[0]?.kind === 'n:1') return '12';
  const ends = endsOf(named);
  const [only] = ends;
  const choices = ends.length > 1 ? ends : districtsOf(only!);
  const having = choices.filter(({ code }) => dongsOf.get(code)?.includes(dong ?? '') ?? false);
  if (having.length === 1) return having[0]!.code;
  if (ends.length === 1) return only!.code;
  const parents = new Set(ends.map(({ parent }) => parent));
  return parents.size === 1 ? only!.parent! : only!.code.slice(0, 2);
}

function above(code: string): string[] {
  const parent = regionByCode(code)?.parent ?? null;
  return parent === null ? [] : [parent, ...above(parent)];
}

function endsOf(region: Region): Region[] {
  if (region.until === null) return [region];
  return [...new Set(region.successors.flatMap(({ code }) => endsOf(regionByCode(code)!)))];
}

function districtsOf({ code }: Region): Region[] {
  return regionTable.filter(
    ({ parent, until }) => parent === code && until === null && code.length === 5,
  );
}

/** The regions that share ground with one: what it became, and what became of it before. */
function kinOf(region: Region): Region[] {
  const ends = endsOf(region);
  return regionTable.filter((other) => endsOf(other).some((end) => ends.includes(end)));
}

function placeFields(): Field[] {
  const roles: Record<string, FieldRole> = { 시도명: 'sido', 시군구명: 'sigungu', 주소: 'address' };
  return columns.map((name) => ({
    name,
    label: name,
    labelEn: null,
    labelSource: 'header',
    type: 'string',
    unit: null,
    role: roles[name] ?? null,
    searchable: false,
    stats: {
      nonNull: 0,
      distinct: 0,
      minLength: null,
      maxLength: null,
      min: null,
      max: null,
      examples: [],
    },
  }));
}
