import assert from 'node:assert/strict';
import test from 'node:test';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { namedDatasets } from '../../lookup/datasets.ts';
import { regionPairInQuery } from './region-pair.ts';
import { regionChoices, regionInQuery } from './query-region.ts';
import { placeWordOf } from './named-place.ts';
import { plainWords } from './query-words.ts';
import { groupingKey, intentOf } from './search-intent.ts';

test('a search shows datasets before records, with links to pages and never to JSON', async () => {
  const shown = await pageText(pageSite(), '/search?q=주차장');
  assert.ok(shown.indexOf('id="datasets"') < shown.indexOf('id="records"'));
  assert.match(shown, /href="\/data\/file_15012896">전국 주차장 표준데이터/);
  assert.match(shown, /href="\/data\/file_15012896\/[0-9a-f]{16}"/);
  assert.match(shown, /<h2 id="catalog">포털 목록 <span class="quiet">2<\/span>/);
  assert.doesNotMatch(shown, /href="\/api\/data/);
  assert.match(shown, /offset=20#records/);
});

test('the catalog comes before records where no dataset is stored, and after them otherwise', async () => {
  for (const [q, isCatalogFirst] of [
    ['"강남"', true],
    ['주차장', false],
  ] as const) {
    const shown = await pageText(pageSite(), `/search?q=${q}`);
    assert.ok(shown.includes('id="catalog"') && shown.includes('<ol class="cards"'), q);
    assert.equal(shown.indexOf('id="catalog"') < shown.indexOf('id="records"'), isCatalogFirst, q);
  }
});

test('records of all words come before near entries of the catalog, with their datasets', async () => {
  const store = fixtureStore();
  const { hits } = await store.catalogSearch({ ...parseQuery('주차장'), offset: 0, limit: 2 });
  const search = store.catalogSearch.bind(store);
  store.catalogSearch = (query) => search({ ...query, ...parseQuery('없는낱말') });
  store.catalogNear = async () => hits.map(({ record }) => record);
  const shown = await pageText(pageSite(store), '/search?q="강남"');
  assert.ok(shown.indexOf('<ol class="cards"') < shown.indexOf('id="near"'));
  assert.match(
    shown,
    /이 이름의 데이터셋은 없지만,\s+<a href="#by-dataset">데이터셋 \d+개에 맞는 레코드가 있습니다/,
  );
  assert.doesNotMatch(shown, /데이터셋\s+<span class="quiet">0</);
});

test('a page past the last record of a search leads to the first', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=주차장&offset=99980');
  assert.match(shown, /끝납니다/);
  assert.match(shown, /href="\/search\?q=[%A-F0-9]+#records">첫 페이지 보기/);
  assert.doesNotMatch(shown, /레코드가 없습니다/);
});

test('a word of a region filters datasets, and a link takes it off', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=강남구 주차장');
  assert.match(shown, /서울특별시 강남구 15건/);
  assert.match(shown, /href="\/region\/11680">서울특별시 강남구의 모든 데이터셋</);
  const [, link] = /href="(\/data\/file_15012896\?sido=[^"]+)">전국 주차장/.exec(shown)!;
  assert.match(decodeURIComponent(link!), /\?sido=서울특별시&amp;sigungu=강남구$/);
  assert.match(
    shown,
    /href="\/search\?q=%EC%A3%BC%EC%B0%A8%EC%9E%A5"[^>]*aria-label="조건 빼기: 지역/,
  );
  const selected = await pageText(router, decodeURIComponent(link!).replaceAll('&amp;', '&'));
  assert.match(selected, /60건 중 15건/);
  assert.match(await pageText(router, '/search?q=강남구'), /서울특별시 강남구 15건/);
});

