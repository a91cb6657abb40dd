import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, FieldRole, Value } from '../axis.ts';
import { createAxisRegionJoiner, regionRoles } from './axis-joiner.ts';
import { createRegionJoiner, type JoinedRegion } from './joiner.ts';
import { areRegionCodes } from './region-codes.ts';
import { regionByCode, type Region } from './region-table.ts';

const columns = { sido: 0, sigungu: 1, dong: 2, codes: [3, 4], addresses: [5, 6], lat: 7, lon: 8 };

interface Place {
  readonly sido?: string;
  readonly sigungu?: string;
  readonly dong?: string;
  readonly codes?: readonly Value[];
  readonly addresses?: readonly string[];
  readonly at?: readonly [Value, Value];
}

function joined(place: Place, assumed: Region | null = null): string | null {
  const region = joinedRegion(place, assumed);
  return region === null ? null : `${region.codes.join(' ')} by ${region.basis}`;
}

function undecided(place: Place): readonly string[] | undefined {
  return joinedRegion(place)?.undecided;
}

function joinedRegion(place: Place, assumed: Region | null = null): JoinedRegion | null {
  const [code = null, second = null] = place.codes ?? [];
  const [road = null, lot = null] = place.addresses ?? [];
  const [lat = null, lon = null] = place.at ?? [];
  const { sido = null, sigungu = null, dong = null } = place;
  return createRegionJoiner(
    columns,
    assumed,
  )([sido, sigungu, dong, code, second, road, lot, lat, lon]);
}

test('each source gives the region without the others', () => {
  assert.equal(joined({ sido: '서울', sigungu: '종로구' }), '11 11110 by field');
  assert.equal(joined({ sigungu: '태백시' }), '51 51190 by field');
  assert.equal(joined({ sido: '강원 강릉시' }), '51 51150 by field');
  assert.equal(joined({ codes: ['1111010100'] }), '11 11110 by code');
  assert.equal(joined({ codes: [11110] }), '11 11110 by code');
  assert.equal(joined({ codes: ['11110.0'] }), '11 11110 by code');
  assert.equal(joined({ codes: ['11.0', '110.0'] }), '11 11110 by code');
  assert.equal(joined({ codes: ['11', '110'] }), '11 11110 by code');
  assert.equal(joined({ addresses: ['서울 종로구 청운동 1'] }), '11 11110 by address');
  assert.equal(joined({ at: ['37.5788', '126.977'] }), '11 11110 by coordinates');
  assert.equal(joined({ at: [126.977, 37.5788] }), '11 11110 by coordinates');
  assert.equal(joined({ sido: '세종특별자치시' }), '36 by field');
  assert.equal(joined({}), null);
});

test('fields are trusted before codes, codes before addresses, addresses before coordinates', () => {
  const all = {
    sido: '서울',
    sigungu: '종로구',
    codes: ['26110'],
    addresses: ['대구 중구 1'],
    at: ['33.5', '126.5'],
  } as const;
  assert.equal(joined(all), '11 11110 by field');
  assert.equal(
    joined({ codes: all.codes, addresses: all.addresses, at: all.at }),
    '26 26110 by code',
  );
  assert.equal(joined({ addresses: all.addresses, at: all.at }), '27 27110 by address');
});

test('a source that names only the sido is refined by the next one in the same sido', () => {
  assert.equal(joined({ sido: '서울', addresses: ['서울 종로구'] }), '11 11110 by address');
  assert.equal(joined({ sido: '서울', codes: ['11110'] }), '11 11110 by code');
  assert.equal(joined({ sido: '서울', dong: '여의도동' }), '11 11560 by address');
  assert.equal(joined({ addresses: ['서울 테헤란로 1(대치동 945)'] }), '11 11680 by address');
  assert.equal(joined({ sido: '서울', at: [37.5788, 126.977] }), '11 11110 by coordinates');
  assert.equal(joined({ sido: '서울', addresses: ['부산 중구'] }), '11 by field');
  assert.equal(joined({ sido: '서울', at: [35.1631, 129.1636] }), '11 by field');
  assert.equal(joined({ sido: '서울', sigungu: '본청' }), '11 by field');
});

