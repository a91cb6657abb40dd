import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { withoutFillerEnd } from './filler-words.ts';
import { initialsOf, isInitials } from './initials.ts';
import { keyboardSlip } from './keyboard.ts';
import { letterVariants } from './letter-variants.ts';
import { matchingText, unspacedText } from './normalise.ts';
import groups from './synonyms.json' with { type: 'json' };
import { synonymsOf } from './synonyms.ts';
import { withoutParticle } from './particles.ts';
import { queryRewrites } from './rewrites.ts';

test('a trailing particle is removed if it fits the syllable before it', () => {
  const table: readonly (readonly [word: string, stem: string | null])[] = [
    ['도서관은', '도서관'],
    ['도서관는', null],
    ['학교는', '학교'],
    ['학교은', null],
    ['병원이', '병원'],
    ['약국을', '약국'],
    ['서울로', '서울'],
    ['부산으로', '부산'],
    ['학교으로', null],
    ['부산에서', '부산'],
    ['강남까지', '강남'],
    ['도서관이라는', '도서관'],
    ['지하철과', '지하철'],
    ['인도', null],
    ['회의', null],
    ['강남', null],
    ['GS은', null],
    ['', null],
  ];
  for (const [word, stem] of table) assert.equal(withoutParticle(word), stem, word);
});

test('a keyboard slip is read in the other language', () => {
  const table: readonly (readonly [typed: string, meant: string | null])[] = [
    ['rkdska', '강남'],
    ['RKDSKA', '강남'],
    ['tjdnf ehtjrhks', '서울 도서관'],
    ['ㅗ디ㅣㅐ', 'hello'],
    ['ㅊㅊㅅㅍ', 'cctv'],
    ['hello', null],
    ['강남', null],
    ['a', null],
    ['123', null],
  ];
  for (const [typed, meant] of table) assert.equal(keyboardSlip(typed), meant, typed);
});

test('a word of 40 keys is read in the other keyboard language, a longer one is not', () => {
  const keys = 'rk'.repeat(20);
  assert.equal(keyboardSlip(`${keys} ${keys}`)?.length, 41);
  assert.equal(keyboardSlip(`rkdska ${keys}rk`), null);
});

test('a keyboard slip is corrected alike before and after normalising', () => {
  for (const typed of ['ㅗ디ㅣㅐ', 'ㅊㅊㅅㅍ', '혀ㅣㅣ']) {
    assert.equal(keyboardSlip(matchingText(typed)), keyboardSlip(typed));
  }
});

test('initial consonants are taken from syllables and recognised in a query', () => {
  assert.equal(initialsOf('서울시'), 'ㅅㅇㅅ');
  assert.equal(initialsOf('GS25 까치산'), 'GS25 ㄲㅊㅅ');
  assert.equal(initialsOf(matchingText('ㅅㅇㅅ')), 'ㅅㅇㅅ');
  for (const text of ['ㅅㅇㅅ', ' ㄱ ', 'ㅅㅇ ㄷㅅㄱ', matchingText('ㅅㅇㅅ')])
    assert.ok(isInitials(text), text);
  for (const text of ['', ' ', '서울', 'ㅏ', 'ㅅ1', 'ㄳ']) assert.ok(!isInitials(text), text);
});

test('the initials of any syllables are one initial consonant each', () => {
  const syllables = fc
    .integer({ min: 0xac00, max: 0xd7a3 })
    .map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.array(syllables, { minLength: 1 }), (letters) => {
      const text = letters.join('');
      assert.ok(isInitials(initialsOf(text)));
      assert.equal(initialsOf(text).length, text.length);
      assert.equal(initialsOf(initialsOf(text)), initialsOf(text));
    }),
  );
});

test('rewrites are ordered from the smallest change to the largest', () => {
  assert.deepEqual(rewritesOf('도서관은'), ['도서관']);
  assert.deepEqual(rewritesOf('도서관에서는'), ['도서관에서', '도서관']);
  assert.deepEqual(rewritesOf('강남역의 주차장은'), ['강남역 주차장', '강남역의주차장은']);
  assert.deepEqual(rewritesOf('참 마음'), ['참마음']);
  assert.deepEqual(rewritesOf('rkdska'), ['강남']);
  assert.deepEqual(rewritesOf('ehtjrhksdms'), ['도서관은', '도서관']);
  assert.deepEqual(rewritesOf('강남'), []);
  assert.deepEqual(rewritesOf(' '), []);
});

test('rewrites have no English synonym without its blanks, and no synonym that repeats a word', () => {
  assert.deepEqual(rewritesOf('전기차 충전소'), [
    '전기차충전소',
    '전기자동차 충전소',
    'ev 충전소',
    '전기차 충전기',
    '전기차 charger',
  ]);
  assert.deepEqual(rewritesOf('충전기').slice(0, 2), ['charger', '전기차충전소']);
  assert.ok(!rewritesOf('EV 충전기').some((text) => /전기차 전기/.test(text)));
});

test('a rewrite is never the query itself, empty or repeated, for any text', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('도', '서', '관', '은', '에', 'r', 'k', 'ㅏ', ' ', '1'),
  });
  fc.assert(
    fc.property(anyText, (text) => {
      const rewrites = rewritesOf(text);
      assert.ok(!rewrites.includes(text) && !rewrites.includes(''));
      assert.equal(new Set(rewrites).size, rewrites.length);
    }),
  );
});

