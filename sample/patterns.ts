import type { SeededRandom } from './seeded-random.ts';
import type { Row, Value } from './listing.ts';
import { addressFront, phone, type Place } from './place.ts';
import { coinedWord, signFor } from './words.ts';
import table from './patterns.json' with { type: 'json' };

/** Makes a record from random numbers, from values that patterns may name, and from a place. */
type RecordMaker = (random: SeededRandom, known: Row, place?: Place) => Row;

/**
 * The maker of a kind of records in `patterns.json`. A text has blanks: `{6..400}` is a number, as wide as `01` in
 * `{01..12}`; `{공영|민영}` is one of the choices; `{lat}` is a value of the place, of an earlier field or of the
 * facts, one object of which is picked first; `{n:6}` pads it with zeros. `{ "40%": … }` is empty otherwise.
 */
export function recordMaker(...kinds: readonly PatternKind[]): RecordMaker {
  const chosen = kinds.map((kind): Kind => table[kind]);
  const facts = chosen.flatMap((kind) => kind.facts ?? []).map(makersOf);
  const fields = makersOf(Object.assign({}, ...chosen.map((kind) => kind.fields)));
  return (random, known, place) => {
    const named = { ...known, ...(place === undefined ? {} : factsOf(place)) };
    if (facts.length > 0) fill(random.pick(facts), random, named);
    return fill(fields, random, named);
  };
}

export type PatternKind = keyof typeof table;

interface Kind {
  readonly facts?: readonly Patterns[];
  readonly fields: Patterns;
}

type Patterns = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;
type Named = Record<string, Value>;
type ValueMaker = (random: SeededRandom, named: Named) => Value;

/** Later fields may name earlier ones. */
function fill(
  makers: readonly (readonly [string, ValueMaker])[],
  random: SeededRandom,
  named: Named,
): Row {
  const row: Named = {};
  for (const [name, make] of makers) named[name] = row[name] = make(random, named);
  return row;
}

function makersOf(patterns: Patterns): [string, ValueMaker][] {
  return Object.entries(patterns).map(([name, pattern]) => [
    name,
    typeof pattern === 'object'
      ? shareMaker(Object.entries(pattern))
      : typeof pattern === 'string'
        ? textMaker(pattern)
        : () => pattern,
  ]);
}

function shareMaker(shares: readonly (readonly [string, string])[]): ValueMaker {
  const makers = shares.map(([share, text]) => [parseFloat(share), textMaker(text)] as const);
  return (random, named) => {
    let rest = 100 * random.fraction();
    const found = makers.find(([share]) => (rest -= share) < 0);
    return found === undefined ? '' : found[1](random, named);
  };
}

/** A text that is one blank keeps the type of its value. */
function textMaker(text: string): ValueMaker {
  const parts = text.split(/\{(.*?)\}/);
  const makers = parts.map((part, index) => (index % 2 === 0 ? () => part : blankMaker(part)));
  const [before, blank, after] = parts;
  if (parts.length === 3 && before === '' && after === '') return blankMaker(blank ?? '');
  return (random, named) => makers.map((make) => make(random, named)).join('');
}

function blankMaker(blank: string): ValueMaker {
  const made = inventions[blank];
  if (made !== undefined) return made;
  if (blank.includes('|')) return (random) => random.pick(blank.split('|'));
  const [low = '', high] = blank.split('..');
  if (high !== undefined)
    return (random) => {
      const number = random.whole(Number(low), Number(high));
      return /^0\d/.test(low) ? String(number).padStart(low.length, '0') : number;
    };
  const [name = '', width] = blank.split(':');
  return (_, named) => {
    const value = named[name];
    if (value === undefined) throw new Error(`A pattern names ${name}, which has no value here.`);
    return width === undefined ? value : String(value).padStart(Number(width), '0');
  };
}

const inventions: Readonly<Record<string, ValueMaker>> = {
  word: coinedWord,
  sign: (random) => signFor(random, ''),
  phone: (random, { sidoCode = '' }) => phone(random, { code: String(sidoCode) }),
};

function factsOf({ district, ...place }: Place): Named {
  const { sido, code, name } = district;
  return {
    ...place,
    front: addressFront(district),
    sigungu: name,
    sigunguCode: code,
    sido: sido.name,
    sidoCode: sido.code,
  };
}
