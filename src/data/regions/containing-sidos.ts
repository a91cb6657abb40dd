import { nameKey } from './name-key.ts';
import { otherSidoNames } from './other-names.ts';
import { regionByCode } from './region-table.ts';
import { sidoOfKey } from './sido-names.ts';
import { allSigunguOfName } from './sigungu-names.ts';

/** Names of the sidos in which a sigungu with the full name lies: none for a sido, null for a word that is no region. */
export function containingSidoNames(word: string): readonly string[] | null {
  const key = nameKey(word);
  if (sidoOfKey(key) !== undefined) return [];
  const regions = allSigunguOfName(key);
  if (regions.length === 0) return null;
  const names = regions.flatMap(({ region }) => {
    const sido = regionByCode(region.code.slice(0, 2));
    return sido === undefined ? [] : [sido.name, ...otherSidoNames(sido.name)];
  });
  return [...new Set(names)];
}
