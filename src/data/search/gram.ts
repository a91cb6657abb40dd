/**
 * The keys of the search index, as two 32-bit numbers.
 *
 * A gram is one, two or three UTF-16 units that follow each other in a normalised field without a blank between
 * them, or the two units on both sides of a blank. One- and two-syllable queries are the rule in Korean, so they
 * must be exact look-ups. Three units make a longer word rare enough to be checked against the text, and so do the
 * units around a blank for a phrase.
 */
export const gramKind = {
  /** In any searchable field. */
  text: 0,
  /** In the name field. */
  name: 1,
  /** The first units of the name field. */
  nameStart: 2,
  /** First unit, last unit and length of a whole field. */
  wholeField: 3,
  /** Not text: a number that records are filtered by, such as a region code. */
  tag: 4,
  /** Initial consonants at the start of the name. */
  initials: 5,
  /** A unit that is repeated, and its least number in a row. */
  run: 6,
  /** Two units that several units follow in a document; in a pack only (forks.ts). */
  severalAfter: 7,
  /** Two units that several units precede. */
  severalBefore: 8,
} as const;

type GramKind = (typeof gramKind)[keyof typeof gramKind];

/** A key as the index stores it: `high` is kind and first unit, `low` second and third unit (0 if absent). */
export interface GramKey {
  readonly high: number;
  readonly low: number;
}

/** The unit that separates fields in the text of a record; normalising removes it from every value. */
export const fieldSeparator = '\u001f';

/** End of the field of a record's text that contains the position `from`. */
export function endOfField(recordText: string, from: number): number {
  const end = recordText.indexOf(fieldSeparator, from);
  return end < 0 ? recordText.length : end;
}

const unitsMax = 3;

/** Keys that every record with `text` has: those of its words, and of the units around its blanks. */
export function gramsOf(text: string, kind: GramKind): GramKey[] {
  const keys = new Map<string, GramKey>();
  const add = (at: number, units: number): void => {
    keys.set(text.slice(at, at + units), gramAt(text, at, units, kind));
  };
  let start = 0;
  for (const word of text.split(' ')) {
    if (start > 0) add(start - 2, unitsMax);
    if (word.length <= unitsMax) add(start, word.length);
    for (let at = start; at + unitsMax <= start + word.length; at++) add(at, unitsMax);
    start += word.length + 1;
  }
  // The units around a blank already imply the one-syllable words beside it.
  if (isExact(text) && text.includes(' ')) return [gramAt(text, 0, unitsMax, kind)];
  return [...keys.values()];
}

/** The key of the first one to three units of `word`. */
export function startGramOf(word: string): GramKey {
  return gramAt(word, 0, Math.min(word.length, unitsMax), gramKind.nameStart);
}

/** The key shared by all fields with the first unit, last unit and length of `text`. */
export function wholeFieldKey(text: string): GramKey {
  const last = text.charCodeAt(text.length - 1);
  return {
    high: (gramKind.wholeField << 16) | text.charCodeAt(0),
    low: ((last << 16) | Math.min(text.length, 0xffff)) >>> 0,
  };
}

/** Keys of every name that begins with the given initial consonants; none for fewer than three. */
export function initialsKeys(initials: string): GramKey[] {
  const keys: GramKey[] = [];
  for (let at = 0; at < initialsGramsMax && at + unitsMax <= initials.length; at++) {
    keys.push(gramAt(initials, at, unitsMax, gramKind.initials));
  }
  return keys;
}

/**
 * Keys that every record with `text` has for runs of one unit. Every price with three zeros has all grams of `0000000`;
 * a run of seven is rare.
 */
export function runKeysOf(text: string): GramKey[] {
  const keys: GramKey[] = [];
  for (const [run] of text.matchAll(/([^ ])\1{3,}/g)) {
    keys.push(runKey(run.charCodeAt(0), Math.min(run.length, runUnitsMax)));
  }
  return keys;
}

/** Key of a unit that occurs at least `length` times in a row, from `runUnitsMin` to `runUnitsMax`. */
export function runKey(unit: number, length: number): GramKey {
  return { high: (gramKind.run << 16) | unit, low: length };
}

/** Shortest run with a key; a shorter one is a gram. */
export const runUnitsMin = unitsMax + 1;
/** Longest run with a key of its own; a longer one has this key and is checked against the texts. */
export const runUnitsMax = 16;

/** Four grams cover six initials, which distinguish names; more keys would only make the index larger. */
const initialsGramsMax = 4;

/** The key of a tag: any unsigned 32-bit number. */
export function tagKey(tag: number): GramKey {
  return { high: gramKind.tag << 16, low: tag >>> 0 };
}

/** True if one key proves that `text` occurs: it has up to three units, and a blank only in the middle. */
export function isExact(text: string): boolean {
  return text.length <= unitsMax && !text.startsWith(' ') && !text.endsWith(' ');
}

function gramAt(word: string, at: number, units: number, kind: GramKind): GramKey {
  const first = word.charCodeAt(at);
  const second = units > 1 ? word.charCodeAt(at + 1) : 0;
  const third = units > 2 ? word.charCodeAt(at + 2) : 0;
  return { high: (kind << 16) | first, low: ((second << 16) | third) >>> 0 };
}
