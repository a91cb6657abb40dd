import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell } from '../files/table.ts';
import { createFieldProfiler } from './profiler.ts';

/** The role of each column that has one. `table` has a list of cells for each column, which is repeated over 12 rows. */
function rolesOf(table: Readonly<Record<string, readonly Cell[]>>): Record<string, string> {
  const columns = Object.keys(table);
  const profiler = createFieldProfiler(columns);
  for (let row = 0; row < 12; row++) {
    profiler.add(columns.map((name) => table[name]?.[row % (table[name]?.length || 1)] ?? null));
  }
  return Object.fromEntries(
    profiler.fields().flatMap(({ name, role }) => (role === null ? [] : [[name, role]])),
  );
}

/** The column that gets the role `name` by its label alone: no column's values suit better. */
function nameAmong(columns: readonly string[]): string | undefined {
  const table = Object.fromEntries(
    columns.map((name, at) => [name, Array.from({ length: 12 }, (_, row) => `값 ${at} ${row}`)]),
  );
  return Object.entries(rolesOf(table)).find(([, role]) => role === 'name')?.[0];
}

const addresses = ['서울특별시 종로구 세종대로 175', '부산광역시 동래구 온천천로 1 (온천동)'];
const lats = ['37.5665', '35.1798'];
const lons = ['126.9780', '129.0750'];

test('the headers of a standard dataset have their roles', () => {
  const roles = rolesOf({
    주차장관리번호: Array.from({ length: 12 }, (_, at) => `111-${at}`),
    주차장명: ['세종로공영주차장', '온천천주차장'],
    주차장구분: ['공영', '민영'],
    소재지도로명주소: addresses,
    소재지지번주소: ['서울특별시 종로구 세종로 80-1', null],
    관리기관명: ['종로구시설관리공단', '동래구청'],
    전화번호: ['02-2290-6566', '051-550-4701'],
    위도: lats,
    경도: lons,
    데이터기준일자: ['2024-01-31', '2024-02-01'],
    제공기관코드: ['3000000', '3300000'],
    제공기관명: ['서울특별시 종로구', '부산광역시 동래구'],
  });
  assert.deepEqual(roles, {
    주차장관리번호: 'id',
    주차장명: 'name',
    소재지도로명주소: 'address',
    소재지지번주소: 'address',
    전화번호: 'phone',
    위도: 'lat',
    경도: 'lon',
    데이터기준일자: 'date',
    제공기관코드: 'code',
  });
});

test('the same dataset has the same roles by its API names', () => {
  const roles = rolesOf({
    prkplceNm: ['세종로공영주차장', '온천천주차장'],
    rdnmadr: addresses,
    ctpvNm: ['서울특별시', '부산'],
    signguNm: ['종로구', '동래구'],
    phoneNumber: ['02-2290-6566', '051-550-4701'],
    latitude: lats,
    hardness: lons,
    referenceDate: ['2024-01-31', '2024-02-01'],
    institutionNm: ['종로구청', '동래구청'],
  });
  assert.deepEqual(roles, {
    prkplceNm: 'name',
    rdnmadr: 'address',
    ctpvNm: 'sido',
    signguNm: 'sigungu',
    phoneNumber: 'phone',
    latitude: 'lat',
    hardness: 'lon',
    referenceDate: 'date',
  });
});

test('swapped coordinates get the role of their values', () => {
  assert.deepEqual(rolesOf({ 위도: lons, 경도: lats }), { 위도: 'lon', 경도: 'lat' });
  assert.deepEqual(rolesOf({ x좌표: lons, y좌표: lats }), { x좌표: 'lon', y좌표: 'lat' });
  assert.deepEqual(rolesOf({ LAT: lats, LON: lons }), { LAT: 'lat', LON: 'lon' });
  assert.deepEqual(rolesOf({ mapx: lons, mapy: lats }), { mapx: 'lon', mapy: 'lat' });
});

test('metres and minutes are not coordinates; zeros among coordinates are ignored', () => {
  assert.deepEqual(rolesOf({ '좌표정보(X)': ['198123.4'], '좌표정보(Y)': ['451234.5'] }), {});
  assert.deepEqual(rolesOf({ '위도(분)': ['33', '34'], 위도: ['0', '37.5'] }), { 위도: 'lat' });
  assert.deepEqual(rolesOf({ 기온: ['37.5'] }), {});
});

test('of two latitude columns the fuller one gets the role', () => {
  const roles = rolesOf({ 위도: [null, '37.1'], WGS84위도: ['37.1', '37.2'] });
  assert.deepEqual(roles, { WGS84위도: 'lat' });
});

test('the values of a region column decide its role', () => {
  assert.deepEqual(rolesOf({ 지역: ['강원 강릉시', '경기 고양시 덕양구'] }), { 지역: 'address' });
  assert.deepEqual(rolesOf({ 지역: ['강원', '경기'] }), { 지역: 'sido' });
  assert.deepEqual(rolesOf({ 시군구: ['서울특별시 강남구 개포동'] }), { 시군구: 'address' });
  assert.deepEqual(rolesOf({ 시군구코드명: ['부산사하구', '부천시'] }), {
    시군구코드명: 'sigungu',
  });
  assert.deepEqual(rolesOf({ 행정구: ['종로구', '양산시'], 시도: ['서울', '경남'] }), {
    행정구: 'sigungu',
    시도: 'sido',
  });
  assert.deepEqual(rolesOf({ 지역: ['수도권', '영남권'] }), {});
  assert.deepEqual(rolesOf({ 시군구: ['창원시(통합)', '강서구'] }), { 시군구: 'sigungu' });
});

