import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';
import type { License } from '../../data/axis.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { regionsNamedIn } from './query-region.ts';

const parking = '/data/file_15012896';

test('the page of a dataset states source, age and terms with evidence, and 모름 for gaps', async () => {
  const router = pageSite();
  const shown = await pageText(router, parking);
  assert.match(shown, /<h1>전국 주차장 표준데이터 *<\/h1>/);
  assert.match(shown, /레코드 60건, 필드 6개로 된 표입니다/);
  assert.match(shown, /국토교통부가 공개했습니다/);
  assert.match(shown, /원본은 2026-11-01에 마지막으로 바뀌었습니다/);
  assert.match(shown, /출처를 밝히면 상업적으로도 쓰고 고칠 수 있습니다/);
  assert.match(shown, /rel="noopener noreferrer nofollow" referrerpolicy="no-referrer"/);
  const sample = await pageText(router, '/data/gen_restdeinfo');
  assert.match(sample, /class="badge sample">예시 데이터/);
  assert.match(sample, /」 \(예시 데이터\), /, 'Its citation is marked, too.');
  assert.match(sample, /모름\. 원본이 언제 바뀌었는지/);
  assert.doesNotMatch(sample, /application\/ld\+json/, 'Search engines get no sample data.');
  assert.match(
    await pageText(router, `${parking}?lang=en`),
    /The source last changed on 2026-11-01/,
  );
});

test('a 시군구 without its 시도 selects the only one of its name, and offers several', async () => {
  const router = pageSite();
  const found = await request(router, `${parking}?sigungu=${encodeURIComponent('강남구')}`, {
    headers: { accept: 'text/html' },
  });
  assert.equal(found.status, 302);
  assert.equal(
    decodeURIComponent(found.headers.get('location')!),
    `${parking}?sido=서울특별시&sigungu=강남구`,
  );
  const shown = await pageText(router, `${parking}?sigungu=없는구`);
  assert.match(shown, /‘없는구’라는 시군구를 찾지 못해/);
  const empty = await pageText(router, `${parking}?sigungu=분당구`);
  assert.match(empty, /이 데이터셋에 경기도 성남시 분당구 레코드가 없어/);
  assert.match(shown, /<form\s+class="filters"/);
  assert.match(
    shown,
    /<datalist id="sigungus">\s*(?:<option[^>]*><\/option>)*<option value="강남구">/,
  );
  const regions = ['11140', '26110', '36', '41135'].map((code) => ({ code, rows: 1, basis: [] }));
  const stored = { ...fixtureStore().axes.get('file_15012896')!, regions };
  for (const [text, names] of [
    ['중구', ['서울특별시 중구', '부산광역시 중구']],
    ['분당구', ['경기도 성남시 분당구']],
    ['분당', ['경기도 성남시 분당구']],
    ['세종시', ['세종특별자치시']],
    ['26110', ['부산광역시 중구']],
  ] as const) {
    assert.deepEqual(
      regionsNamedIn(text, stored).map(({ name }) => name),
      names,
      text,
    );
  }
});

test('terms that are unknown refer to the source only if its address is known', async () => {
  for (const [sourceUrl, isReferred] of [
    ['https://example.org/', true],
    [null, false],
  ] as const) {
    const store = fixtureStore();
    const stored = store.axes.get('file_15012896')!;
    Object.assign(stored, { axis: { ...stored.axis, license: null, sourceUrl } });
    const shown = await pageText(pageSite(store), parking);
    assert.match(shown, /모름\. 이용 조건이 적혀 있지 않습니다\./);
    assert.equal(shown.includes('원본에서 확인하세요'), isReferred);
  }
});