test('a word of a region finds records that lie there, in equal totals, and text on request', async () => {
  const { snapshot, axes } = fixtureStore();
  const stored = axes.get('file_15012896')!;
  const axis = { ...stored.axis, code: 'file_1', title: '약국 현황' };
  const rows = [
    { 관리번호: '1', 주차장명: '서울약국' },
    { 관리번호: '2', 주차장명: '종로약국' },
    { 관리번호: '3', 주차장명: '종로약국' },
  ];
  const regions = [
    { code: '11', rows: 2, basis: [] },
    { code: '44', rows: 1, basis: [] },
  ];
  const regionsOfRows = [['44'], ['11'], ['11']];
  const siteWith = (places: string[][]) => {
    const counted = { ...stored, axis, rows: 3, regions };
    const pharmacies = { stored: counted, rows, regionsOfRows: places };
    return pageSite(new MemoryStore({ snapshot, axes: [pharmacies] }));
  };
  const router = siteWith(regionsOfRows);
  const shown = await pageText(router, '/search?q=서울 약국');
  assert.match(shown, /서울특별시 2건/);
  assert.match(shown, /<h2 id="records">레코드 <span class="quiet">2<\/span>/);
  assert.match(shown, /서울특별시에 있는 레코드입니다/);
  assert.doesNotMatch(shown, /서울<mark>약국<\/mark>|서울약국/);
  const [, link] = /href="([^"]+)"[^>]*>지역과 상관없이/.exec(shown)!;
  const asText = await pageText(router, decodeURIComponent(link!));
  assert.match(asText, /서울약국/);
  assert.doesNotMatch(asText, /지역: 서울/);
  const unplaced = await pageText(siteWith([[], [], []]), '/search?q=서울 약국');
  assert.match(unplaced, /서울특별시에 있는 레코드가 없어 ‘서울’, ‘약국’ 글자가 모두 있는 레코드/);
});

test('words for the form of an answer are left out of a search in a region', async () => {
  const router = pageSite();
  for (const word of ['목록', '엑셀', '다운로드', '현황', '위치', '주소']) {
    for (const q of [`강남구 주차장 ${word}`, `강남구 ${word} 주차장`]) {
      const shown = await pageText(router, `/search?q=${q}`);
      assert.match(shown, /서울특별시 강남구 15건/, q);
      assert.match(shown, /“강남구 주차장”으로 찾았습니다/, q);
    }
  }
  const joined = await pageText(router, '/search?q=강남구 주차장목록');
  assert.match(joined, /서울특별시 강남구 15건/);
  assert.match(
    await pageText(router, '/search?q=강남구 주차장 목록&rewrite=0'),
    /강남구의 자료|지역 없이/,
  );
  assert.doesNotMatch(await pageText(router, '/search?q=강남구 주차장 표준'), /으로 찾았습니다/);
});

test('the datasets of a search past the first twenty stand in a list that opens', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const codes = Array.from({ length: 26 }, (_, at) => `file_${at + 1}`);
  const axes = codes.map((code) => [code, { ...stored, axis: { ...stored.axis, code } }] as const);
  Object.assign(store, { axes: new Map([...store.axes, ...axes]) });
  const shown = await pageText(pageSite(store), '/search?q=강남구');
  assert.match(shown, /<summary>그 밖의 데이터셋 \d개<\/summary>/);
  for (const code of codes) assert.ok(shown.includes(`/data/${code}?`), code);
});

test('a word that is a value of a field with few values becomes a condition, with a way back', async () => {
  const router = pageSite(storeWithFees());
  const shown = await pageText(router, '/search?q=무료 주차장');
  assert.match(shown, /국토교통부 · 요금 = 무료 · 60건 중 20건/);
  const where = 'where=%EC%9A%94%EA%B8%88%20%3D%20%EB%AC%B4%EB%A3%8C';
  assert.match(shown, new RegExp(`href="/data/file_15012896\\?${where}">전국 주차장`));
  assert.match(shown, /href="\/data\/file_15012896\?q=%EB%AC%B4%EB%A3%8C">‘무료’가 들어 있는/);
  const inRegion = await pageText(router, '/search?q=무료 주차장 강남구');
  assert.match(inRegion, /요금 = 무료 · 서울특별시 강남구 15건 중 0건/, 'None is an answer.');
  assert.match(await pageText(router, '/search?q=유료 주차장 강남구'), /15건 중 20건/);
  const searched = await pageText(router, '/data/file_15012896?q=무료');
  assert.match(searched, new RegExp(`href="/data/file_15012896\\?${where}#table"`));
  assert.doesNotMatch(await pageText(router, '/data/file_15012896?q=강남역'), /필드의 값/);
  assert.doesNotMatch(
    await pageText(router, '/search?q=혼합 주차장'),
    /= 혼합/,
    'Two fields have it.',
  );
});

