import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumeSido } from './assume-sido.ts';

const daegu = ['중구', '동구', '서구', '남구', '북구', '수성구', '달서구', '달성군'];

test('the title, the provider or the file name gives the sido of ambiguous names', () => {
  assert.equal(assume(['중구', '동구'], ['부산광역시_안전표지 정보']), '26 by title: 중구 동구');
  assert.equal(assume(['중구'], ['2022년 안전표지 (대구광역시)']), '27 by title: 중구');
  assert.equal(assume(['중구 신창동 1'], ['표지', '부산광역시교육청']), '26 by title: 중구');
  assert.equal(assume(['동구', '북구'], ['광주광역시 시설']), '12 by title: 동구 북구');
  assert.equal(assume(['중구'], ['인천광역시 시설']), '28 by title: 중구');
});

test('without a title the other names give the sido, if all of them are in it', () => {
  assert.equal(assume(daegu, ['시설 현황']), '27 by rows: 중구 동구 서구 남구 북구');
  assert.equal(assume(['강서구', '양천구', '구로구'], []), '11 by rows: 강서구');
  assert.equal(assume(['고성군', '속초시', '강릉시'], []), '51 by rows: 고성군');
});

test('no sido is assumed if titles or names disagree, are too few, or are not ambiguous', () => {
  assert.equal(assume(['중구'], []), null);
  assert.equal(assume(['중구', '수성구'], []), null);
  assert.equal(assume(['중구'], ['부산광역시 대구광역시 시설']), null);
  assert.equal(assume(['중구', '수성구', '달서구', '해운대구'], []), null);
  assert.equal(assume(['중구', '수성구', '달서구'], ['부산광역시 시설']), null);
  assert.equal(assume(['강서구', '중구'], ['대구광역시 시설']), null);
  assert.equal(assume(['수성구', '달서구'], ['대구광역시']), null);
  assert.equal(assume(['중구', '없는곳'], ['광주시 시설']), null);
  assert.equal(assume(['대구 중구', '대구 동구'], []), null);
  assert.equal(assume([], ['대구광역시']), null);
});

test('one distinct name in twenty may be of another sido, two may not', () => {
  const seoul =
    '종로구 용산구 성동구 광진구 동대문구 중랑구 성북구 강북구 도봉구 노원구 은평구 서대문구 마포구 양천구 ' +
    '구로구 금천구 영등포구 동작구 관악구';
  const names = ['중구', ...seoul.split(' ')];
  assert.equal(assume([...names, '해운대구'], []), '11 by rows: 중구');
  assert.equal(assume([...names, '해운대구', '수성구'], []), null);
});

function assume(values: readonly string[], titles: readonly string[]): string | null {
  const assumed = assumeSido(values, titles);
  return assumed && `${assumed.sido.code} by ${assumed.by}: ${assumed.names.join(' ')}`;
}
