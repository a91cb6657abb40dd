import { currentSuccessors } from './coverage.ts';
import { nameKey } from './name-key.ts';
import { otherSidoNames } from './other-names.ts';
import { regionByCode, type Region } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { allSigunguOfName } from './sigungu-names.ts';

/** Names of the regions in whose data a region is included. */
interface WiderNames {
  /** The current successors of a former region: 창원시 of 마산시. */
  readonly current: readonly string[];
  /** The sidos in which a sigungu lies. */
  readonly sidos: readonly string[];
}

/** Wider names of the region with a full or short name (청주); null for a word that does not name a region. */
export function widerNames(word: string): WiderNames | null {
  const key = nameKey(word);
  if (sidoOfKey(key) !== undefined) return { current: [], sidos: [] };
  const regions = sigunguOf(key);
  if (regions.length === 0) return null;
  const isFormer = regions.every(({ until }) => until !== null);
  const current = isFormer ? regions.flatMap(currentSuccessors).map(cityName) : [];
  return { current: [...new Set(current)], sidos: [...new Set(regions.flatMap(sidoNames))] };
}

function sigunguOf(key: string): Region[] {
  const full = allSigunguOfName(key);
  const isShort = full.length === 0 && key.length > 1 && !otherMeanings.has(key);
  const matches = isShort ? ['시', '군', '구'].flatMap((end) => allSigunguOfName(key + end)) : full;
  return matches.map(({ region }) => region);
}

/** Short names of sigungu that are words of other topics more often: 예산 is a budget, 고령 is old age. */
const otherMeanings: ReadonlySet<string> = new Set(
  '예산 고령 영양 음성 부여 강화 연수 달성 사상 광산 남해 동해 동작 수영 진도 장수 양산 구리 수성 유성 공주 성주 함양 장성 기장 중원 처인 수정 단원 상록 만안 동안'.split(
    ' ',
  ),
);

/** Name of a sigungu; for a part of a city (`창원시 마산합포구`) the name of the city. */
function cityName({ name }: Region): string {
  return name.split(' ')[0]!;
}

function sidoNames({ code }: Region): string[] {
  const sido = regionByCode(code.slice(0, 2));
  return sido === undefined ? [] : [sido.name, ...otherSidoNames(sido.name)];
}
