import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { testAxis } from '../../../test/build-axis.ts';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { loadFiles } from '../../ingest/load/load.ts';
import type { Field, FieldRole, Value } from '../../data/axis.ts';
import dongLines from '../../data/regions/dongs.json' with { type: 'json' };
import formerLines from '../../data/regions/former-regions.json' with { type: 'json' };
import { areDisjoint } from '../../data/regions/former-regions.ts';
import { createAxisRegionJoiner } from '../../data/regions/axis-joiner.ts';
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

/** Record of a test: it names a current or former region in one of three ways, perhaps with a dong. */
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

test('every current or former region has the rows of an oracle, in both stores', async () => {
  const places = regionTable.flatMap((named) =>
    dongChoices(named).flatMap((dong, at) =>
      ways.filter((_, i) => dong === null || i === at % 3).map((by) => ({ named, dong, by })),
    ),
  );
  await comparePlaces(places.filter(hasSpelling), regionTable);
});

test('any records of any regions with any dongs have the rows of the oracle', async () => {
  const sigungu = regionTable.filter(({ level }) => level === 'sigungu');
  const anyDong = fc.constantFrom(...[...dongsOf.values()].flat(), null);
  const place = fc.record({
    named: fc.constantFrom(...sigungu),
    dong: anyDong,
    by: fc.constantFrom(...ways),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 60 }), async (places) => {
      const written = places.filter(hasSpelling);
      const requested = new Set(written.flatMap(({ named }) => [named, ...relatedRegions(named)]));
      await comparePlaces(written, [...requested]);
    }),
    { numRuns: 12 },
  );
});

test('former regions that were disjoint never count the same record', () => {
  const fields = placeFields();
  const joinRegion = createAxisRegionJoiner(fields)!;
  for (const named of regionTable) {
    for (const dong of dongChoices(named)) {
      const codes = joinRegion(cellsOf({ named, dong, by: 'code' }))?.codes ?? [];
      for (const one of codes) {
        for (const other of codes) {
          if (regionByCode(one)!.until === null || regionByCode(other)!.until === null) continue;
          assert.ok(!areDisjoint(one, other), `${named.code} ${dong}: ${one} ${other}`);
        }
      }
    }
  }
});

test('the rows of a region equal the total of its records, in every fixture', async () => {
  using data = temporaryFolder();
  await loadFiles(data.path, [resolve(import.meta.dirname, '../../../test/fixtures/files')]);
  await using store = new SnapshotStore(data.path, currentId(data.path)!);
  const router = appOver(store);
  assert.ok(store.axes.size > 10);
  // Every seventh region here, each of them in the long form.
  const regions = regionTable.filter((_, at) => isLongForm || at % 7 === 0);
  for (const region of regions) {
    const { items } = await json(router, `/api/region?sido=${region.code}`);
    for (const code of store.axes.keys()) {
      const rows = items.find((item) => item['axis'] === code)?.['rows'] ?? 0;
      assert.equal(await totalOf(router, code, region), rows, `${code} ${region.code}`);
    }
  }
});

test('a region comes with the latest change of its table and the year of its borders', async () => {
  using data = temporaryFolder();
  await using store = new SnapshotStore(data.path, buildSnapshot(data.path, []));
  for (const name of ['인천', '아틀란티스']) {
    const { table } = await json(appOver(store), `/api/region?sido=${name}`);
    assert.deepEqual(table, { latestChange: '2026-07-01', borders: '2018' });
  }
});

