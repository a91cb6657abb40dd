import type { StoredAxis } from '../../data/axis.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { nameKey } from '../../data/regions/name-key.ts';
import { fullName, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { sigunguNamed } from '../../data/regions/sigungu-named.ts';
import { unambiguousSigungu } from '../../data/regions/sigungu-names.ts';

/** A region that words of a query name. */
export interface QueryRegion extends NamedRegion {
  /** The words of the region. */
  readonly text: string;
  /** Name of a region in records, in place of a shorter one in the query. */
  readonly inRecords?: string;
  /** The query without the words of the region. */
  readonly rest: string;
}

export interface NamedRegion {
  /** Parameters of pages and of the API that select it. */
  readonly place: { readonly sido: string; readonly sigungu?: string };
  /** Full name today, or of a former region. */
  readonly name: string;
  /** Code under which its records are counted. */
  readonly code: string;
}

/** The first region in a query: a 시도, a 시도 with its 시군구, or a 시군구 whose name is unique. */
export function regionInQuery(q: string): QueryRegion | null {
  const words = wordsOf(q);
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (!isName(word)) continue;
    const single = regionOf(word, undefined, words.toSpliced(at, 1));
    if (next !== undefined && isName(next)) {
      const pair = regionOf(word, next, words.toSpliced(at, 2));
      // 종로구 강남구 are two regions of one 시도.
      if (pair !== null && (single === null || liesIn(pair, single))) return pair;
    }
    const found = single ?? districtOf(word, words.toSpliced(at, 1));
    if (found !== null) return found;
  }
  return null;
}

/**
 * A 시군구 by the name of its district alone (분당구), or without 구, 시 or 군 beside other words: 강남 주차장. Null if
 * several have it, or it means more.
 */
function districtOf(word: string, rest: readonly string[]): QueryRegion | null {
  const [only, ...others] = currentSigunguNamed(word);
  if (only === undefined || others.length > 0) return null;
  if (isShort(word, only) && (rest.length === 0 || otherMeanings.has(word))) return null;
  const named = namedRegion(only);
  return { ...named, text: word, inRecords: only.sigungu.name, rest: rest.join(' ') };
}

/** Short names of 시군구 that are words of their own: 예산 is a budget, 고령 old age. */
const otherMeanings: ReadonlySet<string> = new Set(
  `예산 고령 동작 부여 사상 수성 장수 기장 상주 남해 동해 음성 연수 수영 수정 동안 단원 상록 중원 광산 청원 진도 의성 인제 강진 봉화 구리 유성
   상당 수지 소사 오정 대덕 서원 완산 성산 회원 남동 동남 서북 계양 장안 정선 보은 영광`.split(
    /\s+/,
  ),
);

/** The regions of a dataset that a text without a 시도 may mean: one for 강남구, 분당구 or 11680, several for 중구. */
export function regionsNamedIn(text: string, { regions }: StoredAxis): readonly NamedRegion[] {
  const counted = new Set(regions.map(({ code }) => code));
  return regionsNamed(text).filter(({ code }) => counted.has(code));
}

/** The regions that a text without a 시도 may mean. */
export function regionsNamed(text: string): readonly NamedRegion[] {
  const match = findRegion(text);
  const matches = [...(match === null ? [] : [match]), ...sigunguNamed(text)];
  return [...new Map(matches.map((one) => [one.countedCode, namedRegion(one)])).values()];
}

/** True if a region is another one or lies in it. */
export function liesIn({ code }: NamedRegion, upper: NamedRegion): boolean {
  const parent = regionByCode(code)?.parent ?? null;
  return [code, parent, code.slice(0, 2)].includes(upper.code);
}

/** Queries with each 시군구 that a word may name, with its 시도: several of one name (중구), or a short name (마포). */
export function regionChoices(q: string): readonly { readonly name: string; readonly q: string }[] {
  const words = wordsOf(q);
  for (const [at, word] of words.entries()) {
    const named = isName(word) ? currentSigunguNamed(word) : [];
    const [first] = named;
    // A short name that is a word of its own is not a region beside other words.
    const isOwnWord = words.length > 1 && otherMeanings.has(word);
    if (first === undefined || (isShort(word, first) && isOwnWord)) continue;
    return named.map(({ sido, sigungu }) => {
      const text = isOfCity(sigungu) ? sigungu.name : `${sido.short} ${sigungu.name}`;
      return { name: fullName(sigungu), q: words.with(at, text).join(' ') };
    });
  }
  return [];
}

/** True if a word is less than the name of a 시군구 or of its district: 강남, 분당. */
function isShort(word: string, { sigungu }: SigunguMatch): boolean {
  return !sigungu.name.endsWith(word);
}

/** True for a 구 of a city, whose name contains that of the city. */
function isOfCity({ parent }: Region): boolean {
  return parent !== null && parent.length > 2;
}

type SigunguMatch = RegionMatch & { readonly sigungu: Region };

function currentSigunguNamed(word: string): SigunguMatch[] {
  return sigunguNamed(word).flatMap((match) =>
    match.sigungu === null || match.former !== null ? [] : [{ ...match, sigungu: match.sigungu }],
  );
}

/** A query with phrases in quotes names no region. */
function wordsOf(q: string): string[] {
  return /["“”]/.test(q) ? [] : q.split(' ').slice(0, wordsMax);
}

const wordsMax = 16;

function isName(word: string): boolean {
  return word.length > 1 && /^[가-힣]+$/.test(word);
}

function regionOf(
  first: string,
  second: string | undefined,
  rest: readonly string[],
): QueryRegion | null {
  const match = findRegion(first, second) ?? sigunguAlone(first, second);
  if (match === null) return null;
  const text = second === undefined ? first : `${first} ${second}`;
  return { ...namedRegion(match), text, rest: rest.join(' ') };
}

/** Name of a region, and the parameters that select its records. */
export function namedRegion({ sido, sigungu, former, countedCode }: RegionMatch): NamedRegion {
  const region: Region = former ?? sigungu ?? sido;
  const place: NamedRegion['place'] = {
    sido: sido.name,
    ...(region === sido ? {} : { sigungu: region.name }),
  };
  const found = findRegion(place.sido, place.sigungu);
  // The name may be in use for another region today: 평택시 was smaller once.
  const isOwnName = found?.countedCode === countedCode;
  return {
    place: isOwnName ? place : { sido: region.code },
    name: fullName(region),
    code: countedCode,
  };
}

function sigunguAlone(name: string, second: string | undefined) {
  const match = second === undefined ? unambiguousSigungu(nameKey(name)) : undefined;
  return match === undefined ? null : findRegion(match.region.code);
}
