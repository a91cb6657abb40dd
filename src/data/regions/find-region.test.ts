import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findRegion } from './find-region.ts';
import { regionByCode, regionTable } from './region-table.ts';
import { formerNamesOfSido } from './sido-names.ts';
import { suggestRegions } from './suggest-regions.ts';

/** Texts of a sido and a sigungu, the expected codes, and how they match. */
type Case = readonly [
  sido: string,
  sigungu: string | undefined,
  codes: string | null,
  matchedBy?: string,
];

function check(cases: readonly Case[]): void {
  for (const [sido, sigungu, expected, matchedBy] of cases) {
    const match = findRegion(sido, sigungu);
    const texts = `${sido} ${sigungu ?? ''}`;
    const codes =
      match === null ? null : [match.sido.code, match.sigungu?.code].filter(Boolean).join(' ');
    assert.equal(codes, expected, texts);
    if (matchedBy !== undefined) assert.equal(match?.matchedBy, matchedBy, texts);
  }
}

test('names, short names, aliases and codes find the region', () => {
  check([
    ['서울특별시', undefined, '11', 'name'],
    ['서울', undefined, '11', 'short'],
    ['서울시', undefined, '11', 'alias'],
    ['11', undefined, '11', 'code'],
    ['1100000000', undefined, '11', 'code'],
    ['서울특별시', '종로구', '11 11110', 'name'],
    ['서울', '종로', '11 11110', 'short'],
    ['11110', undefined, '11 11110', 'code'],
    ['1111010100', undefined, '11 11110', 'code'],
    ['11', '110', '11 11110', 'code'],
    ['11', '11110', '11 11110', 'code'],
    ['서울특별시', '', '11', 'name'],
    ['서울특별시', '서울특별시', '11', 'name'],
    ['서울 특별시', undefined, '11'],
    ['서울특별시 종로구', undefined, '11 11110'],
    ['서울종로구', undefined, '11 11110'],
    ['서울특별시'.normalize('NFD'), ' 종로구 ', '11 11110'],
    ['세종시', undefined, '36', 'alias'],
    ['36110', undefined, '36', 'code'],
    ['세종특별자치시', '세종시', '36'],
    ['수원시', undefined, '41 41110'],
    ['경기도', '수원시 장안구', '41 41111', 'name'],
    ['경기도', '수원시장안구', '41 41111', 'name'],
    ['경기', '성남분당', '41 41135'],
    ['경기', '분당구', '41 41135'],
    ['부산', '부산사하구', '26 26380'],
    ['중구', undefined, null],
    ['고성군', undefined, null],
    ['강원', '고성군', '51 51820'],
    ['경남', '고성군', '48 48820'],
    ['경기', '고성군', null],
    ['경기', '광주시', '41 41610'],
    ['광주', '광주시', '12'],
    ['없는시', undefined, null],
    ['', undefined, null],
    ['가'.repeat(201), undefined, null],
  ]);
});

test('강원, 전북 and 제주 are found by their names and codes before and after 특별자치도', () => {
  check([
    ['강원도', undefined, '51', 'former_name'],
    ['강원특별자치도', undefined, '51', 'name'],
    ['강원', undefined, '51', 'short'],
    ['42', undefined, '51', 'code'],
    ['강원도', '춘천시', '51 51110', 'former_name'],
    ['42110', undefined, '51 51110', 'code'],
    ['강원도', '춘천군', '51 51110', 'former_name'],
    ['전라북도', '전주시 완산구', '52 52111', 'former_name'],
    ['전북도', undefined, '52', 'alias'],
    ['45111', undefined, '52 52111', 'code'],
    ['제주도', '북제주군', '50 50110', 'former_name'],
    ['49130', undefined, '50 50130', 'code'],
  ]);
});

test('광주광역시 and 전라남도 are found as former sido within 전남광주통합특별시', () => {
  check([
    ['전남광주통합특별시', undefined, '12', 'name'],
    ['전남광주', '동구', '12 12210', 'short'],
    ['광주광역시', undefined, '12', 'former_name'],
    ['광주', undefined, '12', 'former_name'],
    ['전남', undefined, '12', 'former_name'],
    ['광주광역시', '동구', '12 12210', 'former_name'],
    ['광주시', '북구', '12 12300', 'former_name'],
    ['전라남도', '목포시', '12 12110', 'former_name'],
    ['전라남도', '여천군', '12 12130', 'former_name'],
    ['29170', undefined, '12 12300', 'code'],
    ['46910', undefined, '12 12870', 'code'],
    ['12870', undefined, '12 12870', 'code'],
    ['광주광역시', '목포시', null],
    ['전라남도', '광산구', null],
  ]);
  const gwangju = findRegion('광주광역시');
  assert.equal(gwangju?.countedCode, '29');
  assert.equal(gwangju?.former?.name, '광주광역시');
});

