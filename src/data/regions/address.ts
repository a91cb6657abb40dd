import { matchingText } from '../korean/normalise.ts';
import { livingCodes, sidoCodeOf } from './coverage.ts';
import { dongKey, hasDong } from './dongs.ts';
import { nameKey } from './name-key.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { sigunguAnywhere, sigunguOfKey } from './sigungu-names.ts';

/**
 * Regions at the start of an address, as named when it was written: a former name gives the former region.
 */
export interface ParsedAddress {
  readonly sido: Region;
  readonly sigungu: Region | null;
  /** Rest of the address, in `matchingText` form. */
  readonly rest: string;
}

/**
 * Reads sido and sigungu at the start of an address: full, short and former names, glued
 * (`수원시장안구`), after a zip code, and without the sido where the sigungu's name was never ambiguous.
 */
export function parseAddress(text: string): ParsedAddress | null {
  if (text.length > addressLengthMax) return null;
  const address = withoutLead(matchingText(text));
  const words = new Words(address);
  const first = words.next();
  if (first === '') return null;
  if (first === '광주시') return gwangju(words);
  const named = sidoOfKey(first);
  if (named !== undefined) return withinSido(named.region, words);
  return gluedSido(first, words) ?? withoutSido(first, words);
}

/** Longer texts are descriptions, not addresses. */
const addressLengthMax = 500;

/** Words of a text, one after the other; a reader that finds nothing puts `at` back. */
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

function withinSido(sido: Region, words: Words): ParsedAddress {
  let start = words.at;
  let word = words.next();
  // `서울 특별시 종로구`, `인천광역시 인천시 서구`: what only repeats the sido is passed over.
  if (isRepeated(sido, word)) {
    start = words.at;
    word = words.next();
  }
  const sigungu = word === '' ? null : sigunguFrom(sido.code, word, words);
  if (sigungu === null) words.at = start;
  return { sido, sigungu, rest: words.rest() };
}

function isRepeated(sido: Region, word: string): boolean {
  if (word === '') return false;
  if (bareSuffix.test(word)) return true;
  if (sigunguOfKey(sido.code, word) !== undefined) return false;
  const again = sidoOfKey(word);
  return again !== undefined && sidoCodeOf(again.region.code) === sidoCodeOf(sido.code);
}

const bareSuffix = /^(?:특별시|광역시|특별자치시|특별자치도|통합특별시|도|시)$/;

/** The sigungu at `word`, which may need the next word (`수원시 장안구`) or only a part of itself. */
function sigunguFrom(sido: string, word: string, words: Words): Region | null {
  const named = sigunguOfKey(sido, word)?.region ?? null;
  if (named !== null && !mayGoOn(named, word)) return named;
  const after = words.at;
  const second = words.next();
  const both = second === '' ? undefined : sigunguOfKey(sido, word + second);
  if (both !== undefined) return both.region;
  words.at = after;
  return named ?? gluedSigungu(sido, word, words);
}

/** Cities are followed by their 일반구, a stem perhaps by its suffix (`종로 구`); others are complete. */
function mayGoOn(region: Region, word: string): boolean {
  return region.name.endsWith('시') || !suffix.test(word.charAt(word.length - 1));
}

/** `수원시장안구정자동`: the longest beginning that is a sigungu, cut after its suffix. */
function gluedSigungu(sido: string, word: string, words: Words): Region | null {
  for (let length = Math.min(word.length - 1, gluedLengthMax); length >= 2; length--) {
    if (!suffix.test(word.charAt(length - 1))) continue;
    const named = sigunguOfKey(sido, word.slice(0, length));
    if (named === undefined) continue;
    words.at -= word.length - length + 1;
    return named.region;
  }
  return null;
}

const suffix = /[시군구]/;
/** 창원시마산합포구 is the longest name, 전남광주통합특별시 the longest sido. */
const gluedLengthMax = 10;

function gluedSido(first: string, words: Words): ParsedAddress | null {
  for (let length = Math.min(first.length - 2, gluedLengthMax); length >= 2; length--) {
    const named = sidoOfKey(first.slice(0, length));
    if (named === undefined) continue;
    const sigungu = sigunguFrom(named.region.code, first.slice(length), words);
    if (sigungu !== null) return { sido: named.region, sigungu, rest: words.rest() };
  }
  return null;
}

function withoutSido(first: string, words: Words): ParsedAddress | null {
  const after = words.at;
  const second = words.next();
  let named = second === '' ? undefined : sigunguAnywhere(nameKey(first + second));
  if (named === undefined) {
    words.at = after;
    named = sigunguAnywhere(first);
  }
  const sido = named === undefined ? undefined : regionByCode(named.region.code.slice(0, 2));
  if (named === undefined || sido === undefined) return null;
  return { sido, sigungu: named.region, rest: words.rest() };
}

/** 광주시 with a 구 is the metropolitan city, as every address there has one; else 경기 광주시. */
function gwangju(words: Words): ParsedAddress | null {
  const [metropolitan, gyeonggi, city] = ['29', '41', '41610'].map(regionByCode);
  if (metropolitan === undefined || gyeonggi === undefined || city === undefined) return null;
  const start = words.at;
  const place = words.next();
  if (place === '') return null;
  const sigungu = sigunguFrom(metropolitan.code, place, words);
  if (sigungu !== null) return { sido: metropolitan, sigungu, rest: words.rest() };
  // 송정동 exists in both cities, so a lot address without its 구 does not decide.
  if (livingCodes(metropolitan).some((code) => hasDong(code, dongKey(place)))) return null;
  words.at = start;
  return { sido: gyeonggi, sigungu: city, rest: words.rest() };
}

function withoutLead(text: string): string {
  const first = text.charCodeAt(0);
  const plainStart = first >= 0xac00 && first <= 0xd7a3 && !leadStart.test(text);
  return plainStart ? text : text.replace(lead, '');
}

const leadStart = /^(?:우|대한민국)/;
/** `(03174)`, `[110-061]`, `우)03174`, `우편번호 03174`, `대한민국`. */
const lead = /^(?:대한민국|우편번호|우(?=[\s)(:\d])|[\s[\]()<>:,./*-]|\d{3}-\d{3}|\d{5,6}(?!\d))*/;
