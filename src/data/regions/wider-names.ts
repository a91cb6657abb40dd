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

/** Wider names of the region with a full name; null for a word that does not name a region. */
export function widerNames(word: string): WiderNames | null {
  const key = nameKey(word);
  if (sidoOfKey(key) !== undefined) return { current: [], sidos: [] };
  const regions = allSigunguOfName(key).map(({ region }) => region);
  if (regions.length === 0) return null;
  const isFormer = regions.every(({ until }) => until !== null);
  const current = isFormer ? regions.flatMap(currentSuccessors).map(cityName) : [];
  return { current: [...new Set(current)], sidos: [...new Set(regions.flatMap(sidoNames))] };
}

/** Name of a sigungu; for a part of a city (`창원시 마산합포구`) the name of the city. */
function cityName({ name }: Region): string {
  return name.split(' ')[0]!;
}

function sidoNames({ code }: Region): string[] {
  const sido = regionByCode(code.slice(0, 2));
  return sido === undefined ? [] : [sido.name, ...otherSidoNames(sido.name)];
}
