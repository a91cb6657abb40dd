import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { nameKey } from '../../data/regions/name-key.ts';
import { fullName, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { allSigunguOfName, unambiguousSigungu } from '../../data/regions/sigungu-names.ts';

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
    const found = single ?? shortRegion(word, words.toSpliced(at, 1));
    if (found !== null) return found;
  }
  return null;
}

/** A 시군구 by its name without 구, 시 or 군, beside other words: 강남 주차장. Null if several have it, or it means more. */
function shortRegion(word: string, rest: readonly string[]): QueryRegion | null {
  if (rest.length === 0 || otherMeanings.has(word)) return null;
  const [only, ...others] = sigunguKinds.flatMap((kind) => currentSigungu(word + kind));
  if (only === undefined || others.length > 0) return null;
  const named = namedRegion(findRegion(only.code)!);
  return { ...named, text: word, inRecords: only.name, rest: rest.join(' ') };
}

/** Short names of 시군구 that are words of their own: 예산 is a budget, 고령 old age. */
const otherMeanings: ReadonlySet<string> = new Set(
  `예산 고령 동작 부여 사상 수성 장수 기장 상주 남해 동해 음성 연수 수영 수정 동안 단원 상록 중원 광산 청원 진도 의성 인제 강진 봉화 구리 유성
   대덕 서원 완산 성산 회원 남동 동남 서북 계양 장안 정선 보은 영광`.split(/\s+/),
);

/** True if a region is another one or lies in it. */
export function liesIn({ code }: NamedRegion, upper: NamedRegion): boolean {
  const parent = regionByCode(code)?.parent ?? null;
  return [code, parent, code.slice(0, 2)].includes(upper.code);
}

/** Queries with each 시군구 that a word may name, with its 시도: several of one name (중구), or a short name (마포). */
export function regionChoices(q: string): readonly { readonly name: string; readonly q: string }[] {
  const words = wordsOf(q);
  for (const [at, word] of words.entries()) {
    const named = currentSigungu(word);
    // A short name that is a word of its own is not a region beside other words.
    const isShort = named.length === 0 && (words.length === 1 || !otherMeanings.has(word));
    const names = isShort && isName(word) ? sigunguKinds.map((kind) => word + kind) : [word];
    const choices = names.flatMap((name) =>
      currentSigungu(name).map((region) => ({ name, region })),
    );
    if (choices.length < (isShort ? 1 : 2)) continue;
    return choices.map(({ name, region }) => {
      const sido = regionByCode(region.code.slice(0, 2))!;
      return { name: fullName(region), q: words.with(at, `${sido.short} ${name}`).join(' ') };
    });
  }
  return [];
}

const sigunguKinds = ['구', '시', '군'] as const;

function currentSigungu(name: string): Region[] {
  return allSigunguOfName(nameKey(name))
    .map(({ region }) => region)
    .filter(({ until }) => until === null);
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