test('search engines read of a dataset in the language of its page, and no unknown provider', async () => {
  const store = fixtureStore();
  const router = pageSite(store);
  assert.match(
    await pageText(router, parking),
    /"description":"전국 주차장 표준데이터: 레코드 60건, 필드 6개로 된 표입니다\. 필드: 관리번호, /,
  );
  assert.match(
    await pageText(router, `${parking}?lang=en`),
    /"description":"[^"]*: A table of 60 rec/,
  );
  Object.assign(store.axes.get('file_15012896')!.axis, { provider: null });
  assert.match(
    await pageText(router, parking),
    /<meta name="description" content="레코드 60건, 필드 6개로 된 표입니다\. 시도 3곳\([^)]*\)의 자료입니다\. 언제의 자료인지는 알 수 없습니다\." \/>/,
  );
});

test('the first facts name the period of the data, and the maker that its title begins with', async () => {
  const store = fixtureStore();
  const { axis, fields } = store.axes.get('file_15012896')!;
  Object.assign(axis, { title: '소방청 화재통계', provider: null, sourceModified: null });
  const field = fields.at(-1)!;
  Object.assign(field, { type: 'date', label: '데이터기준일자' });
  Object.assign(field.stats, { min: '2016-06-01', max: '2022-12-19' });
  const router = pageSite(store);
  const shown = await pageText(router, parking);
  assert.match(
    shown,
    /<dt>어디, 언제의 자료인가요<\/dt>\s*<dd>시도 3곳\(서울·전남광주·부산\)의 자료입니다\. 데이터기준일자가 2016-06-01부터 2022-12-19까지인 자료입니다\.<\/dd>/,
  );
  assert.match(shown, /시군구 \d+곳 중 \d곳에 레코드가 있습니다 · 지역은 [^<]*에서 읽음/);
  assert.match(
    shown,
    /"temporalCoverage":"2016-06-01\/2022-12-19","spatialCoverage":\["서울특별시"/,
  );
  assert.match(shown, /제목에 따르면 소방청의 자료입니다[^]*제목에서 읽었습니다/);
  const english = await pageText(router, `${parking}?lang=en`);
  assert.match(english, /from 2016-06-01 to 2022-12-19\./);
  assert.match(english, /taken from the title/);
  assert.match(await pageText(router, '/'), /2022-12-19까지의 자료/);
});

test('the regions and the period of a dataset are named as unknown where no field has them', async () => {
  const store = fixtureStore();
  Object.assign(store.axes.get('file_15012896')!, { regions: [] });
  const router = pageSite(store);
  const sentence =
    /<div class="unknown">\s*<dt>어디, 언제의 자료인가요<\/dt>\s*<dd>모름\. 지역이나 날짜를/;
  assert.match(await pageText(router, parking), sentence);
  const english = /<dt>Where and when<\/dt>\s*<dd>Unknown\. No field gives a region or a date\./;
  assert.match(await pageText(router, `${parking}?lang=en`), english);
});

test('the table of records without names begins with their id and their region', async () => {
  const store = fixtureStore();
  const { fields } = store.axes.get('file_15012896')!;
  Object.assign(fields[1]!, { role: null });
  Object.assign(fields[5]!, { role: 'sido' });
  const shown = await pageText(pageSite(store), parking);
  const headings = Array.from(shown.matchAll(/>([^<>]+)<span class="arrow"/g), ([, text]) => text);
  assert.deepEqual(headings.slice(0, 3), ['관리번호', '소재지 도로명주소', '비고']);
});

test('findings name repeated keys, reversed times and shortened zip codes', async () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const fields = stored.fields.slice(0, 4).map((field, at) => {
    const name = ['관리번호', '운영시작시각', '운영종료시각', '우편번호'][at]!;
    const stats = { ...field.stats, minLength: 4, maxLength: 5, distinct: 3 };
    return {
      ...field,
      name,
      label: name,
      type: 'string' as const,
      role: at === 0 ? field.role : null,
      stats,
    };
  });
  const times = [
    ['12:00', '11:59'],
    ['22:00', '06:00'],
    ['00:00', '24:00'],
  ];
  const rows = Array.from({ length: 6 }, (_, at) => ({
    관리번호: String(Math.max(1, at)),
    운영시작시각: times[at % 3]![0]!,
    운영종료시각: times[at % 3]![1]!,
    우편번호: '1051',
  }));
  const axis = {
    stored: { ...stored, fields, rows: 6, hasCoordinates: false },
    rows,
    regionsOfRows: rows.map(() => []),
  };
  const store = new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [axis] });
  const shown = await pageText(pageSite(store), parking);
  assert.match(shown, /앞의 레코드와 관리번호가 같은 레코드: 1건/);
  assert.match(shown, /운영종료시각이 운영시작시각보다 조금 이른 레코드.*12:00–11:59\): 2건/);
  assert.match(shown, /우편번호에 네 자리 값이 6건 있습니다/);
  assert.doesNotMatch(await pageText(pageSite(), parking), /같은 레코드:|네 자리/);
});

