import assert from 'node:assert/strict';
import test from 'node:test';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';

const store = fixtureStore();
const [first, second, third] = store.additions('file_15012896', [0, 1, 3]).map(({ _id }) => _id);
const path = `/data/file_15012896/${first}`;

test('the page of a record has all fields with labels, its source and a citation', async () => {
  const shown = await pageText(pageSite(), path);
  assert.match(shown, /<h1>강남역 *<\/h1>/);
  assert.match(shown, /<th scope="row"\s*>소재지 도로명주소<\/th>/);
  assert.match(shown, /서울특별시 강남구 어딘가로 0/);
  assert.match(
    shown,
    /국토교통부, 「전국 주차장 표준데이터」, 「강남역」, 레코드 [0-9a-f]{16}, 기준일 2026-11-01/,
  );
  assert.match(shown, new RegExp(`/api/data/record\\?axis=file_15012896&amp;id=${first}`));
  assert.match(shown, /값 없음/);
});

test('a long key comes after all other fields of a record', async () => {
  const { axes, snapshot } = fixtureStore();
  const stored = { ...axes.get('file_15012896')!, rows: 1 };
  const row = { 관리번호: '1', 주차장명: '한빛 주차장', 비고: 'JDQ4MTAxMiM1'.repeat(7) };
  const memory = new MemoryStore({
    snapshot,
    axes: [{ stored, rows: [row], regionsOfRows: [[]] }],
  });
  const [one] = memory.additions('file_15012896', [0]);
  const shown = await pageText(pageSite(memory), `/data/file_15012896/${one!._id}`);
  const [last] = Array.from(shown.matchAll(/<th scope="row"\s*>([^<]+)/g), ([, n]) => n).slice(-1);
  assert.equal(last, '비고');
});

test('a record names datasets with its name and leads to records of its region', async () => {
  const shown = await pageText(pageSite(), path);
  assert.match(shown, /href="\/data\/gen_restdeinfo\?q=%22%EA%B0%95%EB%82%A8%EC%97%AD%22"/);
  assert.match(shown, /class="badge sample"/);
  assert.match(shown, /서울특별시 강남구의 다른 레코드/);
});

test('a map marks the position of a record and leads to the records around it', async () => {
  const shown = await pageText(pageSite(), `/data/file_15012896/${second}?lang=en`);
  const [, map] = /<figure class="region-map">([^]*?)<\/section>/.exec(shown)!;
  assert.match(map!, /class="point"\s+cx="50%"\s+cy="50%"/);
  assert.match(map!, /href="\/data\/file_15012896\?near=37.6%2C126.98&amp;view=map&amp;lang=en"/);
  assert.match(map!, /Base: census boundaries 2018/);
});

test('a record without a position has the outline of its district, and no map without a region', async () => {
  const router = pageSite();
  assert.match(await pageText(router, path), /class="area chosen"/);
  const [holiday] = store.additions('gen_restdeinfo', [0]);
  const unplaced = await pageText(router, `/data/gen_restdeinfo/${holiday!._id}`);
  assert.doesNotMatch(unplaced, /<figure/);
});

test('a pinned record keeps its values after the data has changed, and links the current ones', async () => {
  const router = pageSite();
  const changed = `/data/file_15012896/${third}`;
  assert.doesNotMatch(await pageText(router, changed), /공사 중/);
  const pinned = await pageText(router, `${changed}?snapshot=20261119-0002`);
  assert.match(pinned, /공사 중/);
  assert.match(pinned, /2026-11-21 시점에 고정한 값입니다\(스냅샷 20261119-0002\)/);
  assert.match(pinned, /바뀌었을 수 있습니다\.\s+<a href="[^"]+">지금 값 보기/);
  assert.match(pinned, new RegExp(`href="${changed}">지금 값 보기`));
});

test('a record pinned to the current snapshot shows its date; its own page does not', async () => {
  const router = pageSite();
  const pinned = await pageText(router, `${path}?snapshot=20261121-0001&lang=en`);
  assert.match(pinned, /These are the values of 2026-11-21, of snapshot 20261121-0001/);
  assert.match(pinned, new RegExp(`href="${path}\\?lang=en">See the current values`));
  assert.doesNotMatch(await pageText(router, path), /시점에 고정한/);
});

test('the citation of a record names the field of its date, which is no date of publication', async () => {
  const [holiday] = store.additions('gen_restdeinfo', [0]);
  const shown = await pageText(pageSite(), `/data/gen_restdeinfo/${holiday!._id}`);
  assert.match(shown, /「신정」, 날짜 20260101, 레코드/);
});

test('the address of a record comes before its map, and the search before it has a name', async () => {
  const shown = await pageText(pageSite(), path);
  assert.ok(shown.indexOf('id="address"') < shown.indexOf('id="place"'));
  assert.match(shown, /<nav\s+class="trail"[^>]*data-search="검색 결과"/);
});

test('an unknown record, snapshot or dataset is 404 with a way on', async () => {
  const router = pageSite();
  for (const target of [
    '/data/file_15012896/0000000000000000',
    '/data/file_15012896/nothing',
    '/data/file_15012896/0000000000000000?snapshot=20261119-0002',
    '/data/file_1/0000000000000000',
  ]) {
    const response = await request(router, target, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 404, target);
    assert.match(await response.text(), /href="\/data\/file_15012896/, target);
  }
});

test('the address of a snapshot that is no longer stored leads to the current record', async () => {
  const router = pageSite();
  for (const id of ['20200101-0001', '../..']) {
    const target = `${path}?snapshot=${id}`;
    const response = await request(router, target, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 410);
    const shown = await response.text();
    assert.match(shown, /더 보관되어 있지 않습니다/);
    assert.ok(shown.includes(`href="${path}">이 레코드의 지금 값<`));
  }
  const removed = '/data/file_15012896/0000000000000000?snapshot=20200101-0001';
  const response = await request(router, removed, { headers: { accept: 'text/html' } });
  const shown = await response.text();
  assert.match(shown, /지금 데이터에도 없습니다/);
  assert.doesNotMatch(shown, /이 레코드의 지금 값/);
});

test('a record has one address that lasts, with its reason, and both citations print it', async () => {
  const shown = await pageText(pageSite(), path);
  assert.match(shown, /고유 주소는 관리번호 값이 데이터에 있는 동안 열립니다/);
  assert.equal(shown.match(new RegExp(`, http://[^<]*${path}<`, 'g'))?.length, 2);
  assert.match(shown, /그 스냅샷이 최근 5개에 드는 동안만 열립니다/);
});

test('both addresses of a record can be copied, and a pinned page cites its own', async () => {
  const router = pageSite();
  const codesOf = async (target: string): Promise<string[]> =>
    Array.from(
      (await pageText(router, target)).matchAll(/<code[^>]*>([^<]*)</g),
      ([, code]) => code!,
    );
  const pinned = `${path}?snapshot=20261121-0001`;
  const [lasting, frozen] = await codesOf(path);
  assert.ok(lasting!.endsWith(path), lasting);
  assert.ok(frozen!.endsWith(pinned), frozen);
  const [, , ...cited] = await codesOf(pinned);
  assert.equal(cited.length, 2);
  for (const one of cited) assert.ok(one.endsWith(pinned), one);
});

test('name and address of a record come first, and its id last', async () => {
  const shown = await pageText(pageSite(), path);
  const labels = Array.from(shown.matchAll(/<th scope="row"\s*>([^<]*)</g), ([, label]) => label);
  assert.deepEqual(labels, ['주차장명', '소재지 도로명주소', '위도', '경도', '비고', '관리번호']);
});
