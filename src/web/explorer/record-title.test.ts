import assert from 'node:assert/strict';
import test from 'node:test';
import type { Field, FieldRole } from '../../data/axis.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { recordName, recordWords } from './record-title.ts';

const [first] = fixtureStore().axes.get('file_15012896')!.fields;

function fieldOf(label: string, role: FieldRole | null = null, type: Field['type'] = 'string') {
  return { ...first!, name: label, label, role, type };
}

test('a record without a name is listed by its place and its first words', () => {
  const fields = [
    fieldOf('연번', null, 'integer'),
    fieldOf('시도', 'sido'),
    fieldOf('시군구', 'sigungu'),
    fieldOf('읍면동'),
    fieldOf('발화열원'),
    fieldOf('종별코드', 'code'),
    fieldOf('장소'),
  ];
  const row = {
    연번: '1',
    시도: '경상남도',
    시군구: '합천군',
    읍면동: '청덕면',
    발화열원: '작동기기',
    종별코드: '81',
    장소: null,
  };
  assert.equal(recordName({ fields }, row), null);
  assert.equal(recordWords({ fields }, row), '경상남도 합천군 청덕면 · 작동기기');
  const named = [...fields, fieldOf('이름', 'name')];
  assert.equal(recordName({ fields: named }, { ...row, 이름: '합천시장' }), '합천시장');
  assert.equal(recordWords({ fields: fields.slice(0, 1) }, row), null);
});