test('undecided rows of a former region are reported with the regions that count them', async () => {
  using data = temporaryFolder();
  const jemulpo = regionByCode('28125')!;
  const places = [null, '신포동', '송현동'].map(
    (dong) => ({ named: jemulpo, dong, by: 'field' }) as const,
  );
  await using store = new SnapshotStore(data.path, buildSnapshot(data.path, places));
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

test('a part of a divided region reports the rows that name only the former one', async () => {
  using data = temporaryFolder();
  const former = regionByCode('28110')!;
  const places = [null, null, '운서동'].map(
    (dong) => ({ named: former, dong, by: 'field' }) as const,
  );
  await using store = new SnapshotStore(data.path, buildSnapshot(data.path, places));
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
  await using files = new SnapshotStore(data.path, buildSnapshot(data.path, places));
  const joinRegion = createAxisRegionJoiner(placeFields())!;
  const memory = new MemoryStore({
    snapshot: files.snapshot,
    axes: [
      {
        stored: files.axes.get('file_1')!,
        rows: places.map((place) =>
          Object.fromEntries(columns.map((c, i) => [c, cellsOf(place)[i]!])),
        ),
        regionsOfRows: places.map((place) => joinRegion(cellsOf(place))?.codes ?? []),
      },
    ],
  });
  const apps = [files, memory].map(appOver);
  const located = places.map((place) => ({ place, livingCode: livingCodeOf(place) }));
  for (const region of requested) {
    const expected = located.filter(({ place, livingCode }) =>
      liesIn(place, livingCode, region),
    ).length;
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

function buildSnapshot(data: string, places: readonly Place[]): string {
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

/** True unless the name means a living region of the same sido: such a former region has only its code. */
function hasSpelling({ named, by }: Place): boolean {
  if (by === 'code') return true;
  const sido = named.code.slice(0, 2);
  return regionTable.every(
    (other) => other === named || other.name !== named.name || !other.code.startsWith(sido),
  );
}

/** No dong; then every dong of a region that became part of others, or the first dong of any other region. */
function dongChoices(named: Region): (string | null)[] {
  if (named.level === 'sido') return [null];
  const ends = endsOf(named).flatMap((end) => [end, ...districtsOf(end)]);
  const mixed = ends.filter(({ code }) => formerLines.some((line) => line[1] === code));
  const all = mixed.flatMap(({ code }) => dongsOf.get(code) ?? []);
  const first = ends.flatMap(({ code }) => (dongsOf.get(code) ?? []).slice(0, 1));
  return [null, ...new Set(all.length > 0 ? all : first)];
}

/**
 * The rule in its simplest form. A record belongs to its living region, as far down as its dong decides, and to
 * all above. It also belongs to a former region that it names, or that contained the named one, all of its living
 * region, or its dong. Naming another former region, disjoint from that one, excludes this.
 */
function liesIn(place: Place, livingCode: string, region: Region): boolean {
  if (region.until === null) return [livingCode, ...codesAbove(livingCode)].includes(region.code);
  if (region.level === 'sido' && region.successors[0]?.kind === 'n:1') {
    const isInside = regionByCode(livingCode)?.predecessors.some(({ code }) =>
      code.startsWith(region.code),
    );
    return place.named === region || (livingCode.length === 5 && isInside === true);
  }
  const parts = partsOf.get(region.code);
  if (parts === undefined) return liesIn(place, livingCode, endsOf(region)[0]!);
  const whole = (code: string): boolean =>
    parts.some((line) => line[1] === code && line[2] === '*');
  const own = partsOf.get(place.named.code);
  if (own !== undefined) {
    if (place.named === region) return true;
    if (own.every(([, living]) => whole(living))) return true;
    if (areDisjoint(place.named.code, region.code)) return false;
  }
  if (whole(livingCode)) return true;
  const names = parts.find((line) => line[1] === livingCode)?.[2].split(' ') ?? [];
  return place.dong !== null && names.includes(place.dong);
}

function livingCodeOf({ named, dong }: Place): string {
  if (named.level === 'sido' && named.successors[0]?.kind === 'n:1') return '12';
  const ends = endsOf(named);
  const [only] = ends;
  const choices = ends.length > 1 ? ends : districtsOf(only!);
  const withDong = choices.filter(({ code }) => dongsOf.get(code)?.includes(dong ?? '') ?? false);
  if (withDong.length === 1) return withDong[0]!.code;
  if (ends.length === 1) return only!.code;
  const parents = new Set(ends.map(({ parent }) => parent));
  return parents.size === 1 ? only!.parent! : only!.code.slice(0, 2);
}

function codesAbove(code: string): string[] {
  const parent = regionByCode(code)?.parent ?? null;
  return parent === null ? [] : [parent, ...codesAbove(parent)];
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

/** Regions that became the same living regions as this one. */
function relatedRegions(region: Region): Region[] {
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
