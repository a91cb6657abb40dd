import assert from 'node:assert/strict';
import test from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import { regionByCode, regionTable } from '../../data/regions/region-table.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { isCount } from './chart-choices.ts';
import { orderedDatasets } from './dataset-index.ts';
import { namedRegion } from './query-region.ts';
import { regionHistory } from './region-history.ts';

test('the page of a region counts its records by dataset and leads to them', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/region/11680');
  assert.match(shown, /<h1>서울특별시 강남구의 공공데이터<\/h1>/);
  assert.match(shown, /이 지역 15건 \(전체의 25%\)/);
  const [, link] = /href="(\/data\/file_15012896\?sido=[^"]+)"/.exec(shown)!;
  const selected = await pageText(router, decodeURIComponent(link!).replaceAll('&amp;', '&'));
  assert.match(selected, /60건 중 15건/);
  assert.match(shown, /href="\/region\/11110">종로구 1</);
  assert.match(shown, /href="\/region\/11">서울특별시</);
  assert.match(await pageText(router, '/region/11?lang=en'), /Open data of 서울특별시/);
});

test('a map of a region has its outline among its neighbours, which are listed as links', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/region/11680');
  const [, map] = /<figure class="region-map">([^]*?)<\/figure>/.exec(shown)!;
  assert.match(map!, /<path class="area chosen" d="M[-\dMlz ]+z"/);
  assert.match(map!, /<a href="\/region\/11650" tabindex="-1"/);
  assert.match(map!, /통계청 센서스용 행정구역경계 2018/);
  const [, neighbours] = /<h2>맞닿은 지역<\/h2>([^]*?)<\/ul>/.exec(shown)!;
  assert.match(neighbours!, /href="\/region\/11650">서초구</);
  assert.match(neighbours!, /href="\/region\/41130">경기도 성남시</);
  assert.match(await pageText(router, '/region/29'), /<h2>맞닿은 지역<\/h2>[^]*?\/region\/12710"/);
  const province = await pageText(router, '/region/50?lang=en');
  assert.doesNotMatch(province, /Neighbouring regions/);
  assert.match(province, /<a href="\/region\/50110\?lang=en" tabindex="-1"/);
  assert.match(shown, /href="\/data\/file_15012896\?[^"]*view=map#map">지도</);
});

test('datasets of the authorities of a region are listed where no record has a region', async () => {
  const { snapshot, axes } = fixtureStore();
  const { axis, ...stored } = axes.get('gen_restdeinfo')!;
  const provider = { name: '서울특별시 강남구', code: null };
  const store = new MemoryStore({
    snapshot,
    axes: [{ stored: { ...stored, axis: { ...axis, provider } }, rows: [], regionsOfRows: [] }],
  });
  const shown = await pageText(pageSite(store), '/region/11680');
  assert.match(shown, /이 지역 기관의 다른 데이터셋<\/h2>[^]*?href="\/data\/gen_restdeinfo"/);
  assert.doesNotMatch(await pageText(pageSite(store), '/region/11650'), /이 지역 기관/);
});