test('the name of a merged sido gives the code of its successor and its own code', () => {
  assert.equal(joined({ sido: '광주광역시' }), '12 29 by field');
  assert.equal(joined({ sido: '전남' }), '12 46 by field');
  assert.equal(joined({ sido: '광주광역시', sigungu: '동구' }), '12 29 12210 by field');
  assert.equal(joined({ sido: '전남광주통합특별시', sigungu: '목포시' }), '12 46 12110 by field');
  assert.equal(joined({ sido: '광주광역시', addresses: ['전남 목포시'] }), '12 29 by field');
});

test('records with former names or codes get the current region', () => {
  assert.equal(joined({ codes: ['4211010100'] }), '51 51110 by code');
  assert.equal(joined({ sido: '경상북도', sigungu: '군위군' }), '27 27720 by field');
  assert.equal(
    joined({ sido: '경상북도', addresses: ['경상북도 군위군 군위읍'] }),
    '27 27720 by address',
  );
  assert.equal(joined({ addresses: ['충청남도 연기군 조치원읍'] }), '36 44730 by address');
  assert.equal(joined({ addresses: ['경기도 화성군 봉담읍'] }), '41 41590 41593 by address');
});

test('the part of a divided sigungu is decided by dong, code or position, in that order', () => {
  const junggu = { sido: '인천광역시', sigungu: '중구' };
  assert.equal(joined({ ...junggu, dong: '운서동' }), '28 28155 28110 by field');
  assert.equal(
    joined({ ...junggu, addresses: ['인천 중구 공항로 1 (운서동)'] }),
    '28 28155 28110 by field',
  );
  assert.equal(
    joined({ ...junggu, addresses: ['인천 중구 공항로 1 (운서동.공항아파트)'] }),
    '28 28155 28110 by field',
  );
  assert.equal(joined({ ...junggu, codes: ['2811014700'] }), '28 28155 28110 by code');
  assert.equal(joined({ ...junggu, at: [37.4602, 126.4407] }), '28 28155 28110 by coordinates');
  assert.equal(
    joined({ ...junggu, addresses: ['인천 중구 신포로 1 (신포동)'] }),
    '28 28125 28110 by field',
  );
  assert.equal(joined({ addresses: ['인천 서구 마전동 1'] }), '28 28290 28260 by address');
  assert.equal(joined({ addresses: ['인천 서구 가좌동 1'] }), '28 28275 28260 by address');
});

test('an undecided part of a divided sigungu gives the shared parent and the former code', () => {
  assert.equal(joined({ sido: '인천', sigungu: '중구' }), '28 28110 by field');
  assert.equal(joined({ codes: ['28260'] }), '28 28260 by code');
  assert.equal(joined({ sido: '충북', sigungu: '청원군' }), '43 43110 43710 by field');
  assert.equal(
    joined({ sido: '충북', sigungu: '청원군', dong: '오창읍' }),
    '43 43110 43114 43710 by field',
  );
  assert.equal(
    joined({ sido: '경남', sigungu: '마산시', dong: '월영동' }),
    '48 48120 48125 48150 48151 48160 by field',
  );
});

test('a record counts for the former region that any of its sources names', () => {
  assert.equal(joined({ sido: '인천', sigungu: '동구' }), '28 28125 28140 by field');
  assert.equal(joined({ codes: ['28140'] }), '28 28125 28140 by code');
  assert.equal(joined({ codes: ['2811010100'] }), '28 28125 28110 by code');
  const jemulpo = { sido: '인천', sigungu: '제물포구' };
  assert.equal(
    joined({ ...jemulpo, addresses: ['인천 중구 신포로 1'] }),
    '28 28125 28110 by field',
  );
  assert.equal(joined({ ...jemulpo, codes: ['28140'] }), '28 28125 28140 by field');
  assert.equal(joined({ codes: ['48151'] }), '48 48120 48150 48151 48160 by code');
});

