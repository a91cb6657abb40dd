import assert from 'node:assert/strict';
import test from 'node:test';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { shortAmount } from '../charts/short-number.ts';
import { firstKey, unitOf } from './chart-choices.ts';
import { labelWithUnit } from './dataset-view.ts';

const parking = '/data/file_15012896';

test('the chart of a dataset is one click away and counts by a key that suits the data', async () => {
  const router = pageSite();
  const [, href] = /<nav class="views"[^]*?href="([^"]*view=chart[^"]*)"/.exec(
    await pageText(router, parking),
  )!;
  const shown = await pageText(router, href!.replaceAll('&amp;', '&'));
  assert.match(shown, /<h2 id="chart">\s*시도별 레코드 수\s/);
  assert.match(shown, /class="area level-5"[^>]*>\s*<title>서울특별시 30<\/title>/);
  assert.match(shown, /aria-current="page"\s+>차트</);
  assert.match(await pageText(router, `${parking}?view=chart&lang=en`), /Records by province/);
});

test('filters stay in a chart, and its form keeps them', async () => {
  const shown = await pageText(
    pageSite(),
    `${parking}?view=chart&by=_sigungu&where=비고 is null&sido=서울`,
  );
  assert.match(shown, /조건 빼기: 비고: 값 없음/);
  assert.match(shown, /60건 중 10건/);
  assert.match(shown, /class="chart-form"[^]*name="where" value="비고 is null"/);
  assert.match(shown, /class="filters"[^]*name="by" value="_sigungu"/);
  assert.match(shown, /<text x="0" y="14">서울 종로구</);
});

test('districts are coloured on a map by their values, each a link to its records', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?view=chart&by=_sigungu&sido=서울`);
  const [, map] = /<figure class="choropleth">([^]*?)<\/figure>/.exec(shown)!;
  const areas = Array.from(map!.matchAll(/<a href="([^"]*)"[^>]*><path class="area level-5"/g));
  assert.equal(areas.length, 2);
  assert.match(map!, /<title>서울 강남구 15<\/title>/);
  assert.match(map!, /통계청 센서스용 행정구역경계 2018/);
  const [, href] = areas[0]!;
  const records = await pageText(router, decodeURIComponent(href!.replaceAll('&amp;', '&')));
  assert.match(records, /60건 중 15건/);
  assert.doesNotMatch(await pageText(router, `${parking}?view=chart&by=비고`), /choropleth/);
});

test('a chart begins with its smallest values on request, on the page and in its files', async () => {
  const router = pageSite();
  const page = (order: string) => pageText(router, `${parking}?view=chart&by=_sido${order}`);
  const [largest, smallest] = [await page(''), await page('&order=smallest')];
  assert(new Set(valuesOf(largest)).size > 1);
  assert.deepEqual(valuesOf(smallest), valuesOf(largest).toReversed());
  assert.match(smallest, /<option value="smallest" selected>\s*작은 값부터/);
  assert.match(smallest, /chart\.csv\?[^"]*order=smallest/);
  const byCode = await page('&order=key');
  assert.match(byCode, />서울특별시<\/text>[^]*>전남광주통합특별시<\/text>[^]*>부산광역시<\/text>/);
  assert.match(byCode, /<option value="key" selected>/);
});

test('a bar leads to the records behind it', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?view=chart&by=_sigungu`);
  const [, href] = /<a href="([^"]*)" rel="nofollow"\s*><rect class="room"/.exec(shown)!;
  const records = await pageText(router, decodeURIComponent(href!));
  assert.match(records, /60건 중 15건/);
  assert.match(records, /aria-current="page"\s+>표</);
});

test('a field of numbers is summed and averaged, and years are a line', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('gen_restdeinfo')!;
  Object.assign(fields[0]!, { role: null });
  Object.assign(fields[1]!.stats, { nonNull: 6, distinct: 3 });
  const router = pageSite(store);
  const shown = await pageText(router, '/data/gen_restdeinfo?view=chart&by=명칭&agg=sum(날짜)');
  assert.match(shown, /<h2 id="chart">\s*명칭별 날짜 합계\s/);
  assert.match(shown, /20,260,106/);
  assert.match(shown, /<option value="avg\(locdate\)"/);
  Object.assign(fields[0]!.stats, { min: 1960, max: 2026, distinct: 6 });
  const years = await pageText(router, '/data/gen_restdeinfo?view=chart&by=locdate');
  assert.match(years, /이 기준에 값이 있는 레코드가 없습니다/);
  assert.doesNotMatch(years, /<select name="order"/);
});