test('words of an amount or an order become a filter or sort of the dataset, with a way back', async () => {
  const router = pageSite(storeWithFees());
  const shown = await pageText(router, '/search?q=강남구 주차장 100면 이상');
  assert.match(shown, /‘100면 이상’은 데이터셋의 조건으로 읽었습니다/);
  assert.match(shown, /주차구획수 ≥ 100 · 서울특별시 강남구 15건 중 14건/);
  assert.match(shown, /href="[^"]+rewrite=0"[^>]*>“강남구 주차장 100면 이상” 그대로 보기/);
  assert.doesNotMatch(shown, /강남구의 자료가 있는 것은 없어/);
  const sorted = await pageText(router, '/search?q=주차장 많은 순');
  assert.match(sorted, /주차구획수: 큰 것부터 · 60건/);
  const [, order] = /href="\/data\/file_15012896\?sort=([^"]+)"/.exec(sorted)!;
  assert.equal(decodeURIComponent(order!), '-주차구획수');
  const regions = await pageText(router, '/search?q=주차장이 가장 많은 시군구');
  assert.match(regions, /view=chart&amp;by=_sigungu#chart">시군구별로 보기/);
  const fewest = await pageText(router, '/search?q=주차장이 가장 적은 시군구');
  assert.match(fewest, /by=_sigungu&amp;order=smallest#chart">시군구별로 보기/);
  const both = await pageText(router, '/search?q=무료 주차장 100 이상 이름순');
  assert.match(both, /요금 = 무료 · 주차구획수 ≥ 100 · 주차장명: 가나다순 · 60건 중 14건/);
  assert.match(both, /데이터셋의 조건과 순서로/);
});

test('another reading keeps the region of the query where a dataset has records of it', async () => {
  const router = pageSite(storeWithFees());
  for (const q of ['강남구 무료 주차장 없는말', '강남구 무료주차장']) {
    const shown = await pageText(router, `/search?q=${q}`);
    assert.match(shown, /지역: 서울특별시 강남구/, q);
    assert.match(shown, /요금 = 무료 · 서울특별시 강남구 15건 중 0건/, q);
  }
  const ordered = await pageText(router, '/search?q=강남구 무료 주차장 없는말 많은 순');
  assert.match(ordered, /<h1[^>]*>“강남구 무료 주차장 많은 순” 검색 결과/);
  assert.match(await pageText(router, '/search?q=제주 무료 주차장 없는말'), /60건 중 20건/);
});

test('the files of a dataset found have the conditions, the order and the region of the query', async () => {
  const router = pageSite(storeWithFees());
  const shown = await pageText(router, '/search?q=강남구 주차장 100면 이상 많은 순');
  const files = Array.from(shown.matchAll(/href="(\/api\/export\/file_15012896\.csv[^"]*)">CSV</g));
  assert.ok(files.length >= 1, shown);
  for (const [, href] of files) {
    const { searchParams } = new URL(decodeURI(href!.replaceAll('&amp;', '&')), 'http://a');
    assert.deepEqual(Object.fromEntries(searchParams), {
      where: '주차구획수 >= 100',
      sort: '-주차구획수',
      sido: '서울특별시',
      sigungu: '강남구',
      header: 'label',
    });
    const response = await request(router, href!.replaceAll('&amp;', '&'));
    assert.equal((await response.text()).trim().split('\n').length, 15);
  }
});

