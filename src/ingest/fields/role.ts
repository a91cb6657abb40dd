import type { FieldRole } from '../../data/axis.ts';
import type { ColumnProfile, ProfiledColumn } from './column.ts';
import {
  isAddressWord,
  isAuthorityWord,
  isCoordinateWord,
  isForeignCodeWord,
  isIdentifierWord,
  isPhoneWord,
  isPlainAddressWord,
  isPostcodeWord,
  isRegionWord,
  isSequenceWord,
  isStreetWord,
} from './meaning.ts';
import { nameScore, nameScoreMin } from './name-score.ts';
import { placeShares, type PlaceShares } from './place.ts';
import { isMissing, shapes } from '../../data/values/shapes.ts';

/**
 * Determines the role of every column: the label suggests it and the values confirm it. At most one column is name,
 * lat, lon, sido or sigungu. A column without values gets a role only if its label is unambiguous.
 */
export function rolesOf(columns: readonly ProfiledColumn[], rows: number): (FieldRole | null)[] {
  const roles: (FieldRole | null)[] = columns.map(() => null);
  const places = columns.map(({ profile }) => placeShares(profile.sample()));
  assignBest(roles, columns, 'lat', (column) => coordinateRows(column, shapes.latitude));
  assignBest(roles, columns, 'lon', (column) => coordinateRows(column, shapes.longitude));
  columns.forEach(
    (column, index) => (roles[index] ??= phoneOrAddress(column, places[index] ?? null)),
  );
  assignBest(roles, columns, 'sido', (column, index) => regionShare(column, places[index], 'sido'));
  assignBest(roles, columns, 'sigungu', (column, index) =>
    regionShare(column, places[index], 'sigungu'),
  );
  columns.forEach((column, index) => (roles[index] ??= dateOrCode(column)));
  assignBest(roles, columns, 'name', (column, index) => {
    const score = nameScore(column, places[index] ?? null, index, rows);
    return score >= nameScoreMin ? score : 0;
  });
  return roles;
}

/** Minimum share of coordinates among the values of a coordinate column, without zeros and missing values. */
const coordinateShareMin = 0.9;
const regionShareMin = 0.8;
const addressShareMin = 0.5;
const phoneShareMin = 0.6;

/** Gives `role` to the free column with the largest weight, the first of equal ones; to none if all weigh 0. */
function assignBest(
  roles: (FieldRole | null)[],
  columns: readonly ProfiledColumn[],
  role: FieldRole,
  weigh: (column: ProfiledColumn, index: number) => number,
): void {
  let best = -1;
  let weight = 0;
  columns.forEach((column, index) => {
    if (roles[index] !== null) return;
    const each = weigh(column, index);
    if (each > weight) [best, weight] = [index, each];
  });
  if (best >= 0) roles[best] = role;
}

function coordinateRows(
  { words, profile }: ProfiledColumn,
  coordinate: typeof shapes.latitude | typeof shapes.longitude,
): number {
  if (!isCoordinateWord(words)) return 0;
  const rows = profile.shapeRows();
  const present = profile.nonNull - (rows[shapes.zero] ?? 0) - (rows[shapes.marker] ?? 0);
  const coordinates = rows[coordinate] ?? 0;
  return coordinates > 0 && coordinates >= present * coordinateShareMin ? coordinates : 0;
}

function phoneOrAddress(
  { words, profile }: ProfiledColumn,
  place: PlaceShares | null,
): FieldRole | null {
  if (isPhoneWord(words)) return looksLikePhones(profile) ? 'phone' : null;
  const isRegion = isRegionWord(words);
  if (place === null) return !isRegion && isPlainAddressWord(words) ? 'address' : null;
  const isRegionLike = isRegion || isStreetWord(words);
  const isSigungu = plainRegionWords.sigungu.test(words) && place.sigungu >= regionShareMin;
  if (isRegionLike && place.region >= addressShareMin) return isSigungu ? null : 'address';
  return isAddressWord(words) && place.address >= addressShareMin ? 'address' : null;
}

function regionShare(
  { words }: ProfiledColumn,
  place: PlaceShares | null | undefined,
  level: 'sido' | 'sigungu',
): number {
  if (place === null || place === undefined) return 0;
  if (!isRegionWord(words) && !isAuthorityWord(words)) return 0;
  if (place[level] < regionShareMin) return 0;
  return place[level] + (plainRegionWords[level].test(words) ? 1 : 0);
}

const plainRegionWords = { sido: /시도|시·도|광역/, sigungu: /시군|자치구|군구|구군/ };

function dateOrCode({ words, type, profile }: ProfiledColumn): FieldRole | null {
  if (type === 'date' || type === 'datetime') return 'date';
  if (isPostcodeWord(words)) return 'code';
  const isIdentifier = isIdentifierWord(words) && !isPhoneWord(words);
  if ((isIdentifier || isSequenceWord(words)) && profile.isUnique && !isForeignCodeWord(words)) {
    return profile.nonNull > 0 ? 'id' : null;
  }
  return isIdentifier ? 'code' : null;
}

function looksLikePhones(profile: ColumnProfile): boolean {
  const sample = profile.sample().filter(({ shape }) => !isMissing(shape));
  if (sample.length === 0) return true;
  const phones = sample.filter(({ text }) => {
    const digits = text.replace(/\D/g, '').length;
    return digits >= 7 && digits * 2 > text.length;
  });
  return phones.length >= sample.length * phoneShareMin;
}