test('codes that became dates are a finding of their field, with a link to their records', async () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const name = stored.fields[1]!;
  const fields = [{ ...name, name: '번지', label: '번지', type: 'string' as const, role: null }];
  const rows = ['12-3', '2-58', 'Feb-58', '03월 12일', '산 5'].map((lot) => ({ 번지: lot }));
  const since = '2026-11-24T00:00:00Z';
  const quality = { findings: [{ kind: 'code_as_date', count: 2, since }] };
  const axis = {
    stored: { ...stored, fields, rows: rows.length, hasCoordinates: false, quality },
    rows,
    regionsOfRows: rows.map(() => []),
  };
  const store = new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [axis] });
  const router = pageSite(store);
  const shown = await pageText(router, parking);
  const [, href] = /번지: 엑셀이 코드를 날짜로 바꾼 값 2건\s*<a rel="nofollow" href="([^"#]*)/.exec(
    shown,
  )!;
  assert.match(
    await pageText(router, decodeURIComponent(href!.replaceAll('&amp;', '&'))),
    /5건 중 2건/,
  );
  quality.findings[0]!.count = 3;
  const others = new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [axis] });
  assert.match(
    await pageText(pageSite(others), parking),
    /엑셀이 날짜로 바꾼 값: 3건 \(2026-11-24에 확인\)/,
    'Its field is not known for sure.',
  );
});

test('conditions without records lead to the values that the other conditions leave', async () => {
  const router = pageSite();
  const where = "비고 = '없는 말' and 관리번호 <> 'x'";
  const shown = await pageText(router, `${parking}?where=${where}&sido=서울`);
  assert.match(shown, /다른 조건에 맞는 레코드에는 이런 값이 있습니다/);
  const [, href, count] = /<p class="quiet">비고<\/p>[^]*?href="([^"#]*)#table">[^<]* (\d+)</.exec(
    shown,
  )!;
  const records = await pageText(router, decodeURIComponent(href!.replaceAll('&amp;', '&')));
  assert.match(records, new RegExp(`60건 중 ${count}건`));
  const [tabs] = /<nav class="views"[^]*?<\/nav>/.exec(shown)!;
  assert.doesNotMatch(tabs, />지도</);
});

test('the period of a dataset names its field, and beside some of the records that it is of all', async () => {
  const store = fixtureStore();
  const [id] = store.axes.get('file_15012896')!.fields;
  Object.assign(id!, { role: 'date', type: 'date', label: '개설일자' });
  Object.assign(id!.stats, { min: '1959-01-02', max: '2022-05-06' });
  const router = pageSite(store);
  const whole = await pageText(router, parking);
  assert.match(whole, /<summary>[^<]* 개설일자 1959–2022 /);
  assert.doesNotMatch(whole, /전체 레코드 기준/);
  const part = await pageText(router, `${parking}?sido=서울`);
  assert.match(part, /<summary>[^<]* 전체 개설일자 1959–2022 /);
  assert.match(part, /조건과 관계없이 전체 레코드 기준/);
});

