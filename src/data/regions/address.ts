import { matchingText } from '../korean/normalise.ts';
import { currentCodes, isSameSido } from './coverage.ts';
import { dongKey, hasDong } from './dongs.ts';
import { nameKey } from './name-key.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { unambiguousSigungu, sigunguOfKey } from './sigungu-names.ts';

/** Regions at the start of an address, as it names them: a former name gives the former region. */
export interface ParsedAddress {
  readonly sido: Region;
  readonly sigungu: Region | null;
  /** Rest of the address, in `matchingText` form. */
  readonly rest: string;
}

/**
 * Reads sido and sigungu at the start of an address: full, short and former names, written without blanks
 * (`수원시장안구`), after a zip code, and without the sido if the sigungu's name was never ambiguous.
 */
export function parseAddress(text: string): ParsedAddress | null {
  if (text.length > addressLengthMax) return null;
  const address = withoutPrefix(matchingText(text));
  const words = new Words(address);
  const first = words.next();
  if (first === '') return null;
  if (first === '광주시') return parseGwangju(words);
  const match = sidoOfKey(first);
  if (match !== undefined) return parseWithinSido(match.region, words);
  return parseGluedSido(first, words) ?? parseWithoutSido(first, words);
}

/** Limit on an address; longer texts are descriptions. */
const addressLengthMax = 500;

/** Reads a text word by word; a function that matches nothing resets `at`. */
class Words {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string {
    if (this.at >= this.#text.length) return '';
    const blank = this.#text.indexOf(' ', this.at);
    const end = blank < 0 ? this.#text.length : blank;
    const word = this.#text.slice(this.at, end);
    this.at = end + 1;
    return word;
  }

  rest(): string {
    return this.#text.slice(this.at);
  }
}

function parseWithinSido(sido: Region, words: Words): ParsedAddress {
  let start = words.at;
  let word = words.next();
  // `서울 특별시 종로구`, `인천광역시 인천시 서구`: a word that only repeats the sido is skipped.
  if (repeatsSido(sido, word)) {
    start = words.at;
    word = words.next();
  }
  const sigungu = word === '' ? null : readSigungu(sido.code, word, words);
  if (sigungu === null) words.at = start;
  return { sido, sigungu, rest: words.rest() };
}

function repeatsSido(sido: Region, word: string): boolean {
  if (word === '') return false;
  if (bareSuffix.test(word)) return true;
  if (sigunguOfKey(sido.code, word) !== undefined) return false;
  const repeated = sidoOfKey(word);
  return repeated !== undefined && isSameSido(repeated.region.code, sido.code);
}

const bareSuffix = /^(?:특별시|광역시|특별자치시|특별자치도|통합특별시|도|시)$/;

/** Reads the sigungu that begins with `word`: with the next word (`수원시 장안구`), `word`, or a part of it. */
function readSigungu(sido: string, word: string, words: Words): Region | null {
  const match = sigunguOfKey(sido, word)?.region ?? null;
  if (match !== null && !mayContinue(match, word)) return match;
  const afterWord = words.at;
  const second = words.next();
  const both = second === '' ? undefined : sigunguOfKey(sido, word + second);
  if (both !== undefined) return both.region;
  words.at = afterWord;
  return match ?? parseGluedSigungu(sido, word, words);
}

/** True if the name may go on: a city with its 일반구, a stem with its suffix (`종로 구`). */
function mayContinue(region: Region, word: string): boolean {
  return region.name.endsWith('시') || !suffix.test(word.charAt(word.length - 1));
}

/** Reads the longest sigungu at the start of a word without blanks: `수원시 장안구` of `수원시장안구정자동`. */
function parseGluedSigungu(sido: string, word: string, words: Words): Region | null {
  for (let length = Math.min(word.length - 1, gluedLengthMax); length >= 2; length--) {
    if (!suffix.test(word.charAt(length - 1))) continue;
    const match = sigunguOfKey(sido, word.slice(0, length));
    if (match === undefined) continue;
    words.at -= word.length - length + 1;
    return match.region;
  }
  return null;
}

const suffix = /[시군구]/;
/** Limit on a name without blanks: the longest are 창원시마산합포구 and the sido 전남광주통합특별시. */
const gluedLengthMax = 10;

function parseGluedSido(first: string, words: Words): ParsedAddress | null {
  for (let length = Math.min(first.length - 2, gluedLengthMax); length >= 2; length--) {
    const match = sidoOfKey(first.slice(0, length));
    if (match === undefined) continue;
    const sigungu = readSigungu(match.region.code, first.slice(length), words);
    if (sigungu !== null) return { sido: match.region, sigungu, rest: words.rest() };
  }
  return null;
}

function parseWithoutSido(first: string, words: Words): ParsedAddress | null {
  const afterFirst = words.at;
  const second = words.next();
  let match = second === '' ? undefined : unambiguousSigungu(nameKey(first + second));
  if (match === undefined) {
    words.at = afterFirst;
    match = unambiguousSigungu(first);
  }
  const sido = match === undefined ? undefined : regionByCode(match.region.code.slice(0, 2));
  if (match === undefined || sido === undefined) return null;
  return { sido, sigungu: match.region, rest: words.rest() };
}

/** Reads an address in 광주시: the metropolitan city if a 구 follows, as in every address there; else 경기 광주시. */
function parseGwangju(words: Words): ParsedAddress | null {
  const [metropolitan, gyeonggi, city] = ['29', '41', '41610'].map(regionByCode);
  if (metropolitan === undefined || gyeonggi === undefined || city === undefined) return null;
  const start = words.at;
  const place = words.next();
  if (place === '') return null;
  const sigungu = readSigungu(metropolitan.code, place, words);
  if (sigungu !== null) return { sido: metropolitan, sigungu, rest: words.rest() };
  // Some dongs exist in both cities, such as 송정동: without a 구 they do not decide.
  if (currentCodes(metropolitan).some((code) => hasDong(code, dongKey(place)))) return null;
  words.at = start;
  return { sido: gyeonggi, sigungu: city, rest: words.rest() };
}

function withoutPrefix(text: string): string {
  const first = text.charCodeAt(0);
  const plainStart = first >= 0xac00 && first <= 0xd7a3 && !prefixStart.test(text);
  return plainStart ? text : text.replace(prefix, '');
}

const prefixStart = /^(?:우|대한민국)/;
/** The country or a zip code: `(03174)`, `[110-061]`, `우)03174`, `우편번호 03174`, `대한민국`. */
const prefix =
  /^(?:대한민국|우편번호|우(?=[\s)(:\d])|[\s[\]()<>:,./*-]|\d{3}-\d{3}|\d{5,6}(?!\d))*/;
