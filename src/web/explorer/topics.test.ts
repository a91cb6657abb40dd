import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { isUnder } from './topics.ts';

test('a topic is read from the title in Korean, not from the name of the provider in it', () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const isOf = (title: string, topic: Parameters<typeof isUnder>[1], name?: string): boolean => {
    const provider = name === undefined ? null : { name, code: null };
    return isUnder({ ...stored, axis: { ...stored.axis, title, provider } }, topic);
  };
  assert.equal(isOf('fire', 'safety'), true);
  assert.equal(isOf('행정안전부_도로명주소 코드', 'safety'), false);
  assert.equal(isOf('행정안전부_민방위 대피소', 'safety'), true);
  assert.equal(isOf('한국도로공사 휴게소 매출', 'transport', '한국도로공사'), false);
  assert.equal(isOf('국가철도공단_신분당선_역위치', 'elections'), false);
  assert.equal(isOf('국회의원선거 당선인', 'elections'), true);
  assert.equal(isOf('소방청', 'safety'), true, 'a title that is only a name');
});