test('a file of several datasets has a note on its columns, and one dataset has its own', async () => {
  const one = await pageText(pageSite(), '/search?q=강남구 주차장');
  assert.doesNotMatch(one, /한 파일로 받기/);
  const { snapshot, axes } = fixtureStore();
  const both = [...axes.values()].map((stored) => {
    const rows = [Object.fromEntries(stored.fields.map(({ name }) => [name, '한마음']))];
    return { stored: { ...stored, rows: 1 }, rows, regionsOfRows: [[]] };
  });
  const router = pageSite(new MemoryStore({ snapshot, axes: both }));
  const several = await pageText(router, '/search?q=한마음');
  assert.match(several, /<summary>결과 \d+건을 한 파일로 받기<[^]*?제 열과 조건, 순서 그대로/);
});

test('a wrong letter in the name of a dataset is corrected, with the way back', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=강남구 주자장');
  assert.match(shown, /“강남구 주차장”으로 고쳐 찾았습니다\. <a href="[^"]*rewrite=0"/);
  assert.match(shown, /서울특별시 강남구 15건/);
  assert.doesNotMatch(await pageText(router, '/search?q=주자장&rewrite=0'), /고쳐/);
  assert.doesNotMatch(await pageText(router, '/search?q=주차장'), /고쳐/);
});

test('강남 is 강남구 beside other words; names of several regions and common words are none', async () => {
  const shown = await pageText(pageSite(), '/search?q=강남 주차장');
  assert.match(shown, /지역: 서울특별시 강남구[^]*?서울특별시 강남구 15건/);
  assert.match(shown, /서울특별시 강남구에 있는 레코드입니다/);
  assert.equal(regionInQuery('마포 도서관')?.code, '11440');
  assert.equal(regionInQuery('서울 강남 약국')?.code, '11680');
  for (const q of ['분당구 병원', '분당 병원', '분당구', '성남시 분당구 병원']) {
    assert.equal(regionInQuery(q)?.code, '41135', q);
  }
  assert.deepEqual(regionChoices('분당'), [{ name: '경기도 성남시 분당구', q: '성남시 분당구' }]);
  for (const q of [
    '강남',
    '예산 현황',
    '고령 인구',
    '강서 도서관',
    '고성 관광지',
    '음성 안내',
    '상당 금액',
  ]) {
    assert.equal(regionInQuery(q), null, q);
  }
});

test('a query by month or year that no dataset has names the catalog’s entries with that word', async () => {
  const shown = await pageText(pageSite(), '/search?q=연별 주차장');
  assert.match(shown, /‘연별’로 나눌 필드가 없습니다/);
  assert.doesNotMatch(shown, /포털 목록에는 ‘연별’/);
});

test('an amount without a field is left out and named; one that fits several is a choice', async () => {
  const router = pageSite(storeWithFees());
  const dropped = await pageText(pageSite(), '/search?q=강남구 주차장 100 이상');
  assert.match(dropped, /‘100 이상’에 맞는 필드가 있는 데이터셋이 없어 이 말은 뺐습니다/);
  assert.match(dropped, /서울특별시 강남구 15건/);
  const several = await pageText(router, '/search?q=주차장 1,000원 이하');
  assert.match(several, /맞는 필드가 여럿이니/);
  assert.match(several, />기본요금 ≤ 1000<[^]*>추가요금 ≤ 1000</);
  const named = await pageText(router, '/search?q=주차장 추가요금 1천원 이하');
  assert.match(named, /· 추가요금 ≤ 1000 · 60건 중 0건/);
});

test('an amount of a title, or of a query kept as typed, is searched for', async () => {
  const kept = await pageText(
    pageSite(storeWithFees()),
    '/search?q=강남구 주차장 100 이상&rewrite=0',
  );
  assert.doesNotMatch(kept, /≥ 100/);
  assert.match(kept, /“강남구 주차장 100 이상”에 맞는 데이터가 없습니다/);
  const router = pageSite(storeWithFees('100면 이상 주차장'));
  assert.doesNotMatch(await pageText(router, '/search?q=주차장 100면 이상'), /≥ 100/);
  assert.match(await pageText(router, '/search?q=주차장 90면 이상'), /≥ 90/);
});