test('a chart opens on the sum of the only field that counts, and leads to the records', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('gen_restdeinfo')!;
  Object.assign(fields[0]!, { role: null, label: '설치대수' });
  Object.assign(fields[0]!.stats, { min: 1, max: 9 });
  Object.assign(fields[1]!.stats, { nonNull: 6, distinct: 3 });
  const router = pageSite(store);
  const shown = await pageText(router, '/data/gen_restdeinfo?view=chart&by=명칭');
  assert.match(shown, /<h2 id="chart">\s*명칭별 설치대수 합계\s/);
  assert.match(shown, /href="[^"]*agg=count#chart"\s*>레코드 수로 보기</);
  const counted = await pageText(router, '/data/gen_restdeinfo?view=chart&by=명칭&agg=count');
  assert.match(counted, /명칭별 레코드 수/);
  assert.match(counted, />설치대수 합계로 보기</);
  // A record of nothing is a record: a fire without casualties.
  Object.assign(fields[0]!.stats, { min: 0 });
  assert.match(
    await pageText(router, '/data/gen_restdeinfo?view=chart&by=명칭'),
    /명칭별 레코드 수/,
  );
});

test('an unknown key, two keys and a sum of texts are refused as pages with their place', async () => {
  const router = pageSite();
  for (const query of [
    'by=비구',
    'by=비고,관리번호',
    'agg=sum(비고)',
    'agg=count,count',
    'by=year(비고)',
  ]) {
    const headers = { accept: 'text/html' };
    const response = await request(router, encodeURI(`${parking}?view=chart&${query}`), {
      headers,
    });
    assert.equal(response.status, 400, query);
    assert.match(response.headers.get('content-type')!, /^text\/html/);
  }
});

