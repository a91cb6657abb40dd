import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogTypeOf, licenseOf, listItemsMax, splitList, updateCycleOf } from './terms.ts';

test('types are recognised in each of their spellings', () => {
  const spellings = { FILE: ['file', '파일(데이터)', '파일데이터'], API: ['오픈API', 'Open API'] };
  for (const [type, texts] of Object.entries(spellings)) {
    for (const text of texts) assert.equal(catalogTypeOf(text), type, text);
  }
  assert.equal(catalogTypeOf('표준데이터셋'), 'STD');
  assert.equal(catalogTypeOf('연계데이터'), 'LINKED');
  assert.equal(catalogTypeOf(''), null);
});

test('an update cycle of a fixed length becomes a duration, any other null', () => {
  const cycles = {
    연간: 'P1Y',
    반기: 'P6M',
    분기: 'P3M',
    월간: 'P1M',
    주간: 'P1W',
    일간: 'P1D',
    격년: 'P2Y',
    실시간: 'PT0S',
    '3년 주기': 'P3Y',
    '10 일': 'P10D',
    '1시간': 'PT1H',
  };
  for (const [text, duration] of Object.entries(cycles))
    assert.equal(updateCycleOf(text), duration);
  for (const text of ['수시', '수시 (1회성 데이터)', '기타', '0일', '년', null]) {
    assert.equal(updateCycleOf(text), null);
  }
});

test('licences are recognised by their type or by their words', () => {
  const ids = {
    '이용허락범위 제한 없음': 'unrestricted',
    저작자표시: 'KOGL-1',
    'CC BY 4.0': 'CC-BY',
    'cc-by-nc-sa': 'CC-BY-NC-SA',
    'CC0 1.0': 'CC0',
    '공공누리 제1유형': 'KOGL-1',
    '저작자표시-상업적 이용금지': 'KOGL-2',
    '저작자표시-변경금지': 'KOGL-3',
    '저작자표시-상업적 이용금지-변경금지': 'KOGL-4',
    '제3자 권리 포함': 'third-party-rights',
    '기관에 문의': 'other',
  };
  for (const [text, id] of Object.entries(ids)) {
    assert.deepEqual([licenseOf(text)?.id, licenseOf(text)?.name], [id, text]);
  }
  for (const none of [null, 'not stated', '없음']) assert.equal(licenseOf(none), null);
});

test('lists lose blanks, repeats and empty items, and have a bound', () => {
  assert.deepEqual(splitList(' 주차장,, #요금 ,주차장;-'), ['주차장', '요금']);
  assert.deepEqual(splitList(null), []);
  const items = Array.from({ length: listItemsMax + 1 }, (_, at) => `말${at}`);
  assert.equal(splitList(items.join(',')).length, listItemsMax);
});
