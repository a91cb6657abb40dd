import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { findRegion } from './find-region.ts';
import { createRegionJoiner, type JoinedRegion } from './joiner.ts';
import type { RegionRoles } from './region-evidence.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

realDataTest('field and address agree for at least 99 % of real records', (t) => {
  for (const [file, columns] of [
    ['pharmacyInfo.csv.gz', { sido: '시도코드명', sigungu: '시군구코드명', address: '주소' }],
    [
      '유초중등교육기관 주소록_2020.csv.gz',
      { sido: '시도', sigungu: '행정구', address: '도로명주소' },
    ],
  ] as const) {
    const table = realTable(file);
    const byField = createRegionJoiner({
      ...noRoles,
      sido: table.at(columns.sido),
      sigungu: table.at(columns.sigungu),
    });
    const byAddress = createRegionJoiner({ ...noRoles, addresses: [table.at(columns.address)] });
    const share = agreement(table.rows.map((row) => [byField(row), byAddress(row)]));
    t.diagnostic(`${file}: ${(share * 100).toFixed(2)} % of ${table.rows.length}`);
    assert.ok(share >= 0.99, file);
  }
});

realDataTest('a position alone gives the region of at least 99 % of real records', (t) => {
  for (const [file, columns] of [
    ['seoulCCTV.csv.gz', { sigungu: '자치구', lat: '위도', lon: '경도' }],
    ['전국주차장정보표준데이터_2021.csv.gz', parkingColumns],
    ['전국주차장정보표준데이터_2022.csv.gz', parkingColumns],
  ] as const) {
    const share = shareByPosition(t, file, columns);
    assert.ok(share >= 0.99, file);
  }
  // Three in a hundred pharmacies have the position of their previous address.
  const pharmacies = { address: '주소', lat: 'y좌표', lon: 'x좌표' };
  assert.ok(shareByPosition(t, 'pharmacyInfo.csv.gz', pharmacies) >= 0.96);
});

const parkingColumns = { address: '소재지지번주소', lat: '위도', lon: '경도' } as const;

/** Share of records whose position is in the region that their address, or else their district of Seoul, names. */
function shareByPosition(
  t: TestContext,
  file: string,
  { address, sigungu, lat, lon }: { address?: string; sigungu?: string; lat: string; lon: string },
): number {
  const table = realTable(file);
  const seoul = findRegion('서울특별시')!.sido;
  const byName = createRegionJoiner(
    {
      ...noRoles,
      addresses: address === undefined ? [] : [table.at(address)],
      sigungu: sigungu === undefined ? null : table.at(sigungu),
    },
    sigungu === undefined ? null : seoul,
  );
  const byPosition = createRegionJoiner({ ...noRoles, lat: table.at(lat), lon: table.at(lon) });
  const share = agreement(table.rows.map((row) => [byName(row), byPosition(row)]));
  t.diagnostic(`${file}: ${(share * 100).toFixed(2)} % of ${table.rows.length}`);
  return share;
}

/** Share of records with agreeing sources, one in the region of the other, among records that both sources locate. */
function agreement(
  pairs: readonly (readonly [JoinedRegion | null, JoinedRegion | null])[],
): number {
  let compared = 0;
  let agreeing = 0;
  for (const [one, other] of pairs) {
    if (one === null || other === null) continue;
    compared++;
    if (one.codes.includes(other.code) || other.codes.includes(one.code)) agreeing++;
  }
  assert.ok(compared > pairs.length / 2);
  return agreeing / compared;
}

function realTable(file: string): {
  rows: string[][];
  at: (column: string) => number;
} {
  const bytes = gunzipSync(readFileSync(path.join(realData, 'load', file)));
  const text = bytes.includes('주소', 0, 'utf8')
    ? bytes.toString('utf8')
    : iconv.decode(bytes, 'cp949');
  const [header = [], ...rows] = parse(text, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
  });
  return { rows, at: (column) => header.indexOf(column) };
}

const noRoles: RegionRoles = {
  sido: null,
  sigungu: null,
  dong: null,
  codes: [],
  addresses: [],
  lat: null,
  lon: null,
};