test('a word of a value and the subject of a dataset is read as both', async () => {
  const router = pageSite(storeWithFees());
  for (const [typed, facts] of [
    ['무료주차장', '요금 = 무료 · 60건 중 20건'],
    ['강남구 유료주차장', '요금 = 유료 · 서울특별시 강남구 15건 중 20건'],
  ] as const) {
    assert.match(await pageText(router, `/search?q=${typed}`), new RegExp(facts), typed);
  }
  for (const typed of ['"무료주차장"', '없는주차장']) {
    assert.doesNotMatch(await pageText(router, `/search?q=${typed}`), /요금 = /, typed);
  }
});

test('regions are read from words of a query; a name of several, or a short one, is a choice', async () => {
  assert.deepEqual(placeOf('강남구 주차장'), ['서울특별시 강남구', '주차장']);
  assert.deepEqual(placeOf('서울 강남 주차장'), ['서울특별시 강남구', '주차장']);
  assert.deepEqual(placeOf('무료 주차장 부산'), ['부산광역시', '무료 주차장']);
  for (const q of ['주차장', '중구 도서관', '"강남구" 주차장', '110 주차장', '남 주차']) {
    assert.equal(placeOf(q), null, q);
  }
  const choices = regionChoices('중구 도서관');
  assert.ok(choices.some(({ q }) => q === '부산 중구 도서관'));
  for (const { name, q } of choices) assert.equal(regionInQuery(q)?.name, name);
  assert.deepEqual(regionChoices('마포'), [{ name: '서울특별시 마포구', q: '서울 마포구' }]);
  assert.deepEqual(
    regionChoices('강서 도서관').map(({ q }) => q),
    ['서울 강서구 도서관', '부산 강서구 도서관'],
  );
  assert.deepEqual(regionChoices('예산 심의'), []);
  assert.equal(regionChoices('예산')[0]?.name, '충청남도 예산군');
  assert.match(
    await pageText(pageSite(), '/search?q=강남'),
    /이 지역을 찾으셨나요\?[^]*?서울특별시 강남구/,
  );
});

test('a query without results is reread, and a link shows it as it was typed', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=rkdska');
  assert.match(shown, /“rkdska”에 맞는 데이터가 없어 “강남”으로 찾았습니다/);
  assert.match(shown, /href="\/search\?q=rkdska&amp;rewrite=0"/);
  const kept = await pageText(router, '/search?q=rkdska&rewrite=0');
  assert.match(kept, /“rkdska”에 맞는 데이터가 없습니다/);
  assert.match(kept, /href="\/search\?q=%EA%B0%95%EB%82%A8&amp;rewrite=0">강남</);
  assert.match(await pageText(router, '/search?q=없는말입니다'), /맞는 데이터가 없습니다/);
});

test('results of the same name show a date or place, and no match is shown twice', async () => {
  const router = pageSite();
  const found = await pageText(router, '/search?q=강남역');
  const places = found.match(/소재지 도로명주소: [^<]*어딘가로 \d+/g) ?? [];
  assert.ok(places.length > 1);
  assert.equal(new Set(places).size, places.length);
  assert.match(await pageText(router, '/search?q=설날'), /<p class="quiet">날짜: \d{8}<\/p>/);
  assert.doesNotMatch(await pageText(router, '/search?q=어딘가로'), /class="quiet">소재지/);
});

test('the records of each dataset are a file, and it has as many records as the page counts', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=강남역');
  const files = Array.from(
    shown.matchAll(/([\d,]+)건<\/p>\s*<p class="links">\s*<a href="(\/api\/export[^"]+)"/g),
    ([, count, target]) => ({ count, target: target!.replaceAll('&amp;', '&') }),
  );
  assert.equal(files.length, 2);
  for (const { count, target } of files) {
    const response = await request(router, target);
    assert.equal(response.headers.get('x-total-count'), count, target);
  }
});

