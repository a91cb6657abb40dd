import type { Field, Value } from '../axis.ts';
import { createRegionJoiner } from './joiner.ts';
import type { JoinedRegion } from './joiner.ts';
import type { RegionRoles } from './region-evidence.ts';
import { areRegionCodes } from './region-codes.ts';
import type { Region } from './region-table.ts';

/**
 * Creates the region joiner of an axis from the roles and labels of its fields; null if no field gives a region.
 * `assumedSido` is the sido of ambiguous names (`assumeSido`).
 */
export function createAxisRegionJoiner(
  fields: readonly Field[],
  assumedSido: Region | null = null,
): ((values: readonly Value[]) => JoinedRegion | null) | null {
  const roles = regionRoles(fields);
  const isUsable =
    roles.sido !== null ||
    roles.sigungu !== null ||
    roles.codes.length > 0 ||
    roles.addresses.length > 0 ||
    (roles.lat !== null && roles.lon !== null);
  return isUsable ? createRegionJoiner(roles, assumedSido) : null;
}

/** Position of the sigungu, else of an address, in an axis without a sido field; else null. */
export function fieldWithoutSido(fields: readonly Field[]): number | null {
  const { sido, sigungu, addresses } = regionRoles(fields);
  return sido === null ? (sigungu ?? addresses[0] ?? null) : null;
}

/** Positions of the fields that give a record's region. */
export function regionRoles(fields: readonly Field[]): RegionRoles {
  const positionOf = (fits: (field: Field) => boolean): number | null => {
    const at = fields.findIndex(fits);
    return at < 0 ? null : at;
  };
  return {
    sido: positionOf(({ role }) => role === 'sido'),
    sigungu: positionOf(({ role }) => role === 'sigungu'),
    dong: positionOf((field) => dongLabel.test(field.label) || dongName.test(field.name)),
    codes: fields.flatMap((field, at) => (hasRegionCodes(field) ? [at] : [])),
    addresses: fields.flatMap(({ role }, at) => (role === 'address' ? [at] : [])),
    lat: positionOf(({ role }) => role === 'lat'),
    lon: positionOf(({ role }) => role === 'lon'),
  };
}

/** True if the field's name and all its examples fit region codes: 도시코드 of the bus service is another system. */
function hasRegionCodes({ name, label, stats }: Field): boolean {
  if (!codeLabel.test(label) && !codeName.test(name)) return false;
  const examples = stats.examples.filter((example) => !/^\d{3}$/.test(example));
  return examples.length === 0 || areRegionCodes(examples);
}

const codeLabel = /(?:법정동|행정동|시도|시군구|행정구역|읍면동|지역).*코드$/;
const codeName =
  /^(?:ctprvn|signgu|sido|sgg|umd|emd|[al]dong|ldong(?:regn|signgu)|region).*(?:cd|code)$/i;
const dongLabel = /^(?:법정|행정)?(?:읍면동|읍면|동리|동)(?:명|이름)?$|^(?:법정동|행정동)명?$/;
const dongName = /^(?:emd|umd|adong|ldong)_?nm$/i;