test('a record counts for a former region that contained its current region or its dong', () => {
  const jemulpo = { sido: '인천', sigungu: '제물포구' };
  assert.equal(joined({ sido: '인천', sigungu: '영종구' }), '28 28155 28110 by field');
  assert.equal(joined({ sido: '인천', sigungu: '검단구' }), '28 28290 28260 by field');
  assert.equal(joined({ ...jemulpo, dong: '신포동' }), '28 28125 28110 by field');
  assert.equal(joined({ ...jemulpo, dong: '송현동' }), '28 28125 28140 by field');
  assert.equal(joined({ ...jemulpo, dong: '어느동' }), '28 28125 by field');
  assert.equal(
    joined({ addresses: ['충북 청주시 청원구 오창읍 1'] }),
    '43 43110 43114 43710 by address',
  );
  assert.equal(joined({ addresses: ['충북 청주시 청원구 우암동 1'] }), '43 43110 43114 by address');
  assert.equal(joined({ addresses: ['강원 춘천시 남산면 1'] }), '51 51110 42715 by address');
  assert.equal(joined({ addresses: ['강원 춘천시 효자동 1'] }), '51 51110 by address');
});

test('a position decides the former region if no dong does', () => {
  const jemulpo = { sido: '인천', sigungu: '제물포구' };
  assert.equal(joined({ ...jemulpo, at: [37.4736, 126.6217] }), '28 28125 28110 by field');
  assert.equal(joined({ ...jemulpo, at: [37.4815, 126.635] }), '28 28125 28140 by field');
  assert.equal(joined({ at: [37.4815, 126.635] }), '28 28125 28140 by coordinates');
  assert.equal(
    joined({ ...jemulpo, dong: '신포동', at: [37.4815, 126.635] }),
    '28 28125 28110 by field',
  );
  assert.deepEqual(undecided({ ...jemulpo, at: [37.4815, 126.635] }), []);
  assert.deepEqual(undecided({ ...jemulpo, at: [37.5, 127] }), ['28110', '28140']);
});

test('a dong that contradicts the former region of a record does not add a second one', () => {
  assert.equal(
    joined({ sido: '인천', sigungu: '중구', dong: '송현동' }),
    '28 28125 28110 by field',
  );
});

test('former regions that no source decides are listed as undecided', () => {
  assert.deepEqual(undecided({ sido: '인천', sigungu: '제물포구' }), ['28110', '28140']);
  assert.deepEqual(undecided({ sido: '인천', sigungu: '제물포구', dong: '신포동' }), []);
  assert.deepEqual(undecided({ sido: '인천', sigungu: '동구' }), []);
  assert.deepEqual(undecided({ sido: '인천', sigungu: '중구' }), []);
  assert.deepEqual(undecided({ sido: '충북', sigungu: '청주시' }), ['43710']);
  assert.deepEqual(undecided({ addresses: ['세종특별자치시 한솔동'] }), ['44730']);
  assert.deepEqual(undecided({ addresses: ['세종특별자치시 장군면'] }), []);
  assert.deepEqual(undecided({ sido: '전남광주통합특별시' }), ['29', '46']);
  assert.deepEqual(undecided({ sido: '광주광역시' }), []);
  assert.deepEqual(undecided({ sido: '서울', sigungu: '종로구' }), []);
});

test('a sigungu of another sido leaves only the sido certain, even with a matching dong', () => {
  const row = { sido: '경상남도', sigungu: '부산시 중구' };
  assert.equal(joined({ ...row, dong: '중앙동' }), '48 by field');
  assert.equal(joined({ ...row, codes: ['48121'], at: [35.2, 128.6] }), '48 by field');
  assert.equal(joined({ sido: '경기', sigungu: '고성군', dong: '봉담읍' }), '41 by field');
  assert.equal(joined({ sido: '서울', addresses: ['부산 중구 신창동 1'] }), '11 by field');
  assert.equal(
    joined({ sido: '전라남도', sigungu: '광주시 동구', dong: '학동' }),
    '12 46 by field',
  );
  assert.equal(joined({ sido: '경기도', sigungu: '부천시 중구' }), '41 41190 by field');
  assert.equal(
    joined({ sido: '경기', sigungu: '본청', dong: '봉담읍' }),
    '41 41590 41593 by address',
  );
});

