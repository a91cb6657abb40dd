import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../data/korean/terms.ts';
import { Topics } from './topics.ts';

const axes = [
  stored('file_1', '서울특별시 공공 도서관', ['도서관명', '열람석 수', '주소']),
  stored('file_2', '전국 CCTV 위치', ['설치목적', '주소']),
  stored('file_3', '주차장 정보', ['주차구획수', '주소']),
];
const topics = new Topics(axes);

test('a dataset is about the words of its title, blanks and case aside', () => {
  assert.equal(topics.givenTerms('file_1', parseQuery('공공도서관').terms), 1);
  assert.equal(topics.givenTerms('file_1', parseQuery('강남 도서관 서울').terms), 0b110);
  assert.equal(topics.givenTerms('file_2', parseQuery('cctv').terms), 1);
  assert.equal(topics.givenTerms('file_3', parseQuery('도서관').terms), 0);
});

test('a dataset is about a label of its own, but not about one that others have too', () => {
  assert.deepEqual(subject('file_1', '열람석수'), { kind: 'label', text: '열람석수' });
  assert.equal(subject('file_1', '주소'), null);
});

test('one syllable, two Latin letters and a phrase are no subjects', () => {
  assert.equal(subject('file_1', '관'), null);
  assert.equal(subject('file_2', 'cc'), null);
  assert.equal(subject('file_1', '"도서관"'), null);
});

test('a dataset is about the synonyms of a word of its title', () => {
  assert.deepEqual(subject('file_1', 'library'), { kind: 'synonym', text: '도서관' });
  assert.equal(subject('file_3', 'library'), null);
});

function subject(code: string, query: string) {
  return topics.subjectOf(code, parseQuery(query).terms[0]!);
}

function stored(code: string, title: string, labels: readonly string[]) {
  return { axis: { code, title, provider: null }, fields: labels.map((label) => ({ label })) };
}