test('two regions stand side by side with their records by dataset, and the form leads there', async () => {
  const router = pageSite();
  const page = await pageText(router, '/region/11680');
  assert.match(page, /<form class="compare-form" action="\/region\/11680" method="get">/);
  assert.match(page, /<option value="서울특별시 서초구">/);
  const shown = await pageText(router, '/region/11680?with=종로구');
  assert.match(shown, /<h1>강남구 · 종로구 비교<\/h1>/);
  const counts = Array.from(shown.matchAll(/<a href="\/data\/file_15012896\?sido=[^"]+">(\d+)</g));
  assert.deepEqual(
    counts.map(([, count]) => count),
    ['15', '15'],
  );
  assert.match(shown, /href="\/region\/11110\?with=11680">순서 바꾸기/);
  assert.equal(shown.match(/class="area chosen"/g)?.length, 2);
});

test('regions of one name are compared with their provinces, and a region with itself is not', async () => {
  const router = pageSite();
  const same = await pageText(router, '/region/26110?with=서울 중구&lang=en');
  assert.match(same, /<h1>부산 중구 and 서울 중구 compared<\/h1>/);
  const itself = await pageText(router, '/region/26110?with=중구');
  assert.match(itself, /같은 지역입니다. 다른 지역을 고르세요./);
  assert.match(itself, /<h1>부산광역시 중구의 공공데이터<\/h1>/);
});

test('datasets of one region stand apart from those that two regions share', async () => {
  const target = '/region/11680?with=부산 해운대구';
  const both = await pageText(pageSite(), target);
  assert.match(both, /<h1>서울 강남구 · 부산 해운대구 비교<\/h1>/);
  assert.match(both, /file_15012896[^]*?>15<[^]*?>자료 없음</);
  assert.match(both, /그대로 비교할 수 없습니다/);
  assert.match(
    both,
    /class="compare-form"[^]*?<table[^]*<svg class="map-drawing"[^]*<option value="제주특별자치도 서귀포시">/,
    'The numbers come before the map and the names that the form proposes.',
  );
  assert.doesNotMatch(both, /한 지역만 다루는|레코드 합계/);
  const byPlace = fixtureStore();
  const stored = byPlace.axes.get('file_15012896')!;
  Object.assign(stored, { regions: stored.regions.filter(({ code }) => code.startsWith('11')) });
  const byProvider = fixtureStore();
  const { axis } = byProvider.axes.get('file_15012896')!;
  const provider = { name: '서울특별시 강남구', code: null };
  Object.assign(byProvider.axes.get('file_15012896')!, { axis: { ...axis, provider } });
  for (const store of [byPlace, byProvider]) {
    const shown = await pageText(pageSite(store), target);
    assert.match(shown, /한 지역만 다루는 데이터셋<\/h2>[^]*?>15<[^]*?>이 지역 자료가 아님</);
  }
});

test('a comparison has no 0 for a region without records, and explains the words in its place', async () => {
  const router = pageSite();
  for (const other of ['부산 해운대구', '제주특별자치도 서귀포시']) {
    const target = `/region/11680?with=${other}`;
    const shown = await pageText(router, target);
    assert.match(
      shown,
      /0건이라는 뜻이 아닙니다[^]*?file_15012896[^]*?>15<[^]*?>자료 없음</,
      other,
    );
    assert.doesNotMatch(shown, /<td[^>]*>\s*0\s*</, other);
    assert.match(await pageText(router, `${target}&lang=en`), /not a count of zero[^]*?>no data</);
  }
  const known = await pageText(router, '/region/11680?with=종로구');
  assert.doesNotMatch(known, /0건이라는 뜻이 아닙니다/);
});

test('a comparison has the dates of its numbers', async () => {
  const target = '/region/11680?with=부산 해운대구';
  assert.match(await pageText(pageSite(), target), /(?:기준일|까지의 자료|가져온 날)/);
});

test('lists of codes are not counted as what lies in a region, and stand folded', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const fields = ['법정동코드', '시군구명'].map((label) => ({ ...stored.fields[0]!, label }));
  Object.assign(stored, { fields });
  const shown = await pageText(pageSite(store), '/region/11680');
  assert.match(shown, /<summary>지역 코드표 1개<\/summary>[^]*?file_15012896/);
  assert.match(shown, /이 지역의 레코드가 있는 데이터셋이 아직 없습니다/);
  const compared = await pageText(pageSite(store), '/region/11680?with=종로구');
  assert.match(compared, /<summary>지역 코드표 1개<\/summary>/);
});