test('a code or an address decides the part of a region that the field names', () => {
  const city = { sido: '경기', sigungu: '용인시' };
  assert.equal(
    joined({ ...city, addresses: ['경기 용인시 처인구 어딘가로 1'] }),
    '41 41460 41461 by address',
  );
  assert.equal(joined({ ...city, codes: ['41463'] }), '41 41460 41463 by code');
  assert.equal(
    joined({ sido: '인천', sigungu: '중구', addresses: ['인천 영종구 공항로 1'] }),
    '28 28155 28110 by address',
  );
});

test('a 면 in an older record is found as the 읍 that it became', () => {
  assert.equal(joined({ addresses: ['경남 양산군 정관면 1'] }), '26 26710 48760 by address');
  assert.equal(joined({ addresses: ['강원 춘천군 신북면 1'] }), '51 51110 42715 by address');
  assert.equal(
    joined({ sido: '충북', sigungu: '청주시 흥덕구', dong: '강외면' }),
    '43 43110 43113 by field',
  );
});

test('a city is refined to its 일반구 by the dong', () => {
  assert.equal(joined({ addresses: ['경기도 수원시 매탄동 1'] }), '41 41110 41117 by address');
  assert.equal(joined({ addresses: ['경기도 수원시 어딘가'] }), '41 41110 by address');
  assert.equal(
    joined({ addresses: ['경기도 부천시 소사로 1 (원종동)'] }),
    '41 41190 41196 by address',
  );
  assert.equal(joined({ addresses: ['경기도 화성시 능동 1'] }), '41 41590 by address');
});

test('an ambiguous sigungu without a sido is decided by its dong or its position', () => {
  assert.equal(joined({ sigungu: '강서구', dong: '화곡제1동' }), '11 11500 by address');
  assert.equal(joined({ sigungu: '강서구', at: [35.1631, 128.9] }), '26 26440 by coordinates');
  assert.equal(joined({ sigungu: '광주시', dong: '오포읍' }), '41 41610 by address');
  assert.equal(joined({ sigungu: '광주시'.normalize('NFD') }), null);
  assert.equal(joined({ addresses: ['중구 신당동 1'] }), '11 11140 by address');
  assert.equal(joined({ sigungu: '강서구' }), null);
});

test('an ambiguous name gets the assumed sido unless the record decides otherwise', () => {
  const inBusan = (place: Place): string | null => joined(place, regionByCode('26'));
  assert.equal(inBusan({ sigungu: '중구' }), '26 26110 by field');
  assert.equal(inBusan({ sigungu: '수성구' }), '27 27260 by field');
  assert.equal(inBusan({ sigungu: '강서구', dong: '화곡동' }), '11 11500 by address');
  assert.equal(
    inBusan({ sigungu: '중구', addresses: ['대구 중구 동인동 1'] }),
    '27 27110 by address',
  );
  assert.equal(inBusan({ addresses: ['서구 어딘가 1'] }), '26 26140 by address');
  assert.equal(inBusan({ sigungu: '없는구' }), null);
  assert.equal(inBusan({}), null);
  assert.equal(joined({ sigungu: '중구' }, regionByCode('28')), '28 28110 by field');
});

