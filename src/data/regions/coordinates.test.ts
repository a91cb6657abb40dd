import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regionByCoordinates } from './coordinates.ts';

test('a position gives the sigungu of the nearest dong', () => {
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

test('a position is at most 12 km from its dong', () => {
  const near = regionByCoordinates(37.584, 126.971);
  assert.ok(near !== null && near.distanceKm < 0.1);
  for (let lat = 33; lat < 38.7; lat += 0.13) {
    for (let lon = 124.5; lon < 132; lon += 0.17) {
      assert.ok((regionByCoordinates(lat, lon)?.distanceKm ?? 0) <= 12);
    }
  }
});