test('a chart is downloaded as an image and as values, with the filters of the page', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?view=chart&by=_sigungu&sido=서울`);
  const links = Array.from(
    shown.matchAll(/href="(\/data\/[^"]*\/chart\.(?:svg|csv)[^"]*)"/g),
    ([, href]) => href!.replaceAll('&amp;', '&'),
  );
  const [image, values] = await Promise.all(links.map((link) => request(router, link)));
  assert.match(image!.headers.get('content-disposition')!, /^attachment; .*\.svg$/);
  const svg = await image!.text();
  assert.match(svg, /^<svg\s+xmlns=/);
  assert.match(svg, /국토교통부, 「전국 주차장 표준데이터」/);
  assert.doesNotMatch(svg, /<a |부산/);
  const remark =
    '지역은 오늘의 행정구역으로 모았으므로 원본의 시도·시군구 이름과 다를 수 있습니다.';
  assert.ok(svg.includes(`>${remark}</text>`));
  assert.equal(
    await values!.text(),
    `시군구,레코드 수,참고\r\n서울 종로구,15,${remark}\r\n서울 강남구,15,\r\n`,
  );
  assert.ok(shown.includes(remark));
});

test('the image of sample data is marked as a sample', async () => {
  const store = fixtureStore();
  Object.assign(store.axes.get('gen_restdeinfo')!.fields[1]!.stats, { nonNull: 6, distinct: 3 });
  const response = await request(pageSite(store), '/data/gen_restdeinfo/chart.svg');
  assert.match(await response.text(), /class="source"[^>]*>[^<]*」 \(예시 데이터\),/);
});

test('a dataset without a field to group by has no chart, and its files are not found', async () => {
  const router = pageSite();
  assert.match(
    await pageText(router, '/data/gen_restdeinfo?view=chart'),
    /차트로 묶을 만한 필드가 없습니다/,
  );
  assert.equal((await request(router, '/data/gen_restdeinfo/chart.csv')).status, 404);
});

test('a chart names its total, and leads to the sum of a field that counts', async () => {
  const store = fixtureStore();
  const [id] = store.axes.get('file_15012896')!.fields;
  Object.assign(id!, { role: null, type: 'integer', label: '대수' });
  const router = pageSite(store);
  const shown = await pageText(router, '/data/file_15012896?view=chart');
  assert.match(shown, /<span class="quiet">모두 60<\/span>/);
  const [, href] = /href="([^"]*)"[^>]*>대수 합계로 보기/.exec(shown)!;
  const summed = await pageText(router, decodeURI(href!.replaceAll('&amp;', '&')));
  assert.match(summed, /<span class="quiet">모두 1,770<\/span>/);
  assert.doesNotMatch(summed, /대수 합계로 보기/);
});

test('a chart offers provinces once, and explains why it offers no months', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('file_15012896')!;
  const [, , address] = fields;
  Object.assign(address!, { role: 'sido', label: '시도명' });
  Object.assign(address!.stats, { distinct: 4, nonNull: 60 });
  const shown = await pageText(pageSite(store), '/data/file_15012896?view=chart');
  const [keys] = /<select name="by">[^]*?<\/select>/.exec(shown)!;
  assert.doesNotMatch(keys, />시도명</);
  assert.match(keys, />시도</);
  assert.match(shown, /날짜 필드가 없어 연도별, 월별로 볼 수 없습니다/);
});

test('a chart offers districts of today once, and neither lot numbers nor sums of them', async () => {
  const store = fixtureStore();
  const [id, , address] = store.axes.get('file_15012896')!.fields;
  Object.assign(address!, { label: '시군구', type: 'string' });
  Object.assign(address!.stats, { distinct: 4, nonNull: 60 });
  Object.assign(id!, { role: null, type: 'integer', label: '본번' });
  Object.assign(id!.stats, { distinct: 4, nonNull: 60 });
  const shown = await pageText(pageSite(store), `${parking}?view=chart`);
  const [keys] = /<select name="by">[^]*?<\/select>/.exec(shown)!;
  assert.equal(keys.match(/>\s*시군구[^<]*</g)?.length, 1);
  const [form] = /<form\s+class="chart-form"[^]*?<\/form>/.exec(shown)!;
  assert.doesNotMatch(form, /본번/);
});

test('a chart opens on the region before the year in which things were built', async () => {
  const store = fixtureStore();
  const [id] = store.axes.get('file_15012896')!.fields;
  Object.assign(id!, { role: null, type: 'integer', label: '건축년도' });
  Object.assign(id!.stats, { min: 1960, max: 2020, distinct: 30 });
  const heading = async () =>
    /<h2 id="chart">\s*(\S+)/.exec(await pageText(pageSite(store), `${parking}?view=chart`))![1];
  assert.equal(await heading(), '시도별');
  Object.assign(id!, { label: '계약년도' });
  assert.equal(await heading(), '계약년도별');
  Object.assign(id!, { type: 'date', label: '설치일자' });
  Object.assign(id!.stats, { min: '2019-01-01', max: '2020-12-31' });
  assert.equal(firstKey(store.axes.get('file_15012896')!), 'month(관리번호)');
});

test('a chart of 30 values has a bar each; of more, a remark counts those left out of averages', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('file_15012896')!;
  Object.assign(fields[0]!, { role: null, type: 'integer', label: '면적' });
  const stored = fields.find(({ name }) => name === '주차장명')!;
  const shown = await pageText(
    pageSite(store),
    `${parking}?view=chart&by=${stored.name}&agg=avg(${fields[0]!.name})`,
  );
  assert.equal(valuesOf(shown).length, 20);
  assert.match(shown, /막대는 \d+개 중 20개입니다/);
});

test('months have no days, and the months of several years are named as such', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('gen_restdeinfo')!;
  const [date, name, flag] = fields;
  Object.assign(date!, { role: 'date', type: 'date', label: '계약년월' });
  Object.assign(date!.stats, { min: '2018-04', max: '2018-11', distinct: 6 });
  const keys = await pageText(pageSite(store), '/data/gen_restdeinfo?view=chart&by=month(locdate)');
  assert.match(keys, />계약년월 월</);
  assert.doesNotMatch(keys, />계약년월 일</);
  Object.assign(date!, { role: null, type: 'integer', label: '기준연도' });
  Object.assign(date!.stats, { min: 2020, max: 2021, distinct: 2 });
  Object.assign(name!, { role: null, label: '구분' });
  Object.assign(flag!, { type: 'integer', label: '기준월' });
  Object.assign(flag!.stats, { min: 1, max: 12, distinct: 2, nonNull: 6 });
  const months = await pageText(pageSite(store), '/data/gen_restdeinfo?view=chart&by=isHoliday');
  assert.match(months, /20260101년부터 20260106년까지 여러 해의 같은 달을 모은 값입니다/);
  assert.match(months, /#chart">20260106년만 보기</);
  assert.doesNotMatch(months, /name="order"/, 'Months keep the order of the year.');
});

test('the unit of a field stands beside its name in charts and tables', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('gen_restdeinfo')!;
  Object.assign(fields[0]!, { role: null, label: '거래금액', unit: '만원' });
  Object.assign(fields[1]!.stats, { nonNull: 6, distinct: 3 });
  const router = pageSite(store);
  const chart = await pageText(router, '/data/gen_restdeinfo?view=chart&by=명칭&agg=sum(locdate)');
  assert.match(chart, /<h2 id="chart">\s*명칭별 거래금액 합계 \(만원\)\s/);
  assert.match(chart, /모두 [\d,]+만원</);
  assert.match(
    await pageText(router, '/data/gen_restdeinfo'),
    />거래금액 \(만원\)<span class="arrow"/,
  );
});

function valuesOf(shown: string): string[] {
  return Array.from(shown.matchAll(/<text class="value"[^>]*>([\d,]+)</g), ([, value]) => value!);
}

test('a field has the unit that its label has not in brackets, in a table and a chart alike', () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  for (const [label, unit, expected, beside] of [
    ['면적', '㎡', '면적 (㎡)', '㎡'],
    ['거래금액(만원)', '만원', '거래금액(만원)', null],
    ['세대수 (명단 있음)', '명', '세대수 (명단 있음) (명)', '명'],
  ] as const) {
    const field = { ...stored.fields[0]!, label, unit };
    assert.equal(labelWithUnit(field, 'ko'), expected);
    const view = { stored: { ...stored, fields: [field] }, language: 'ko' } as const;
    assert.equal(unitOf({ function: 'sum', column: field.name }, view), beside);
  }
});

test('the map of amounts names their unit in its legend', () => {
  assert.equal(shortAmount(116_000, '만원', 'ko'), '11.6억원');
  assert.equal(shortAmount(116_000, '만원', 'en'), '116K만원');
  assert.equal(shortAmount(12, '㎡', 'ko'), '12㎡');
  assert.equal(shortAmount(12_000, null, 'ko'), '1.2만');
});