test('a position across the border or far away does not change the region of the name', () => {
  const inBusan = (place: Place): string | null => joined(place, regionByCode('26'));
  const gimhae = [35.2285, 128.8894] as const;
  const jinhae = [35.0866, 128.8106] as const;
  const incheon = [37.4736, 126.6217] as const;
  for (const at of [gimhae, jinhae]) {
    assert.equal(inBusan({ sigungu: '강서구', at }), '26 26440 by field');
    assert.equal(inBusan({ addresses: ['강서구 어딘가 1'], at }), '26 26440 by address');
    assert.equal(joined({ sigungu: '강서구', at }), '26 26440 by coordinates');
  }
  for (const at of [incheon, gimhae, [35.87, 128.6]] as const) {
    assert.equal(inBusan({ sigungu: '중구', at }), '26 26110 by field');
  }
  assert.equal(joined({ sigungu: '강서구', at: [35.87, 128.6] }), null);
  assert.equal(joined({ sigungu: '없는구', at: gimhae }), '48 48250 by coordinates');
  assert.equal(joined({ sigungu: '광주시', at: [35.146, 126.9231] }), '12 29 12210 by coordinates');
  assert.equal(joined({ sigungu: '광주시', at: [37.4295, 127.255] }), '41 41610 by coordinates');
});

test('a name with a remark in brackets still gives the region', () => {
  const changwon = { sido: '경남', sigungu: '창원시(통합)' };
  assert.equal(joined(changwon), '48 48120 by field');
  assert.equal(joined({ ...changwon, at: [35.3, 128.4] }), '48 48120 by field');
  assert.equal(joined({ sigungu: '창원시 (통합)' }), '48 48120 by field');
  assert.equal(joined({ ...changwon, at: [35.1428, 128.6849] }), '48 48120 48129 by coordinates');
});

test('a former code or address decides the part of a city that a field names', () => {
  const jeonju = { sido: '전라북도', sigungu: '전주시' };
  assert.equal(
    joined({ ...jeonju, addresses: ['전라북도 전주시 완산구 어딘가로 1'] }),
    '52 52110 52111 by address',
  );
  assert.equal(joined({ ...jeonju, codes: ['45113'] }), '52 52110 52113 by code');
  assert.equal(joined({ ...jeonju, addresses: ['전라북도 전주시 1'] }), '52 52110 by field');
});

test('positions in degrees and minutes give the region of their degrees', () => {
  assert.equal(joined({ at: ['37°33′', '126°58′'] }), joined({ at: ['37.55', '126.96667'] }));
});

test('positions that are not in degrees give no region', () => {
  for (const at of [
    ['451000', '198000'],
    ['', ''],
    ['0', '0'],
    [null, 127],
  ] as const) {
    assert.equal(joined({ at }), null);
  }
});

test('codes of other systems are not recognised as region codes', () => {
  assert.ok(areRegionCodes(['1111010100', '11110', '42110', '36110', '11140.0']));
  for (const codes of [['31010', '11110'], ['210000'], ['강원'], []])
    assert.ok(!areRegionCodes(codes));
});

test('roles are derived from the fields of an axis', () => {
  const fields = [
    field('시도명', 'sido'),
    field('법정동코드', 'code', ['1111010100']),
    field('도시코드', 'code', ['31010']),
    field('읍면동', null),
    field('주소', 'address'),
    field('signguCd', 'code', ['26110']),
    field('지역코드', 'code', ['210000']),
  ];
  assert.deepEqual(regionRoles(fields), {
    sido: 0,
    sigungu: null,
    dong: 3,
    codes: [1, 5],
    addresses: [4],
    lat: null,
    lon: null,
  });
  assert.equal(createAxisRegionJoiner([field('이름', 'name')]), null);
  const values = ['서울', '1111010100', null, null, null, null, null];
  assert.equal(createAxisRegionJoiner(fields)?.(values)?.code, '11110');
});

function field(name: string, role: FieldRole | null, examples: readonly string[] = []): Field {
  const stats = {
    nonNull: 1,
    distinct: 1,
    minLength: 1,
    maxLength: 1,
    min: null,
    max: null,
    examples,
  };
  const label = { label: name, labelEn: null, labelSource: 'header' } as const;
  return { name, ...label, type: 'string', unit: null, role, searchable: true, stats };
}