test('a query that names two regions leads to their comparison and drops neither', async () => {
  const router = pageSite();
  for (const q of ['종로구 강남구 비교', '종로구와 강남구', '종로구 vs 강남구 차이']) {
    const shown = await pageText(router, `/search?q=${q}`);
    assert.match(shown, /href="\/region\/11110\?with=11680"/, q);
    assert.doesNotMatch(shown, /맞는 데이터가 없/, q);
  }
  const topic = await pageText(router, '/search?q=종로구와 강남구 주차장 비교해줘');
  assert.match(topic, /class="chip" href="[^"]+">서울특별시 강남구 주차장</);
  assert.equal(regionPairInQuery('서울 강남구'), null);
  assert.equal(regionPairInQuery('강남구 서울'), null);
  assert.equal(regionPairInQuery('강남구 비교'), null);
});

test('the datasets of a region have its exact counts once, and each total has its meaning', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const shown = await pageText(pageSite(store), '/search?q=강남구');
  assert.match(shown, /서울특별시 강남구에 있는 레코드 15건이 든 데이터셋입니다/);
  assert.match(shown, /sido=[^"]+">전국 주차장 표준데이터<\/a>[^]*?15건/);
  assert.equal(shown.match(/">전국 주차장 표준데이터<\/a>/g)?.length, 1);
  assert.match(shown, /‘강남구’ 글자로 찾은 레코드입니다/);
  assert.doesNotMatch(shown, /\d\+건|데이터셋별 레코드/);
  const fields = ['법정동코드', '시군구명'].map((label) => ({ ...stored.fields[0]!, label }));
  const axis = { ...stored.axis, code: 'file_1' };
  Object.assign(store, { axes: new Map([...store.axes, ['file_1', { ...stored, axis, fields }]]) });
  const beside = await pageText(pageSite(store), '/search?q=강남구');
  assert.match(beside, /레코드 15건이 든/, 'A list of codes counts nothing.');
});

test('a word of a grouping is kept as a link to the chart of each dataset', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=시도별로 주차장 무료');
  assert.match(shown, /href="\/data\/file_15012896\?view=chart&amp;by=_sido#chart">시도별로 보기</);
  assert.match(shown, /“주차장”으로 찾았습니다. 데이터셋의 ‘시도별로 보기’/);
  assert.doesNotMatch(await pageText(router, '/search?q=주차장'), /view=chart/);
});

test('a search for a view of data names the dataset’s, or that it has no field for it', async () => {
  const router = pageSite();
  const near = await pageText(router, '/search?q=내 주변 주차장');
  assert.match(near, /“주차장”으로 찾았습니다\. 데이터셋의 ‘지도에서 내 주변 보기’/);
  assert.doesNotMatch(near, /보유한 데이터에는 없고/);
  assert.match(
    await pageText(router, '/search?q=주차장 월별'),
    /아래 데이터셋에는 ‘월별’로 나눌 필드가 없습니다/,
  );
  assert.match(await pageText(router, '/search?q=내 주변 공휴일'), /좌표가 없어/);
});

test('어느 달 leads to the chart by month of the dataset', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('file_15012896')!;
  Object.assign(fields[5]!, { type: 'date', role: 'date', label: '개방일' });
  Object.assign(fields[5]!.stats, { min: '2020-01-01', max: '2022-12-31', distinct: 50 });
  const shown = await pageText(pageSite(store), '/search?q=어느 달에 주차장이 가장 많이 생겼나요?');
  assert.match(shown, /view=chart&amp;by=month\([^)]*\)#chart">월별로 보기</);
  assert.match(shown, /“주차장”으로 찾았습니다/);
});