test('every sigungu of 전남광주통합특별시 is found by its former code', () => {
  const renumbered = regionTable.filter(
    ({ code, predecessors }) =>
      code.length === 5 && code.startsWith('12') && predecessors.length > 0,
  );
  assert.equal(renumbered.length, 27);
  for (const region of renumbered) {
    const predecessor = regionByCode(region.predecessors[0]?.code ?? '');
    assert.equal(predecessor?.name, region.name);
    assert.equal(findRegion(predecessor?.code ?? '')?.sigungu?.code, region.code);
  }
});

test('the divided districts of 인천 are found by former names and counted under former codes', () => {
  check([
    ['인천', '제물포구', '28 28125', 'short'],
    ['인천', '미추홀구', '28 28177'],
    ['인천광역시', '남구', '28 28177', 'former_name'],
    ['인천직할시', '남구', '28 28177', 'former_name'],
    ['28170', undefined, '28 28177', 'code'],
    ['인천', '동구', '28 28125', 'former_name'],
    ['인천', '중구', '28 28110', 'former_name'],
    ['2811014500', undefined, '28 28155', 'code'],
    ['2826010100', undefined, '28 28290', 'code'],
  ]);
  for (const [name, code] of [
    ['중구', '28110'],
    ['동구', '28140'],
    ['서구', '28260'],
    ['남구', '28177'],
    ['영종구', '28155'],
  ] as const) {
    assert.equal(findRegion('인천광역시', name)?.countedCode, code, name);
  }
});

test('all other changed regions are found by former and current names', () => {
  check([
    ['경북', '군위군', '27 27720', 'former_name'],
    ['대구', '군위군', '27 27720', 'short'],
    ['47720', undefined, '27 27720', 'code'],
    ['경기도', '부천시 원미구', '41 41192', 'name'],
    ['41195', undefined, '41 41192', 'code'],
    ['경기도', '부천시', '41 41190', 'name'],
    ['경기도', '화성시', '41 41590', 'name'],
    ['경기도', '화성시 동탄구', '41 41597', 'name'],
    ['경기', '동탄구', '41 41597'],
    ['충북', '청원군', '43 43710', 'former_name'],
    ['경기', '여주군', '41 41670', 'former_name'],
    ['충남', '당진군', '44 44270', 'former_name'],
    ['충남', '연기군', '36', 'former_name'],
    ['경남', '마산시', '48 48160', 'former_name'],
    ['경남', '진해시', '48 48129', 'former_name'],
    ['경상남도', '창원시', '48 48120', 'name'],
  ]);
});

test('every current region is found by name, short name and code', () => {
  const currentRegions = regionTable.filter(({ until }) => until === null);
  fc.assert(
    fc.property(fc.constantFrom(...currentRegions), (region) => {
      const sido = regionByCode(region.code.slice(0, 2))!;
      const find = (name: string): string | undefined => {
        const match = region.level === 'sido' ? findRegion(name) : findRegion(sido.name, name);
        return (match?.sigungu ?? match?.sido)?.code;
      };
      for (const name of [region.name, region.short, region.name.replaceAll(' ', ''), region.code])
        assert.equal(find(name), region.code, name);
      const match = findRegion(region.code.padEnd(10, '0'));
      assert.equal((match?.sigungu ?? match?.sido)?.code, region.code);
    }),
    { numRuns: 600 },
  );
});

test('every former code finds a region, and no text makes the search or suggestions throw', () => {
  for (const region of regionTable) assert.ok(findRegion(region.code) !== null, region.code);
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      (sido, sigungu) => {
        findRegion(sido, sigungu);
        assert.ok(suggestRegions(sido, sigungu).length <= 5);
      },
    ),
  );
});

test('a sido has its former names', () => {
  assert.deepEqual(formerNamesOfSido(regionByCode('12')!), ['광주광역시', '전라남도']);
  assert.deepEqual(formerNamesOfSido(regionByCode('26')!), ['부산직할시']);
  assert.deepEqual(formerNamesOfSido(regionByCode('11')!), []);
});

test('an unknown name gets at most five near names as suggestions', () => {
  assert.equal(suggestRegions('서을특별시')[0], '서울특별시');
  assert.equal(suggestRegions('강남')[0], '서울특별시 강남구');
  assert.equal(suggestRegions('서울', '강낭구')[0], '서울특별시 강남구');
  assert.equal(suggestRegions('수언시')[0], '경기도 수원시');
  assert.ok(suggestRegions('중구').length === 5);
  assert.deepEqual(suggestRegions('없는곳'), []);
  assert.deepEqual(suggestRegions(''), []);
});
