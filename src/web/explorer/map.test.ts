import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { withoutPlaces } from './named-place.ts';

const parking = '/data/file_15012896';

test('the map gathers records in circles, each a link to the map of its records', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?view=map`);
  const marks = Array.from(
    shown.matchAll(/<a href="([^"]*)" tabindex="-1"[^]*?<title>[^<]* (\d+)<\/title>/g),
  );
  const counts = marks.map(([, , count]) => Number(count));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    51,
    'Nine have no position.',
  );
  assert.match(shown, /좌표가 없거나 지도 밖에 있는 9건은 보이지 않습니다/);
  assert.match(shown, /통계청 센서스용 행정구역경계 2018/);
  const [, href] = marks.at(-1)!;
  const nearer = await pageText(router, decodeURIComponent(href!.replaceAll('&amp;', '&')));
  assert.match(nearer, /조건 빼기: 지도에 보이는 범위/);
  assert.match(nearer, /aria-current="page"\s+>지도</);
});

test('the records of the map are a list, which is paged, and filters stay', async () => {
  const shown = await pageText(pageSite(), `${parking}?view=map&sido=서울`);
  const [, list] = /class="map-list"([^]*?)<\/section>/.exec(shown)!;
  assert.equal(list!.match(/<li>/g)?.length, 20);
  assert.match(list!, /href="\/data\/file_15012896\/[0-9a-f]{16}">강남역</);
  assert.match(list!, /1–20 \/ 30/);
  assert.match(list!, /view=map&amp;offset=20/);
  assert.match(shown, /조건 빼기: 지역: 서울특별시/);
});

test('the nearest records come first with their distances, and the place is marked', async () => {
  const shown = await pageText(pageSite(), `${parking}?view=map&near=37.598,126.98&lang=en`);
  assert.match(shown, /class="here" cx="50%" cy="50%"/);
  assert.match(shown, /<li>[^]*?≈ 200 m · 서울특별시 종로구/);
});

test('points near a place have the numbers of the list, and their names lead to the records', async () => {
  const shown = await pageText(pageSite(pharmacies()), `${parking}?view=map&near=37.5,127`);
  const list = Array.from(
    shown.matchAll(/<li>\s*<p><a href="([^"]+)">([^<]+)/g),
    ([, href, name]) => ({ href, name }),
  );
  assert.deepEqual(
    list.map(({ name }) => name),
    ['가 약국', '나 약국', '다 약국'],
  );
  for (const [at, { href, name }] of list.entries()) {
    const drawn = `<a href="${href}" tabindex="-1" rel="nofollow"\\s*>`;
    assert.match(
      shown,
      new RegExp(`${drawn}<circle class="point listed"[^>]*>\\s*<text [^>]*>${at + 1}</text>`),
    );
    assert.match(shown, new RegExp(`${drawn}<text class="place point-name"[^>]*>${name}<`));
  }
});

test('a frame of one place leads to a table of its records', async () => {
  const shown = await pageText(
    pageSite(),
    `${parking}?view=map&bbox=126.979,37.599,126.981,37.601`,
  );
  assert.match(shown, /<a href="[^"]*\?bbox=[^"&]*#table" tabindex="-1"/);
});

test('a dataset without positions has no tab for a map, and its map is explained', async () => {
  const router = pageSite();
  assert.doesNotMatch(await pageText(router, '/data/gen_restdeinfo'), /view=map/);
  assert.match(
    await pageText(router, '/data/gen_restdeinfo?view=map'),
    /이 데이터에는 좌표가 없습니다/,
  );
  const response = await request(router, `${parking}?view=globe`, {
    headers: { accept: 'text/html' },
  });
  assert.equal(response.status, 400);
});

test('loaded boundaries are drawn with their author and licence, and the others are built-in', async () => {
  const square = '375000 1270000 0 1000 1000 0 0 -1000 -1000 0';
  const store = fixtureStore('20261121-0001', [
    {
      level: 'sigungu',
      file: 'borders.json',
      license: 'CC-BY-4.0',
      credit: '<지도> 모임',
      loadedAt: '2026-11-21T00:00:00.000Z',
      regions: ['11680'],
      lines: [['11680', '', square]],
    },
  ]);
  const router = pageSite(store);
  const shown = await pageText(router, '/region/11680');
  assert.match(shown, /class="area chosen" d="M\d+ \d+l\d+ 0 0 -\d+ -\d+ 0 0 \d+z"/);
  assert.match(shown, /바탕: &lt;지도&gt; 모임\(CC BY 4.0\), 통계청 센서스용/);
  assert.match(await pageText(router, '/region/26110'), /class="area chosen" d="M/);
  assert.match(await pageText(router, `${parking}?view=map`), /&lt;지도&gt; 모임/);
  assert.match(await pageText(router, `${parking}?view=chart&by=_sigungu`), /&lt;지도&gt; 모임/);
});

test('distances from a rounded position are rounded too, and those from an exact one are not', async () => {
  const router = pageSite();
  const rounded = await pageText(router, `${parking}?view=map&near=37.598,126.98`);
  assert.match(rounded, /조건 빼기: 내 주변 \(서울특별시 성북구\)"/);
  assert.match(rounded, /숫자가 든 원은/);
  assert.match(rounded, /≈ 200 m · 서울특별시 종로구/);
  assert.match(rounded, /순서가 다를 수 있습니다/);
  assert.match(rounded, /좌표를 읽을 수 없는 9건은 뺐습니다/);
  const exact = await pageText(router, `${parking}?view=map&near=37.5981,126.98&radius=1000`);
  assert.match(exact, /조건 빼기: 서울특별시 성북구의 한 곳에서 1 km 안"/);
  assert.match(exact, /[^ ]211 m · /);
});

test('the nearest records with a word name it, and a link looks in all records', async () => {
  const shown = await pageText(pageSite(), `${parking}?view=map&near=37.598,126.98&q=한마음`);
  assert.match(shown, /검색어 ‘한마음’에 맞는 \d+건 중에서/);
  assert.match(
    shown,
    /<a rel="nofollow" href="\/data\/file_15012896\?near=[^"&]*&amp;view=map#map"/,
  );
  assert.match(shown, /aria-label="조건 빼기: 검색어 “한마음”"/);
  assert.match(shown, /class="chip"\s+href="[^"]*#map"/);
});

test('the position of a reader takes the place of a station and a region among the words', async () => {
  const router = pageSite();
  const topicOf = async (q: string): Promise<string | undefined> =>
    /data-topic="([^"]*)"/.exec(await pageText(router, `${parking}?view=map&q=${q}`))?.[1];
  assert.equal(await topicOf('강남역'), '');
  assert.equal(withoutPlaces('한마음 강남구 서울역 재개발구역'), '한마음 재개발구역');
  assert.equal(await topicOf('한마음'), '한마음');
  assert.doesNotMatch(await pageText(router, `${parking}?view=map`), /data-topic/);
});

test('a place in the box beside the map, or before 근처 in the search, is where distances begin', async () => {
  const router = pageSite();
  const html = { headers: { accept: 'text/html' } };
  assert.match(await pageText(router, `${parking}?view=map`), /<input\s+name="place"/);
  for (const target of ['place=강남역', 'q=강남역 근처']) {
    const moved = await request(router, encodeURI(`${parking}?view=map&${target}`), html);
    const location = moved.headers.get('location') ?? '';
    assert.match(location, /\?near=37\.50000%2C127\.00000&place=[^&]*&view=map$/, target);
    const shown = await pageText(router, decodeURIComponent(location));
    assert.match(shown, /‘강남역 \d+호점 주차장 \([^)]*\)’에서 가까운 순/);
  }
  const meant = await pageText(router, `${parking}?view=map&place=강남역 4호`);
  assert.match(
    meant,
    /class="place-form"[^]*딱 맞는 곳을 정하지 못했습니다[^]*href="[^"]*near=37\.\d+%2C127\.\d+&amp;place=/,
  );
  const unknown = await pageText(router, `${parking}?view=map&place=모르는곳`);
  assert.match(unknown, /‘모르는곳’의 위치를 데이터에서 찾지 못했습니다/);
  assert.doesNotMatch(await pageText(router, `${parking}?near=37.6,127&place=강남역`), /‘강남역/);
});

/** Three records, the last one nearest to 37.5 degrees north. */
function pharmacies(): MemoryStore {
  const { axes, snapshot } = fixtureStore();
  const stored = { ...axes.get('file_15012896')!, rows: 3 };
  const rows = ['다 약국', '나 약국', '가 약국'].map((주차장명, at) => ({
    관리번호: String(at),
    주차장명,
    위도: String(37.51 - at * 0.004),
    경도: '127',
  }));
  return new MemoryStore({
    snapshot,
    axes: [{ stored, rows, regionsOfRows: rows.map(() => []) }],
  });
}