test('telephone numbers that only fill their place are a finding with a link to them', async () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const [key, name] = stored.fields;
  const phone = { ...name!, name: '전화번호', label: '전화번호', role: 'phone' as const };
  const phones = ['02-000-0000', '-', '0', '0000-0000', '02-', '119', '1588-0000', '031-123-0000'];
  const rows = phones.map((전화번호, at) => ({ 관리번호: String(at), 전화번호 }));
  const axis = {
    stored: { ...stored, fields: [key!, phone], rows: rows.length, hasCoordinates: false },
    rows,
    regionsOfRows: rows.map(() => []),
  };
  const router = pageSite(new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [axis] }));
  const shown = await pageText(router, parking);
  const [, href] = /전화번호: 자리만 채운 값 5건\s*<a[^>]*href="([^"#]+)/.exec(shown)!;
  const target = decodeURIComponent(href!.replaceAll('&amp;', '&'));
  assert.match(await pageText(router, target), /8건 중 5건/);
  assert.doesNotMatch(await pageText(pageSite(), parking), /자리만 채운/);
});

test('links to the portal have a mark and a text for screen readers', async () => {
  const router = pageSite();
  const mark =
    /원본 페이지<span aria-hidden="true"> ↗<\/span\s*><span class="spoken">\s*\(공공데이터포털로 이동\)/;
  assert.match(await pageText(router, parking), mark);
  assert.match(await pageText(router, parking), /공공누리 제1유형<span[^]*?\(다른 사이트로 이동\)/);
});