test('어느 구 without an order leads to the order of regions, unless an amount is named', async () => {
  const router = pageSite(storeWithFees());
  const unordered = await pageText(router, '/search?q=어느 구 주차장');
  assert.match(unordered, /by=_sigungu&amp;order=key#chart">시군구별로 보기/);
  for (const q of ['어느 구에 주차장이 가장 많나', '어느 구 주차장 주차구획수']) {
    const shown = await pageText(router, `/search?q=${q}`);
    assert.match(shown, /by=_sigungu[^"]*#chart">시군구별로 보기/, q);
    assert.doesNotMatch(shown, /order=key/, q);
  }
});

test('전국 limits no search, and the catalog has its date', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=전국 공휴일');
  assert.doesNotMatch(shown, /전국 주차장/);
  assert.match(shown, /href="\/data\/gen_restdeinfo"/);
  assert.match(await pageText(router, '/search?q=전국'), /전국 주차장/);
  assert.match(await pageText(router, '/search?q=외부 정보'), /2026-11-01에 만든 목록입니다/);
});

test('records near a named place are sorted by their distance from it', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=강남역 근처 주차장');
  assert.match(
    shown,
    /데이터셋과 지도를 열면 ‘강남역 \d+호점 주차장 \([^)]*\) · [^’]*’에서 가까운 순서/,
  );
  assert.doesNotMatch(shown, /가까운 순서로 찾았습니다/, 'The list of records has another order.');
  assert.match(shown, /강남역에서 가까운 것부터 · 60건/);
  const near = 'near=37\\.50000%2C127\\.00000';
  const [, map] = new RegExp(
    `href="([^"]*${near}&amp;place=[^"]*&amp;view=map)#map">지도에서 강남역 근처 보기`,
  ).exec(shown)!;
  assert.doesNotMatch(map!, /[?;]q=/);
  assert.match(
    await pageText(router, map!.replaceAll('&amp;', '&').replaceAll('%2C', ',')),
    /서초구|강남구/,
  );
  const unplaced = await pageText(router, '/search?q=강남역 근처 공휴일');
  assert.match(unplaced, /좌표가 없어 강남역에서 가까운 순서로 볼 수 없습니다/);
  assert.match(unplaced, /href="\/data\/gen_restdeinfo\?q=[^"]*">‘강남역’이 들어 있는 레코드 모두/);
});

test('a station beside a topic leads to what is near it', async () => {
  const shown = await pageText(pageSite(), '/search?q=강남역 주차장');
  const link = /href="\/search\?q=([^"&]+)"[^>]*>강남역에서 가까운 순서로 보기/.exec(shown);
  assert.equal(decodeURIComponent(link![1]!).replaceAll('+', ' '), '강남역 근처 주차장');
  assert.doesNotMatch(await pageText(pageSite(), '/search?q=주차장'), /가까운 순서로 보기/);
});

test('the map near the reader has no text filter of a place without a position', async () => {
  const shown = await pageText(pageSite(), '/search?q=2호점 근처 주차장');
  assert.match(shown, /view=map#map">지도에서 내 주변 보기/);
  assert.doesNotMatch(shown, /q=[^"]*view=map">지도에서 내 주변 보기/);
  for (const q of [
    '내 주변 주차장',
    '강남구 근처 주차장',
    '우리 동네 주변 주차장',
    '"강남역 근처" 주차장',
  ])
    assert.equal(placeWordOf(q), null, q);
  assert.deepEqual(placeWordOf('강남역근처에 약국'), {
    name: '강남역',
    text: '강남역근처에',
    rest: '약국',
  });
});

test('an axis of several entries of the catalog is one dataset of a result', async () => {
  const store = fixtureStore();
  const query = parseQuery('내 주변 주차장');
  const found = await store.search({ ...query, limit: 1, offset: 0 });
  const axes = (await namedDatasets(query, found, store)).map(({ axis }) => axis);
  assert.deepEqual(axes, ['file_15012896']);
});

test('a dataset with coordinates leads to its map, and near me names it so', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/search?q=주차장');
  assert.match(shown, /href="\/data\/file_15012896\?view=map#map">지도</);
  const near = await pageText(router, '/search?q=내 주변 주차장');
  assert.match(near, /href="\/data\/file_15012896\?view=map#map">지도에서 내 주변 보기</);
});

test('groups of time need a date of the dataset, groups of regions its regions', () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const keyOf = (q: string, one = stored): string | null =>
    groupingKey(one, intentOf(plainWords(q)).grouping!, 'ko');
  assert.equal(keyOf('주차장 시군구별'), '_sigungu');
  assert.equal(keyOf('지역별', { ...stored, regions: [] }), null);
  assert.equal(keyOf('월별', { ...stored, fields: [] }), null);
  const [field] = stored.fields;
  const stats = { ...field!.stats, distinct: 9 };
  const date = { ...field!, name: 'day', type: 'date', role: 'date', stats } as const;
  assert.equal(keyOf('월별', { ...stored, fields: [date] }), 'month(day)');
  assert.equal(keyOf('연도별 주차장', { ...stored, fields: [date] }), 'year(day)');
  assert.equal(intentOf(plainWords('월별로 주차장')).rest, '주차장');
  assert.equal(intentOf(plainWords('구별 가능한 등록번호')).grouping, null);
});

