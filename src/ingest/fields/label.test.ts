import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFieldProfiler } from './profiler.ts';
import { labelOf } from './label.ts';

test('a Korean header is its own label, without its unit and the dots of R', () => {
  const headers = [
    '전용면적(㎡)',
    '정류장.명칭',
    '인명피해.명.소계',
    '자료수(도서)',
    '설치\n시기',
    '거래금액 (단위: 만원)',
  ];
  assert.deepEqual(
    headers.map((name) => [labelOf(name).label, labelOf(name).unit]),
    [
      ['전용면적', '㎡'],
      ['정류장 명칭', null],
      ['인명피해 소계', '명'],
      ['자료수(도서)', null],
      ['설치 시기', null],
      ['거래금액', '만원'],
    ],
  );
  assert.equal(labelOf('위도').labelEn, 'Latitude');
  assert.equal(labelOf('위도').labelSource, 'header');
});

test('published names have their published labels with the source of each', () => {
  assert.deepEqual(labelOf('rdnmadr'), {
    label: '소재지도로명주소',
    labelEn: 'Road-name address',
    labelSource: 'standard',
    unit: null,
  });
  assert.equal(labelOf('hardness').label, '경도');
  assert.equal(labelOf('bizesNm').label, '상호명');
  assert.equal(labelOf('bizesNm').labelSource, 'dictionary');
});

test('other names get labels from their words, marked as inferred', () => {
  const expected = {
    facilityNm: '시설명',
    STORE_NAME: '점포명',
    schoolcode: '학교코드',
    reg_date: '등록일자',
    LAT: '위도',
    tel2: '전화번호2',
    name: '이름',
    qqzz: 'qqzz 항목',
    'pos.lat': 'pos 위도',
    'pos.qqzz': 'pos.qqzz 항목',
  };
  for (const [name, label] of Object.entries(expected)) {
    assert.equal(labelOf(name).label, label);
    assert.equal(labelOf(name).labelSource, 'inferred');
  }
});

/** Labels of the columns of one table. */
function labels(...columns: string[]): string[] {
  return createFieldProfiler(columns)
    .fields()
    .map(({ label }) => label);
}

test('a station is labelled by the other columns, or not at all', () => {
  assert.deepEqual(labels('stationName', 'pm10Value').slice(0, 1), ['측정소명']);
  assert.deepEqual(labels('stationId', 'stationLatitude', 'parkingBikeTotCnt').slice(0, 2), [
    '대여소ID',
    '대여소위도',
  ]);
  const railway = labels('STN_CD', 'stnNm', 'LINE_NM');
  assert.deepEqual(railway.slice(0, 2), ['역코드', '역명']);
  assert.deepEqual(labels('stnNm', 'avgTa').slice(0, 1), ['지점명']);
  assert.deepEqual(labels('tm', 'addr', 'stationName'), ['tm 항목', '주소', 'stationName 항목']);
});

test('names that would be translated wrongly have their own label', () => {
  assert.equal(labelOf('CODENAME').label, '분류');
  assert.equal(labelOf('regTm').label, '등록시각');
});

test('a language at the end of a name is moved to the front of its label', () => {
  assert.equal(labelOf('nameEn').label, '영문명');
  assert.equal(labelOf('addr_eng').label, '영문주소');
});

test('a name with an unknown word is kept and not translated in part', () => {
  for (const name of [
    'sunLng',
    'no2Value',
    'coValue',
    'rnSt4Am',
    'barvlDt',
    'trainCo',
    'operator',
  ]) {
    assert.equal(labelOf(name).label, `${name} 항목`);
    assert.equal(labelOf(name).labelSource, 'inferred');
  }
  assert.equal(labelOf('busNo').label, '버스번호');
});

test('every name has a label in Korean', () => {
  fc.assert(fc.property(fc.string(), (name) => assert.match(labelOf(name).label, /[가-힣]/)));
  fc.assert(
    fc.property(fc.stringMatching(/^[가-힣().\s]{1,8}$/), (name) =>
      assert.notEqual(labelOf(name).label, ''),
    ),
  );
});

test('an ambiguous run of words is split in linear time', () => {
  const hostile = `${'code'.repeat(12)}qqq`;
  assert.equal(labelOf(hostile).label, `${hostile} 항목`);
  assert.equal(labelOf('code'.repeat(1_000)).label.length > 0, true);
});