test('files of selected records have the filters in their names', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?sido=서울&where=비고 is not null`);
  for (const [, href] of shown.matchAll(
    /href="(\/api\/export\/[^"]*\.(?:csv|xlsx)\?[^"]*sido[^"]*)"/g,
  )) {
    const { headers } = await request(router, href!.replaceAll('&amp;', '&'));
    const name = decodeURIComponent(headers.get('content-disposition')!);
    assert.match(name, /전국 주차장 표준데이터 서울 비고 is not null\.(?:csv|xlsx)$/);
  }
  assert.match(shown, /\/api\/export\/[^"]*sido/);
});

test('facts that the catalog alone knows name it as their evidence, with its date', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const listed = {
    date: '2022-06-30',
    modified: '2022-02-22',
    hasProvider: true,
    hasLicense: true,
    description: '주차장의 위치와<br/> <br/>요금입니다.',
  };
  Object.assign(stored, { listed, axis: { ...stored.axis, sourceModified: null } });
  const router = pageSite(store);
  const shown = await pageText(router, parking);
  assert.equal(shown.match(/포털 목록\(2022-06-30\)에 따르면/g)?.length, 3);
  assert.match(shown, /<p>주차장의 위치와 요금입니다\. <span class="quiet">\(포털 목록의 설명\)/);
  assert.match(shown, /포털의 원본은 2022-02-22에 마지막으로 바뀌었습니다/);
  assert.match(
    await pageText(router, `${parking}.md`),
    /According to the portal's catalog of 2022-06-30: provider, licence, last change/,
  );
});

test('addresses to copy have neither blanks nor quotes', async () => {
  const where = "비고 = '공사 중'";
  const shown = await pageText(pageSite(), `/data/file_15012896?where=${where}`);
  const samples = Array.from(shown.matchAll(/<code translate="no">([^]*?)<\/code>/g));
  const texts = samples.map(([, text]) => text!.replaceAll('&#39;', "'").replaceAll('&quot;', '"'));
  const addresses = texts.flatMap((text) => text.match(/http:.*?(?=['"\n]|$)/g) ?? []);
  assert.equal(addresses.length, 8);
  for (const address of addresses) {
    const { searchParams } = new URL(address.replaceAll('&amp;', '&'));
    assert.equal(searchParams.get('where'), where, address);
  }
});

test('a source dated by month or year has no day on its page, in its citation or the sitemap', async () => {
  for (const [sourceModified, korean] of [
    ['2022', '2022년에'],
    ['2022-11', '2022-11에'],
  ] as const) {
    const store = fixtureStore();
    const stored = store.axes.get('file_15012896')!;
    Object.assign(stored.axis, { sourceModified });
    const router = pageSite(store);
    const shown = await pageText(router, parking);
    assert.match(shown, new RegExp(`원본은 ${korean} 마지막으로`));
    assert.match(shown, new RegExp(`기준일 ${sourceModified},`));
    const english = await pageText(router, `${parking}?lang=en`);
    assert.match(english, new RegExp(`last changed in ${sourceModified}\\.`));
    assert.match(await pageText(router, '/search'), new RegExp(`기준일 ${sourceModified}<`));
    const sitemap = await pageText(router, '/sitemap.xml');
    assert.match(sitemap, /file_15012896<\/loc\s*><\/url/);
  }
});

test('one is singular, and the distribution of a coordinate has no sum', async () => {
  const router = pageSite();
  const one = await pageText(router, `${parking}?where=관리번호 = '00001'&lang=en`);
  assert.match(one, /\b1 of 60 records|\b1 record\b/);
  assert.doesNotMatch(one, /\b1 (?:records|fields|datasets)\b/);
  const latitude = await pageText(router, `${parking}?field=위도&lang=en`);
  assert.match(latitude, /<dt>Mean<\/dt>/);
  assert.doesNotMatch(latitude, /<dt>Sum<\/dt>/);
  const day = await pageText(router, '/data/gen_restdeinfo?field=locdate&lang=en');
  assert.match(day, /<dt>Sum<\/dt>/);
});

test('terms with a known code are a sentence with its official name; others stand as given', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const shownFor = async (license: License, lang: string): Promise<string> => {
    Object.assign(stored.axis, { license });
    return pageText(pageSite(store), `${parking}?lang=${lang}`);
  };
  const free = { id: 'KOGL-3', name: 'KOGL type 3 (see README)', url: null };
  const korean = await shownFor(free, 'ko');
  assert.match(korean, /출처를 밝히면 쓸 수 있지만, 고칠 수는 없습니다/);
  assert.match(korean, /class="evidence">공공누리 제3유형/);
  assert.match(await shownFor(free, 'en'), /class="evidence">KOGL type 3/);
  const shared = { id: 'CC-BY-NC-SA', name: 'CC BY-NC-SA 4.0', url: null };
  assert.match(await shownFor(shared, 'ko'), /비상업적으로만 쓸 수 있고, 고친 것은 같은 조건으로/);
  const other = { id: 'other', name: '기관 약관', url: null };
  assert.match(await shownFor(other, 'ko'), /적혀 있는 조건: 기관 약관/);
});

test('numbers are shown by ranges in their order, and a range leads to its records', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?field=위도`);
  const from = shown.indexOf('class="distribution"');
  const bars = shown.slice(from, shown.indexOf('</section>', from));
  const ranges = Array.from(bars.matchAll(/([\d.]+)–([\d.]+)</g));
  assert.ok(ranges.length > 6);
  assert.ok(ranges.every(([, , below], at) => below === (ranges[at + 1]?.[1] ?? below)));
  const [, none] = /href="([^"]+)"\s*>값 없음 9건<\/a>/.exec(bars)!;
  const missing = await pageText(router, decodeURIComponent(none!).replaceAll('&amp;', '&'));
  assert.match(missing, /60건 중 9건/);
  const [, href] = /href="([^"]+)"[^>]*>35\./.exec(bars)!;
  const part = await pageText(router, decodeURIComponent(href!).replaceAll('&amp;', '&'));
  assert.match(part, /조건 빼기: 위도 ≥ 35\.2"/);
  assert.match(part, /조건 빼기: 위도 &lt; 35\.4"/);
  assert.match(part, /60건 중 13건/);
});