test('rewrites drop punctuation and add a missing blank after a province', () => {
  const table: readonly (readonly [typed: string, meant: string])[] = [
    ['설날!', '설날'],
    ['"도서관에서",', '도서관'],
    ['주차장(강남)', '주차장 강남'],
    ['서울특별시강남구', '서울특별시 강남구'],
    ['강원특별자치도춘천시', '강원특별자치도 춘천시'],
  ];
  for (const [typed, meant] of table) {
    assert.ok(rewritesOf(typed).includes(meant), typed);
  }
  assert.deepEqual(rewritesOf('!?'), []);
});

test('rewrites divide a name after its district and have a station without 역', () => {
  const table: readonly (readonly [typed: string, meant: string])[] = [
    ['양정동한빛약국', '양정동 한빛약국'],
    ['기장읍사무소 위치', '기장읍 사무소 위치'],
    ['명일역 빠른하차', '명일 빠른하차'],
  ];
  for (const [typed, meant] of table) assert.ok(rewritesOf(typed).includes(meant), typed);
  for (const typed of ['양정동', '가나다라마바']) assert.deepEqual(rewritesOf(typed), []);
});

test('rewrites read syllables as a known Latin word that is typed with the same keys', () => {
  assert.deepEqual(rewritesOf('쟈랴'), ['wifi']);
  assert.ok(rewritesOf('서울 쟈랴').includes('서울 wifi'));
  assert.deepEqual(rewritesOf('쟈쟈'), []);
});

test('rewrites drop particles and filler words', () => {
  const table: readonly (readonly [typed: string, meant: string])[] = [
    ['서울에 있는 도서관은 어디', '서울 도서관'],
    ['주차장 알려줘', '주차장'],
    ['엘리베이터 몇 대', '엘리베이터'],
    ['화재 몇 건', '화재'],
    ['주차장 많은 순', '주차장'],
    ['강남구 주차장 100면 이상', '강남구 주차장'],
    ['주차장이 가장 많은 시군구', '주차장이'],
    ['부산에 소방서가 몇 개야?', '부산 소방서'],
    ['where is the library', 'library'],
    ['도서관위치', '도서관'],
    ['도서관은어디', '도서관'],
    ['대전 약국 전화번호', '대전 약국'],
    ['약국에 대해 알고 싶습니다', '약국'],
    ['약국이 가장 많은 지역은', '약국'],
    ['강남역은 몇층', '강남역'],
    ['노인을 위한 시설', '노인 시설'],
  ];
  for (const [typed, meant] of table) assert.ok(rewritesOf(typed).includes(meant), typed);
  assert.equal(withoutFillerEnd('station'), null);
});

test('rewrites have dates and telephone numbers in the spellings of the data', () => {
  const table: readonly (readonly [typed: string, meant: string])[] = [
    ['2026년 9월 25일', '2026-09-25'],
    ['20260925', '2026-09-25'],
    ['2026.9.25', '20260925'],
    ['9월 25일', '-09-25'],
    ['2027년 초복은 언제예요', '2027 초복'],
    ['2022년 3월 확진자', '2022-03 확진자'],
    ['2022년 3월 확진자', '2022 3 확진자'],
    ['0212345678', '02-1234-5678'],
    ['031 123 4567', '031-123-4567'],
    ['+82-2-123-4567', '02-123-4567'],
    ['15881234', '1588-1234'],
    ['02-1234-5678', '0212345678'],
  ];
  for (const [typed, meant] of table) assert.ok(rewritesOf(typed).includes(meant), typed);
  for (const typed of ['2026년 13월 99일', '2026년도', '12', '서울 119']) {
    const reasons = queryRewrites(typed).map(({ reason }) => reason);
    assert.ok(!reasons.includes('date') && !reasons.includes('phone'), typed);
  }
});

test('letterVariants gives the words one letter apart, and never the word itself', () => {
  const variants = [...letterVariants('도서관')];
  for (const meant of ['도서간', '두서관', '토서관', '도서과']) assert.ok(variants.includes(meant));
  assert.ok(!variants.includes('도서관') && !variants.includes('도시과'));
  assert.equal(variants.length, 3 * (18 + 20 + 27));
  assert.deepEqual([...letterVariants('cctv')], []);
});

test('synonyms go both ways, have no blanks, and each group names its source', () => {
  for (const { words, sources } of groups) {
    assert.ok(sources.length > 0, words.join());
    for (const word of words) {
      assert.equal(word, unspacedText(word));
      for (const other of words) if (other !== word) assert.ok(synonymsOf(word).includes(other));
    }
  }
});

test('a query of 200 characters has rewrites, a longer one has none', () => {
  const query = '도서관 '.repeat(49).padEnd(199, '가');
  assert.ok(rewritesOf(`${query}는`).length > 0);
  assert.deepEqual(rewritesOf(`${query}가는`), []);
});

test('the reason of a rewrite is particles, or fillers if filler words were removed, too', () => {
  assert.deepEqual(reasonsOf('도서관에서는'), ['particles', 'particles']);
  assert.deepEqual(reasonsOf('도서관 어디').slice(0, 1), ['fillers']);
});

function rewritesOf(text: string): string[] {
  return queryRewrites(text).map((rewrite) => rewrite.text);
}

function reasonsOf(text: string): string[] {
  return queryRewrites(text).map(({ reason }) => reason);
}