test('a query that only the catalog answers has the number of its entries', async () => {
  const shown = await pageText(pageSite(), '/search?q=외부 정보');
  assert.match(shown, /보유한 데이터에는 없고, 포털 목록에 1건 있습니다/);
});

test('without a query all datasets are listed by order and topic, sample data last', async () => {
  const router = pageSite();
  const all = await pageText(router, '/search?order=title');
  assert.ok(all.indexOf('전국 주차장 표준데이터') < all.indexOf('공휴일 정보'));
  assert.match(all, /국토교통부 · 60건 · 서울·전남광주·부산 · 기준일 2026-11-01/);
  const topic = await pageText(router, '/search?topic=calendar');
  assert.match(topic, /공휴일 정보/);
  assert.doesNotMatch(topic, /전국 주차장/);
  assert.equal((await request(router, '/search?topic=none')).status, 400);
});

test('a search at its former address is redirected', async () => {
  const response = await request(pageSite(), '/?q=%EA%B0%95%EB%82%A8&lang=en');
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), '/search?q=%EA%B0%95%EB%82%A8&lang=en');
});

function placeOf(q: string): [name: string, rest: string] | null {
  const region = regionInQuery(q);
  return region && [region.name, region.rest];
}

/**
 * Parking with fees: 무료 in 20 of 60 records, none of them in 강남구, and 혼합 in two fields. The record at n has 3n
 * spaces more than 50, and fees above 1,000.
 */
function storeWithFees(title = '전국 주차장 표준데이터'): MemoryStore {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const { stats, ...plain } = stored.fields.at(-1)!;
  const added = ['요금', '구분'].map((name) => ({
    ...plain,
    name,
    label: name,
    stats: { ...stats, distinct: 3 },
  }));
  const amounts = ['주차구획수', '기본요금', '추가요금'].map((name) => ({
    ...plain,
    name,
    label: name,
    type: 'integer' as const,
    stats: { ...stats, distinct: 60 },
  }));
  const districts = ['강남구', '종로구', '해운대구'];
  const codes = [
    ['11', '11680'],
    ['11', '11110'],
    ['26', '26350'],
  ];
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...Object.fromEntries(stored.fields.map(({ name }) => [name, `${name} ${at}`])),
    소재지도로명주소: districts[at % 3]!,
    위도: null,
    경도: null,
    요금: at % 3 === 1 ? '무료' : at % 3 === 2 ? '혼합' : '유료',
    주차구획수: 50 + 3 * at,
    기본요금: 1100 + at,
    추가요금: 1200 + at,
    구분: at === 1 ? '무료' : at % 2 === 0 ? '혼합' : '단독',
  }));
  const axis = {
    stored: {
      ...stored,
      axis: { ...stored.axis, title },
      fields: [...stored.fields, ...added, ...amounts],
    },
    rows,
    regionsOfRows: rows.map((_, at) => codes[at % 3]!),
  };
  return new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [axis] });
}