test('the table has labels as headings, and its rows link to records', async () => {
  const shown = await pageText(pageSite(), parking);
  assert.match(shown, /class="sort"[^>]*>소재지 도로명주소</);
  assert.equal(shown.match(/<th scope="row"/g)?.length, 50 + 6, '50 records and 6 fields.');
  assert.match(shown, /href="\/data\/file_15012896\/[0-9a-f]{16}">강남역</);
});

test('the columns of conditions come first, and columns that a reader chose stay in order', async () => {
  const router = pageSite();
  const headingsOf = async (query: string): Promise<(string | undefined)[]> =>
    Array.from(
      (await pageText(router, `${parking}?${query}`)).matchAll(/class="sort"[^>]*>([^<]*)</g),
      ([, text]) => text,
    );
  const byNote = await headingsOf('where=비고 IS NULL');
  assert.deepEqual(byNote.slice(0, 3), ['주차장명', '비고', '소재지 도로명주소']);
  assert.deepEqual(await headingsOf('select=관리번호,비고'), ['관리번호', '비고']);
});

test('the facts of a dataset have a summary, which opens them on a phone', async () => {
  const shown = await pageText(pageSite(), parking);
  assert.match(
    shown,
    /<details class="facts-switch">\s*<summary>국토교통부 · [^<]+ · [^<]+<\/summary>/,
  );
});