test('lists of codes count for no region on the front page, and are not the largest', async () => {
  const store = fixtureStore();
  const before = await pageText(pageSite(store), '/');
  const stored = store.axes.get('file_15012896')!;
  const fields = ['법정동코드', '시군구명'].map((label) => ({ ...stored.fields[0]!, label }));
  const code = 'file_1';
  const table = { ...stored, axis: { ...stored.axis, code }, fields, rows: 1e6 };
  Object.assign(store, { axes: new Map([...store.axes, [code, table]]) });
  assert.deepEqual(tiles(await pageText(pageSite(store), '/')), tiles(before));
  const [largest] = orderedDatasets(store.axes.values(), 'largest');
  assert.notEqual(largest!.axis.code, code);
});

test('only numbers that count have a sum', () => {
  const [field] = [...fixtureStore().axes.values()][0]!.fields;
  const isSummed = (label: string, unit: string | null = null): boolean =>
    isCount({ ...field!, label, unit });
  for (const label of ['주차구획수', '사망', '이용 인원', '사고건수'])
    assert.ok(isSummed(label), label);
  for (const label of ['주차기본시간', '주차기본요금', '점수', '혼잡도', '지상층수']) {
    assert.ok(!isSummed(label), label);
  }
  assert.ok(isSummed('정원', '명'));
  assert.ok(!isSummed('총인구수', '%'));
});

test('a region leads to entries of the catalog that are not held, and explains its numbers', async () => {
  const shown = await pageText(pageSite(), '/region/11680');
  assert.match(shown, /href="\/catalog\?q=[^"]+"\s*>포털 목록에는 이 지역의 데이터가 1건 더/);
  assert.match(shown, /title="데이터셋 1개" href="\/region\/11110"/);
});

test('a former region has a notice and its changes, and leads to the current ones', async () => {
  const router = pageSite();
  const former = await pageText(router, '/region/42');
  assert.match(former, /없어진 지역입니다. 지금은\s*<a href="\/region\/51">강원특별자치도</);
  assert.match(former, /강원도 → <a href="\/region\/51">강원특별자치도<\/a>/);
  const current = await pageText(router, '/region/51');
  assert.match(current, /<a href="\/region\/42">강원도<\/a> → 강원특별자치도/);
  assert.match(current, /<time datetime="2023-06-11">/);
});

test('an unknown region is 404 with links to near ones, and a page past the end leads back', async () => {
  const router = pageSite();
  const bare = await request(router, '/region');
  assert.equal(bare.headers.get('location'), '/#regions');
  const headers = { accept: 'text/html' };
  for (const [code, near] of [
    ['11999', '/region/11'],
    ['서울특별시 강낭구', '/region/11680'],
    ['nowhere', '/#regions'],
    ['11680?with=서울특별시 서촋구', '/region/11680?with=11650'],
  ] as const) {
    const response = await request(router, `/region/${encodeURI(code)}`, { headers });
    assert.equal(response.status, 404, code);
    const shown = await response.text();
    assert.ok(shown.includes(`href="${near}"`), code);
  }
  assert.match(await pageText(router, '/region/11?offset=50'), /href="\/region\/11">마지막 페이지/);
});

test('the parameters of every region, current or former, select its own records', () => {
  for (const { code } of regionTable) {
    const match = findRegion(code)!;
    const { place } = namedRegion(match);
    const found = findRegion(place.sido, place.sigungu);
    assert.equal(found?.countedCode, match.countedCode, `${code} ${JSON.stringify(place)}`);
  }
});

test('the changes of a region name every predecessor and successor once', () => {
  for (const code of ['12', '48120', '28110', '51110', '11680']) {
    const region = regionByCode(code)!;
    const changes = regionHistory(region);
    const named = changes.flatMap(({ former, later }) => [...former, ...later]);
    for (const { code: other } of [...region.predecessors, ...region.successors]) {
      assert.ok(
        named.some((one) => one.code === other),
        `${code} ${other}`,
      );
    }
    const dates = changes.map(({ date }) => date);
    assert.deepEqual(dates, [...dates].sort().reverse());
  }
});

/** The links to regions of the front page, with their numbers of datasets. */
function tiles(page: string): readonly string[] {
  return page.match(/<a href="\/region\/[^]*?<\/a>/g)!;
}