test('words for totals among regions do not decide a role', () => {
  const roles = rolesOf({
    '행정구역(동읍면)별(1)': ['전국', '서울특별시', '부산광역시'],
    '행정구역(동읍면)별(2)': ['소계', '종로구', '중구'],
  });
  assert.deepEqual(roles, { '행정구역(동읍면)별(1)': 'sido', '행정구역(동읍면)별(2)': 'sigungu' });
  assert.deepEqual(rolesOf({ 지역: ['합계', '소계'] }), {});
});

test('a street alone is not an address; a column of details is, if it has whole addresses', () => {
  const streets = ['세종대로', '온천천로 12길'];
  const roles = rolesOf({
    '소재지(위치)_상세주소': ['월드컵로 72', '백련산로4길 11'],
    상세주소: ['3층 301호', '지하 1층'],
    도로명: streets,
    기점도로명: addresses,
  });
  assert.deepEqual(roles, { '소재지(위치)_상세주소': 'address', 기점도로명: 'address' });
  assert.deepEqual(rolesOf({ 도로명: streets }), {});
});

test('a column of 구군 with the name of the sido in front has the role sigungu', () => {
  const districts = ['부산광역시 해운대구', '부산광역시 강서구'];
  assert.deepEqual(rolesOf({ bsnsNm: ['시니어클럽', '노인복지관'], gugun: districts }), {
    bsnsNm: 'name',
    gugun: 'sigungu',
  });
  assert.deepEqual(rolesOf({ 기관: ['중구', '강서구'] }), { 기관: 'sigungu' });
  assert.deepEqual(rolesOf({ 기관: ['도서관', '복지관'] }), {});
});

test('fields of HIRA have their labels and roles', () => {
  const columns = ['yadmNm', 'sgguCdNm', 'sidoCdNm', 'itmNm', 'sgguNm'];
  const labels = createFieldProfiler(columns)
    .fields()
    .map(({ label }) => label);
  assert.deepEqual(labels, ['요양기관명', '시군구명', '시도명', '품목명', '시군구명 2']);
  const places = { sidoCdNm: ['부산', '서울'], sgguCdNm: ['부산진구', '강남구'] };
  assert.deepEqual(rolesOf({ yadmNm: ['가병원', '나의원'], ...places }), {
    yadmNm: 'name',
    sidoCdNm: 'sido',
    sgguCdNm: 'sigungu',
  });
  assert.deepEqual(rolesOf({ itmNm: ['가정제', '나캡슐'] }), { itmNm: 'name' });
});

test('an SSID is not a code; a title of digits is the name', () => {
  assert.deepEqual(rolesOf({ 와이파이SSID: ['Public WiFi Free', 'Seoul'] }), {});
  assert.deepEqual(rolesOf({ 관리ID: ['1', '1', '2'] }), { 관리ID: 'code' });
  assert.deepEqual(rolesOf({ title: ['1987', '2012'] }), { title: 'name' });
});

test('the weather station has the role name in a long series', () => {
  const profiler = createFieldProfiler(['지점', '지점명', '일시', '기온(°C)']);
  for (let hour = 0; hour < 400; hour++) {
    profiler.add(['108', '서울', `2024-01-01 ${String(hour % 24).padStart(2, '0')}:00`, '1.5']);
  }
  const name = profiler.fields().find(({ role }) => role === 'name');
  assert.equal(name?.name, '지점명');
});

test('a label of an address or a phone without such values gives no role', () => {
  assert.deepEqual(rolesOf({ 홈페이지주소: ['https://www.example.kr'], 이메일주소: ['-'] }), {});
  assert.deepEqual(rolesOf({ 위치: ['정문 앞', '주차장 옆'] }), {});
  assert.deepEqual(rolesOf({ 전화번호: ['없음', '미공개'] }), {});
});

test('the name is that of the thing, not of its kind, its place or its operator', () => {
  assert.equal(nameAmong(['운영기관명', '시설명', '시설유형명']), '시설명');
  assert.equal(nameAmong(['철도운영기관명', '선명', '역명']), '역명');
  assert.equal(nameAmong(['시도교육청명', '교육지원청명', '폐교명', '담당자_부서명']), '폐교명');
  assert.equal(nameAmong(['특수지명', '단지명', '동명', '호명']), '단지명');
  assert.equal(nameAmong(['역사명', '노선명', '영문역사명', '한자역사명']), '역사명');
  assert.equal(nameAmong(['정류장.명칭', '노드영문명']), '정류장.명칭');
  assert.equal(nameAmong(['상품명', '판매업소', '제조사']), '상품명');
  assert.equal(nameAmong(['bizesNm', 'brchNm', 'indsLclsNm', 'bldNm']), 'bizesNm');
  assert.equal(nameAmong(['자치구', '기관명', '공연(행사)명']), '공연(행사)명');
  assert.equal(nameAmong(['처리업소명', '업종명', '상호명']), '상호명');
  assert.equal(nameAmong(['업체명', '공사명']), '공사명');
  assert.equal(nameAmong(['stationName', 'addr']), 'stationName');
  assert.equal(nameAmong(['title', 'addr1', 'cat1']), 'title');
  assert.equal(nameAmong(['제공기관명', '관리기관명']), undefined);
});
