import type { SeededRandom } from './seeded-random.ts';
import type { Row, Value } from './listing.ts';
import { districtAddress, phone, type Place } from './place.ts';
import { coinedWord, signFor } from './words.ts';
import table from './patterns.json' with { type: 'json' };

/** Makes a record from random numbers, a place, and values that its pattern refers to. */
type RecordMaker = (random: SeededRandom, inputs: Row, place?: Place) => Row;

/**
 * Creates a maker for records of one or more kinds in `patterns.json`, with the fields of all. A pattern is a text with
 * placeholders: `{6..400}` is a number, `{01..12}` a number with two digits, `{공영|민영}` one of the choices. `{lat}` is
 * a value of the inputs, of the place, of an earlier field, or of one object of `facts`, chosen at random for each
 * record; `{n:6}` is the value padded with zeros. A pattern `{ "40%": … }` fills the field in 40 % of the records.
 */
export function recordMaker(...kinds: readonly PatternKind[]): RecordMaker {
  const tables = kinds.map((kind): Kind => table[kind]);
  const facts = tables.flatMap((kind) => kind.facts ?? []).map(makersOf);
  const fields = makersOf(Object.assign({}, ...tables.map((kind) => kind.fields)));
  return (random, inputs, place) => {
    const values = { ...inputs, ...(place === undefined ? {} : placeValues(place)) };
    if (facts.length > 0) makeRow(random.pick(facts), random, values);
    return makeRow(fields, random, values);
  };
}

export type PatternKind = keyof typeof table;

interface Kind {
  readonly facts?: readonly Patterns[];
  readonly fields: Patterns;
}

type Patterns = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;
type Values = Record<string, Value>;
type ValueMaker = (random: SeededRandom, values: Values) => Value;

/** Makes the fields in order, because later ones may refer to earlier ones. */
function makeRow(
  makers: readonly (readonly [string, ValueMaker])[],
  random: SeededRandom,
  values: Values,
): Row {
  const row: Values = {};
  for (const [name, make] of makers) values[name] = row[name] = make(random, values);
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
  return (random, values) => {
    let rest = 100 * random.fraction();
    const found = makers.find(([share]) => (rest -= share) < 0);
    return found === undefined ? '' : found[1](random, values);
  };
}

/** Makes a text. A pattern that is a single placeholder keeps the type of its value. */
function textMaker(text: string): ValueMaker {
  const parts = text.split(/\{(.*?)\}/);
  const makers = parts.map((part, index) =>
    index % 2 === 0 ? () => part : placeholderMaker(part),
  );
  const [before, placeholder, after] = parts;
  if (parts.length === 3 && before === '' && after === '')
    return placeholderMaker(placeholder ?? '');
  return (random, values) => makers.map((make) => make(random, values)).join('');
}

function placeholderMaker(placeholder: string): ValueMaker {
  const invented = inventedValues[placeholder];
  if (invented !== undefined) return invented;
  if (placeholder.includes('|')) {
    const choices = placeholder.split('|');
    return (random) => random.pick(choices);
  }
  const [low = '', high] = placeholder.split('..');
  if (high !== undefined) {
    const [least, most] = [Number(low), Number(high)];
    const isPadded = /^0\d/.test(low);
    return (random) => {
      const number = random.whole(least, most);
      return isPadded ? String(number).padStart(low.length, '0') : number;
    };
  }
  const [name = '', width] = placeholder.split(':');
  return (_, values) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(
        `The placeholder {${placeholder}} has no value. Name a value of the place or of an earlier field.`,
      );
    return width === undefined ? value : String(value).padStart(Number(width), '0');
  };
}

const inventedValues: Readonly<Record<string, ValueMaker>> = {
  word: coinedWord,
  sign: (random) => signFor(random, ''),
  phone: (random, { sidoCode = '' }) => phone(random, { code: String(sidoCode) }),
};

function placeValues({ district, ...place }: Place): Values {
  const { sido, code, name } = district;
  return {
    ...place,
    front: districtAddress(district),
    sigungu: name,
    sigunguCode: code,
    sido: sido.name,
    sidoCode: sido.code,
  };
}
