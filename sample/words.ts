import type { SeededRandom } from './seeded-random.ts';

/** Coined words for the names of places and shops. */
const coined = [
  '다온',
  '한빛',
  '솔향',
  '마루',
  '가온',
  '윤슬',
  '달무리',
  '새봄',
  '온새미',
  '나래',
  '별하',
  '라온',
  '미리내',
  '해오름',
  '도담',
  '아라',
  '늘봄',
  '너울',
  '가람',
  '초록별',
  '바람결',
  '꽃내음',
  '모퉁이',
  '골목',
] as const;
const places = ['', '', ' 1호', ' 2호', ' 본', ' 역앞', ' 시장', ' 큰길'] as const;

/** `윤슬 큰길분식`: a name made of a coined word and the kind of thing. */
export function signFor(random: SeededRandom, kind: string): string {
  const place = random.pick(places);
  return `${random.pick(coined)}${place}${place === '' && random.chance(0.4) ? ' ' : ''}${kind}`;
}

/** A coined word alone. */
export function coinedWord(random: SeededRandom): string {
  return random.pick(coined);
}

const surnames = [...'김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심'];
const givenNames = [
  '예시',
  '보기',
  '견본',
  '가상',
  '모의',
  '본보기',
  '예제',
  '시범',
  '표본',
  '임시',
  '연습',
  '시험',
] as const;

/** A name that is visibly invented: `김예시`, `박견본`. */
export function personName(random: SeededRandom): string {
  return `${random.pick(surnames)}${random.pick(givenNames)}`;
}
