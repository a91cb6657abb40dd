import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs } from '../../src/data/korean-time.ts';
import { pagingFaults } from '../../sample/faults/paging.ts';
import { recordFaults } from '../../sample/faults/records.ts';
import { faultsAt, type FaultName, type FaultPlace } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { catalogFrom, catalogText } from './collecting-catalog.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';
import { demandFrom, servedRanking } from './collecting-demand.ts';
import type { SamplePortal } from '../../sample/portal.ts';
import { triedFaults } from './tried-faults.ts';

/** Result of a collection. */
interface CollectionResult {
  readonly outcome: string;
  readonly findings: readonly { readonly kind: string }[];
  readonly message: string | null;
}

/** Expected ending: the outcome, its finding, and the advice to the operator. */
type Ending = readonly [outcome: string, finding: string | null, next: RegExp | null];

const failed = (next: RegExp): Ending => ['failed', 'not_collected', next];
const parked: Ending = ['parked', 'waiting_for_quota', /midnight in Korea/];
const kept = (finding: string): Ending => ['kept', finding, /--reparse --accept` publishes/];
const unchanged: Ending = ['unchanged', null, null];
const published = (finding: string | null): Ending => ['published', finding, null];

/** Refusals of any upstream, with the advice of an operation. */
const refusals: Readonly<Partial<Record<FaultName, Ending>>> = {
  bad_parameter: failed(/compare its parameters with https:/),
  missing_parameter: failed(/compare its parameters with https:/),
  business_refusal: failed(/최근 1일 간의 자료만 제공합니다.*compare its parameters/),
  retired: failed(/see https:.* for its successor/),
  access_denied: failed(/Check MARU_SERVICE_KEY, and that your account may use/),
  key_missing: failed(/SERVICE_KEY_IS_NULL.*Check MARU_SERVICE_KEY/),
  permission_denied: failed(/PERMISSION_DENIED.*that your account may use/),
  quota: parked,
  text_quota: parked,
  address_blocked: failed(/contact its help desk/),
  unregistered_key: failed(/Check MARU_SERVICE_KEY, and apply for the dataset on https:/),
  expired_key: failed(/extend it on https:/),
  address_unregistered: failed(/Register the IP address of this machine/),
  unsigned: failed(/check MARU_SERVICE_KEY/),
  text_unauthorized: failed(/Check MARU_SERVICE_KEY/),
  text_forbidden: failed(/Apply for the dataset on https:/),
  text_not_found: failed(/see https:.* for its successor/),
  hub_forbidden: failed(/Apply for the dataset with your account/),
  redirect_away: failed(/has moved to another host: see https:/),
  agency_error: failed(/temporary: run again later/),
  server_error: failed(/run again later/),
  maintenance: failed(/as during maintenance: run again later/),
  down: failed(/temporary: run again later/),
};

/** Endings by place and fault. */
const endings: Readonly<Record<FaultPlace, Readonly<Partial<Record<FaultName, Ending>>>>> = {
  operations: {
    ...refusals,
    field_renamed: kept('fields_missing'),
    field_added: published('fields_new'),
    records_none: kept('no_records'),
    records_deleted: published(null),
    records_lost: kept('rows_lost'),
    coordinates_swapped: kept('coordinates_abroad'),
    coordinates_abroad: kept('coordinates_abroad'),
    region_unknown: kept('regions_unknown'),
    page_ignored: kept('rows_missing'),
    page_short: kept('rows_missing'),
    order_unstable: published('count_mismatch'),
    rows_doubled: unchanged,
    page_echoed: unchanged,
    total_missing: unchanged,
    text_cp949: unchanged,
    objects_empty: unchanged,
    null_word: unchanged,
    no_content: unchanged,
    json_control: published('json_mended'),
    json_backslash: published('json_mended'),
    json_quote: published('json_mended'),
  },
  files: {
    file_shell: failed(/run again later/),
    file_login: ['failed', 'restricted', /maru load FILE/],
    file_withdrawn: ['failed', 'no_file', /Check the dataset’s page/],
  },
  odcloud: {
    odcloud_parameter: failed(/compare its parameters/),
    odcloud_unregistered: failed(/remove --via/),
    odcloud_key: failed(/Check MARU_SERVICE_KEY/),
    odcloud_key_200: failed(/Check MARU_SERVICE_KEY/),
    odcloud_key_invalid: failed(/Check MARU_SERVICE_KEY/),
    odcloud_closed: failed(/remove --via/),
    odcloud_quota: parked,
    odcloud_first_page: failed(/Apply for the dataset/),
  },
  catalog: {
    list_ten_a_page: published(null),
    list_old_markup: published(null),
    list_other_words: published(null),
    list_columns_shifted: published('values_unreadable'),
  },
  trend: {
    trend_forbidden: failed(/Enable search trend/),
    trend_quota: parked,
  },
};

const words = ['주차장', '도서관', '버스'];

interface PlaceCollection {
  /** Collects once and returns the result of each source of the place. Only operations use `codes`. */
  readonly collect: (
    data: string,
    gateway: string,
    day: number,
    codes: readonly string[],
  ) => Promise<readonly CollectionResult[]>;
  /** Text or hashes of the stored data. */
  readonly stored: (data: string) => unknown;
}

/** One axis for each form of refusal (JSON with 403, XML with 403, XML with 200), and one with years without rows. */
const axes = ['std_library', 'gen_area2', 'gen_smallupjonglist', 'cltr_library'];

/** Axes to collect with a fault: one, by the number of the fault, or all of them in the long form. */
function axesFor(fault: FaultName, at: number): readonly string[] {
  if (isLongForm) return axes;
  return [affected[fault] ?? (isOfRecords(fault) ? 'std_library' : axes[at % axes.length]!)];
}

/** For each fault that few axes can have, one of these axes. */
const affected: Readonly<Partial<Record<FaultName, string>>> = {
  no_content: 'cltr_library',
  json_control: 'std_library',
  json_backslash: 'std_library',
};

/** True for a fault that needs an axis with positions, regions, a key and several pages. */
function isOfRecords(fault: FaultName): boolean {
  return fault in recordFaults || fault in pagingFaults;
}

const collections: Readonly<Record<FaultPlace, PlaceCollection>> = {
  operations: {
    collect: async (data, gateway, day, codes) =>
      (await collectFrom(data, codes, { gateway, clock: clockOn(day) })).axes,
    stored: (data) => hashesOf(data, axes),
  },
  files: {
    collect: async (data, gateway, day) => {
      // A stored file that did not change is not requested.
      rmSync(join(data, 'versions'), { recursive: true, force: true });
      return (await collectDatasets(data, ['990000001'], { gateway, clock: clockOn(day) })).axes;
    },
    stored: (data) => hashesOf(data, ['file_990000001']),
  },
  odcloud: {
    collect: async (data, gateway, day) => {
      const datasetOptions = { upstream: 'odcloud', hasKey: true } as const;
      return (
        await collectDatasets(data, ['990000008'], { gateway, datasetOptions, clock: clockOn(day) })
      ).axes;
    },
    stored: (data) => hashesOf(data, ['file_990000008']),
  },
  catalog: {
    collect: async (data, gateway, day) =>
      (await catalogFrom(data, { gateway, clock: clockOn(day) })).parts,
    stored: catalogText,
  },
  trend: {
    // Rankings of different days differ.
    collect: async (data, gateway) => [await demandFrom(data, { gateway, words })],
    stored: (data) => servedRanking(data)?.items,
  },
};

for (const place of Object.keys(collections) as FaultPlace[]) {
  test(`a lasting fault at ${place} has its expected ending and keeps the previous data`, async (t) => {
    const faults = triedFaults(place, 'lasting');
    const byFiles = Map.groupBy(faults.entries(), ([, fault]) => filesFor(place, fault));
    for (const [files, some] of byFiles) {
      using before = temporaryFolder();
      await using portal = await portalWith(files);
      await collections[place].collect(before.path, portal.url, 0, axes);
      const good = collections[place].stored(before.path);
      for (const [at, fault] of some) {
        const lastingFault = { place, fault, at, portal, before: before.path, good };
        await t.test(fault, () => assertExpectedEnding(lastingFault));
      }
    }
  });
}

test('every lasting fault has an expected ending, and every ending has its fault', () => {
  const endingNames = Object.values(endings).flatMap((each) => Object.keys(each));
  const places = Object.keys(collections) as FaultPlace[];
  const lasting = new Set(places.flatMap((place) => faultsAt(place, 'lasting')));
  assert.deepEqual(endingNames.sort(), [...lasting].sort());
});

/** A fault, its number at its place, and the data that was collected before it. */
interface LastingFault {
  readonly place: FaultPlace;
  readonly fault: FaultName;
  readonly at: number;
  readonly portal: SamplePortal;
  readonly before: string;
  readonly good: unknown;
}

/** Collects with the fault over a previous collection, and, for the first of a place, once more without it. */
async function assertExpectedEnding(lastingFault: LastingFault): Promise<void> {
  const { place, fault, at, portal, before, good } = lastingFault;
  const { collect, stored } = collections[place];
  const codes = axesFor(fault, at);
  using folder = temporaryFolder();
  cpSync(before, folder.path, { recursive: true });
  const requested = portal.requests.length;
  portal.setFaults([isOfRecords(fault) ? { fault, only: 'std_library' } : { fault }]);
  const results = await collect(folder.path, portal.url, 40, codes);
  const expected = endings[place][fault];
  if (expected !== undefined) assertEnding(results, expected);
  else assert.ok(results.some(isUnfinished), JSON.stringify(results));
  assert.ok(
    portal.requests.slice(requested).some((request) => request.fault === fault),
    'The fault did not occur.',
  );
  if (expected?.[0] !== 'published') assert.deepEqual(stored(folder.path), good);
  if (!isLongForm && at > 0) return;
  portal.setFaults([]);
  const after = await collect(folder.path, portal.url, 80, codes);
  assert.ok(
    after.every(({ outcome }) => outcome === 'published' || outcome === 'unchanged'),
    JSON.stringify(after),
  );
  assert.deepEqual(stored(folder.path), good);
}

function isUnfinished({ outcome }: CollectionResult): boolean {
  return outcome === 'failed' || outcome === 'parked';
}

function assertEnding(results: readonly CollectionResult[], [outcome, kind, next]: Ending): void {
  const resultTexts = JSON.stringify(results);
  const matching = results.filter((result) => result.outcome === outcome && isFound(result, kind));
  // A refusal or another form ends all sources alike; a fault of records ends only those that it can affect.
  if (outcome !== 'kept' && outcome !== 'published')
    assert.equal(matching.length, results.length, resultTexts);
  assert.ok(matching.length > 0, resultTexts);
  for (const { message } of matching) if (next !== null) assert.match(message ?? '', next);
}

function isFound({ findings }: CollectionResult, kind: string | null): boolean {
  return kind === null ? findings.length === 0 : findings.some((each) => each.kind === kind);
}

/** Number of files in the catalog: a fault of the second page needs more of them than a page of the meta API lists. */
function filesFor(place: FaultPlace, fault: FaultName): number {
  return place === 'catalog' && fault === 'odcloud_first_page' ? 1_010 : 50;
}

function portalWith(files: number) {
  const catalog = { API: 10, FILE: files, STD: 10, LINKED: 50 };
  // Two pages of libraries, three in the long form.
  const libraries = isLongForm ? 2_100 : 1_300;
  return portalAtNoon({ scale: { std_library: libraries, gen_period2: 200 }, catalog });
}

function clockOn(day: number) {
  return testClock(noon + day * dayMs);
}
