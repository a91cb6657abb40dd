import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regionByCoordinates } from './coordinates.ts';

test('a position gives the sigungu around it, at sea the nearest one', () => {
  const table: readonly (readonly [
    place: string,
    lat: number,
    lon: number,
    code: string | undefined,
  ])[] = [
    ['경복궁', 37.5788, 126.977, '11110'],
    ['해운대', 35.1631, 129.1636, '26350'],
    ['인천공항', 37.4602, 126.4407, '28155'],
    ['검단', 37.6015, 126.6575, '28290'],
    ['동탄', 37.2004, 127.0736, '41597'],
    ['봉담', 37.2177, 126.9456, '41593'],
    ['군위', 36.2429, 128.5728, '27720'],
    ['무등산 아래', 35.146, 126.9231, '12210'],
    ['목포', 34.8118, 126.3922, '12110'],
    ['세종', 36.4801, 127.289, '36'],
    ['전주', 35.8242, 127.148, '52111'],
    ['독도 by 울릉도', 37.2426, 131.8597, '47940'],
    ['제주공항', 33.5067, 126.493, '50110'],
    ['동해 바다', 37.0, 131.0, undefined],
    ['도쿄', 35.68, 139.69, undefined],
    ['metres', 451000, 198000, undefined],
    ['nothing', 0, 0, undefined],
    ['not a number', Number.NaN, 127, undefined],
  ];
  for (const [place, lat, lon, code] of table) {
    assert.equal(regionByCoordinates(lat, lon)?.code, code, place);
    assert.equal(regionByCoordinates(lon, lat)?.code, code, `${place}, swapped`);
  }
});

test('a position beside a border gives the sigungu on its side', () => {
  for (const [place, lat, lon, code] of [
    ['서대문역사거리, 종로구', 37.56614, 126.96689, '11110'],
    ['서울역 서부, 중구', 37.55585, 126.9689, '11140'],
    ['영동대교 북단, 성동구', 37.53636, 127.05998, '11200'],
    ['장월초등학교, 성북구', 37.62347, 127.04871, '11290'],
    ['이대역, 마포구', 37.55591, 126.94602, '11440'],
    ['신목동역, 양천구', 37.54364, 126.88336, '11470'],
    ['신사역, 서초구', 37.51297, 127.02061, '11650'],
    ['복정역, 송파구', 37.47012, 127.12732, '11710'],
  ] as const) {
    assert.equal(regionByCoordinates(lat, lon)?.code, code, place);
  }
});

test('a position that is limited to some regions gives the nearest of them', () => {
  const yangsan = [35.335, 129.037] as const;
  assert.equal(regionByCoordinates(...yangsan)?.code, '48330');
  assert.equal(regionByCoordinates(...yangsan, new Set(['26320', '11110']))?.code, '26320');
  assert.equal(regionByCoordinates(...yangsan, new Set(['11110'])), null);
});

test('a position is at most 12 km from its region', () => {
  assert.equal(regionByCoordinates(37.584, 126.971)?.distanceKm, 0);
  for (let lat = 33; lat < 38.7; lat += 0.13) {
    for (let lon = 124.5; lon < 132; lon += 0.17) {
      assert.ok((regionByCoordinates(lat, lon)?.distanceKm ?? 0) <= 12);
    }
  }
});