test('a heading sorts up, then down, then not, and pages keep filters and order', async () => {
  const router = pageSite();
  const sorted = await pageText(router, `${parking}?sort=관리번호`);
  assert.match(sorted, /aria-sort="ascending"/);
  assert.match(sorted, /sort=-%EA%B4%80%EB%A6%AC%EB%B2%88%ED%98%B8#table"/);
  const descending = await pageText(router, `${parking}?sort=-관리번호&limit=10`);
  assert.match(descending, /aria-sort="descending"/);
  assert.match(descending, /offset=10#table/);
  const byLatitude = await pageText(router, `${parking}?sort=-위도,비고`);
  const headings = Array.from(
    byLatitude.matchAll(/class="sort"[^>]*>([^<]*)</g),
    ([, text]) => text,
  );
  assert.deepEqual(headings.slice(0, 4), ['주차장명', '위도', '비고', '소재지 도로명주소']);
  assert.equal(headings.at(-1), '관리번호', 'Codes come last.');
  const last = await pageText(router, `${parking}?limit=10&offset=50`);
  assert.match(last, /51–60 \/ 60/);
  assert.match(await pageText(router, `${parking}?offset=500`), /이 목록은 60건에서 끝납니다/);
});

test('each part of a condition is a filter that a link removes, and a region is one', async () => {
  const shown = await pageText(
    pageSite(),
    `${parking}?where=비고 is null and 관리번호 > 00010&sido=서울&q=강남역`,
  );
  for (const filter of [
    '비고: 값 없음',
    '관리번호 &gt; 00010',
    '지역: 서울특별시',
    '검색어 “강남역”',
  ]) {
    assert.match(shown, new RegExp(`aria-label="조건 빼기: ${filter}"`));
  }
  assert.match(shown, /where=%EB%B9%84%EA%B3%A0%20is%20null&amp;q=/);
  assert.match(shown, /60건 중 \d건/);
});

test('a value that repeats filters by a click, and not where it filters already', async () => {
  const router = pageSite();
  const link = /<td[^>]*>\s*<a[^>]*href="([^"]*where=isHoliday[^"]*)"[^>]*>Y</;
  const store = fixtureStore();
  const stats = store.axes.get('gen_restdeinfo')!.fields[2]!.stats;
  Object.assign(stats, { nonNull: 6, distinct: 2 });
  const shown = await pageText(pageSite(store), '/data/gen_restdeinfo');
  const [, target] = link.exec(shown)!;
  const filtered = await pageText(pageSite(store), decodeURIComponent(target!));
  assert.match(filtered, /조건 빼기: 공휴일 여부 = Y/);
  assert.doesNotMatch(filtered, link);
  assert.doesNotMatch(await pageText(router, '/data/gen_restdeinfo'), link);
});

test('downloads name rows and sizes of the filtered records and of the whole', async () => {
  const shown = await pageText(pageSite(), `${parking}?sido=서울`);
  assert.match(shown, /화면의 조건에 맞는 30건/);
  assert.match(shown, /\/api\/export\/file_15012896\.xlsx\?sido=%EC%84%9C%EC%9A%B8"/);
  assert.match(shown, /\/api\/export\/file_15012896\.parquet"/);
  assert.match(shown, /약 [\d.]+ kB/);
});

test('every download and every program on the page answers with the records of the page', async () => {
  const router = pageSite();
  const shown = await pageText(
    router,
    `${parking}?where=비고 is null&sort=-관리번호&select=관리번호`,
  );
  const files = new Set(
    Array.from(shown.matchAll(/\/api\/export\/[^"'&]+(?:&amp;[^"'&]+|&#39;)*/g), ([target]) =>
      target
        .replaceAll('&amp;', '&')
        .replace(/&#39;.*$/s, '')
        .replace(/&quot;.*$/s, ''),
    ),
  );
  assert.ok(files.size >= 8);
  for (const target of files) {
    const response = await request(router, target);
    assert.equal(response.status, 200, target);
    const expected = target.includes('?where') || target.includes('&where') ? '20' : '60';
    assert.equal(response.headers.get('x-total-count'), expected, target);
  }
});

test('the distribution of a field shows its values with links to their records', async () => {
  const router = pageSite();
  const shown = await pageText(router, `/data/gen_restdeinfo?field=명칭`);
  assert.match(shown, /<h2 id="distribution">명칭의 분포<\/h2>/);
  assert.match(shown, /where=dateName%20%3D%20[^"]*">강남역의 날</);
  const numbers = await pageText(router, `${parking}?field=위도`);
  assert.match(numbers, /<dt>중앙값<\/dt>/);
});

test('the records of a region are a bar, which links to them', async () => {
  const router = pageSite();
  assert.match(await pageText(router, parking), /view=chart&amp;by=_sido#chart">지역별로 보기/);
  const shown = await pageText(router, `${parking}?field=_sido`);
  assert.match(shown, /지역의 분포/);
  const [, link] = /href="([^"]+)">서울특별시</.exec(shown)!;
  const selected = await pageText(router, decodeURIComponent(link!));
  assert.match(selected, /60건 중 30건/);
  assert.match(selected, /조건 빼기: 지역: 서울특별시/);
});

test('a condition that cannot be read is shown with its place and the nearest fields', async () => {
  const router = pageSite();
  const headers = { accept: 'text/html' };
  const response = await request(router, `${parking}?where=비구 is null&sido=서울`, { headers });
  assert.equal(response.status, 400);
  assert.match(response.headers.get('content-type')!, /^text\/html/);
  const shown = await response.text();
  assert.match(shown, /<mark>비구<\/mark> is null/);
  assert.match(shown, /sido=%EC%84%9C%EC%9A%B8&amp;where=%EB%B9%84%EA%B3%A0\+is\+null">비고</);
  const program = await request(router, `${parking}?where=비구 is null`);
  assert.match(program.headers.get('content-type')!, /problem\+json/);
});

test('an unknown dataset is 404 with the three nearest, as a page or as JSON', async () => {
  const router = pageSite();
  const page = await request(router, '/data/file_15012897', { headers: { accept: 'text/html' } });
  assert.equal(page.status, 404);
  assert.match(await page.text(), /href="\/data\/file_15012896">전국 주차장 표준데이터</);
  const program = await request(router, '/data/file_15012897');
  assert.equal(program.status, 404);
  const { suggestions } = (await program.json()) as { suggestions: string[] };
  assert.equal(suggestions[0], '/data/file_15012896');
});

test('a filter in another dialect is explained with the condition that means it', async () => {
  const shown = await pageText(pageSite(), `${parking}?관리번호=00003`);
  assert.match(shown, /관리번호 매개변수는 조건이 아니라서/);
  assert.match(
    shown,
    /where=%EA%B4%80%EB%A6%AC%EB%B2%88%ED%98%B8%20%3D%2000003"\s*>이 조건으로 보기/,
  );
});

test('the description for search engines is valid JSON with the address and the files', async () => {
  const shown = await pageText(pageSite(), parking);
  const [, json] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(shown)!;
  const described = JSON.parse(json!) as Record<string, unknown>;
  assert.equal(described['@type'], 'Dataset');
  assert.match(String(described['url']), /\/data\/file_15012896$/);
  assert.equal((described['distribution'] as unknown[]).length, 2);
});

test('no text of an address or a record becomes markup or an address of a script', async () => {
  const router = pageSite();
  await fc.assert(
    fc.asyncProperty(anyText({ maxLength: 30 }), async (text) => {
      const typed = encodeURIComponent(`"><script>${text}</script>'`.toWellFormed());
      for (const name of [
        'q',
        'where',
        'sort',
        'select',
        'field',
        'near',
        'sido',
        'bbox',
        'other',
      ]) {
        const response = await request(router, `${parking}?${name}=${typed}`, {
          headers: { accept: 'text/html' },
        });
        const shown = await response.text();
        assert.ok(response.status < 500, name);
        assert.doesNotMatch(shown, /<script>|href="javascript:/i);
      }
    }),
    { numRuns: 10 },
  );
});

test('a condition from the form becomes part of the address, and a chip that takes it off', async () => {
  const router = pageSite();
  const location = async (query: string): Promise<string> => {
    const response = await request(router, `${parking}?${query}`);
    assert.equal(response.status, 302, query);
    return decodeURIComponent(response.headers.get('location')!);
  };
  const added = await location(
    'q=&sido=서울&where=&column=주차장명&test=contains&value=50%25_할인',
  );
  assert.equal(added, String.raw`${parking}?where=주차장명 like %50\%\_할인%&sido=서울`);
  const more = `where=비고 is null or 위도 > 37&column=비고&test=filled&value=x&view=chart&offset=50`;
  assert.equal(
    await location(more),
    `${parking}?where=(비고 is null or 위도 > 37) and 비고 is not null&view=chart`,
  );
  const shown = await pageText(
    router,
    `${parking}?${more.split('&')[0]} and 주차장명 like 한마음%`,
  );
  assert.match(shown, /비고 is null or 위도 &gt; 37 and 주차장명 like 한마음%/);
  const chip = await pageText(router, `${parking}?where=주차장명 like 한마음%`);
  assert.match(chip, /주차장명: “한마음”으로 시작/);
});

test('a condition without its value, or of an unknown field, is refused where it was written', async () => {
  const router = pageSite();
  const shown = await pageText(router, `${parking}?column=위도&test=from`);
  assert.match(shown, /비교할 값이 없어 조건을 더하지 않았습니다/);
  assert.match(shown, /<option value="위도" selected/);
  assert.doesNotMatch(shown, /href="[^"]*column=/, 'No link repeats the attempt.');
  const headers = { accept: 'text/html' };
  const unknown = await request(router, `${parking}?column=위됴&value=1`, { headers });
  assert.equal(unknown.status, 400);
  assert.match(await unknown.text(), /위도/);
});

test('a misspelt word leads to the spelling that has records, without advice on filters', async () => {
  const shown = await pageText(pageSite(), `${parking}?q=한마옴`);
  assert.match(shown, /조건에 맞는 레코드가 없습니다/);
  assert.match(shown, /class="chip" href="[^"]*q=%ED%95%9C%EB%A7%88%EC%9D%8C#table"/);
  assert.doesNotMatch(shown, /하나씩 빼 보세요/);
});
