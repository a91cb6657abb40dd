import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everydayGroups, everydayReadings } from './everyday-words.ts';
import { matchingText, unspacedText } from './normalise.ts';
import { parseQuery } from './terms.ts';

const words = everydayGroups.flatMap((group) => group.words);

test('an everyday word stands in the list once, normalised, whatever its blanks', () => {
  const unspaced = words.map(unspacedText);
  assert.deepEqual(
    unspaced.filter((word, at) => unspaced.indexOf(word) !== at),
    [],
  );
  assert.deepEqual(words.map(matchingText), words);
});

test('an everyday word leads to one to six words without blanks, and not to itself alone', () => {
  for (const { words: typed, official } of everydayGroups) {
    assert.ok(official.length > 0 && official.length <= 6, official.join());
    assert.equal(new Set(official).size, official.length, official.join());
    assert.deepEqual(official.map(unspacedText), official);
    for (const word of official) assert.ok(word.length > 1, word);
    for (const word of typed) assert.notDeepEqual(official, [unspacedText(word)]);
  }
});

test('everyday words and phrases are read in any form, order and spacing', () => {
  const table: readonly (readonly [typed: string, positions: readonly number[], word: string])[] = [
    ['밥', [0], '식단'],
    ['밥으로', [0], '식단'],
    ['군대에서는 밥으로 뭐가', [0, 1], '식단'],
    ['애 맡길 곳', [0, 1, 2], '어린이집'],
    ['애 맡기는 데', [0, 1], '어린이집'],
    ['애맡길곳', [0], '어린이집'],
    ['쓰레기는 무슨 요일에 버려', [0, 2, 3], '생활폐기물'],
    ['냉장고를 버리려면', [0, 1], '대형폐기물'],
  ];
  for (const [typed, positions, word] of table) {
    const [reading] = everydayReadings(parseQuery(typed).terms);
    assert.deepEqual(
      reading?.positions.toSorted((a, b) => a - b),
      positions,
      typed,
    );
    assert.ok(reading.official.includes(word), typed);
  }
});

test('two phrases may share a word, and quoted phrases are not read', () => {
  const readings = everydayReadings(parseQuery('아이랑 주말에 갈').terms);
  assert.deepEqual(
    readings.flatMap(({ positions }) => positions).toSorted((a, b) => a - b),
    [0, 1, 2],
  );
  assert.ok(readings.length === 2 && readings.every(({ isPhrase }) => isPhrase));
  assert.deepEqual(everydayReadings(parseQuery('"애 맡길 곳"').terms), []);
});
