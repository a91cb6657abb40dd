import type { Row } from '../listing.ts';
import { recordMaker, type PatternKind } from '../patterns.ts';
import { districts, placeIn, type District, type Place } from '../place.ts';
import { randomFor } from '../seeded-random.ts';

/** A header and the rows under it, before the defects of a published file are added. */
export interface PlainTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Rows about places in the given districts, by default all. The fields of the pattern are the header. */
export function placesTable(
  seed: number,
  kind: PatternKind,
  count: number,
  placeDistricts: readonly District[] = districts,
  extraValues: (place: Place) => Row = () => ({}),
): PlainTable {
  const make = recordMaker(kind);
  const records = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, kind, placeDistricts[0]?.code ?? '', index);
    const place = placeIn(random, random.pick(placeDistricts));
    return make(random, { n: index + 1, ...extraValues(place) }, place);
  });
  return {
    header: Object.keys(records[0] ?? {}),
    rows: records.map(Object.values<string | number>),
  };
}

/** Sports facilities under the region names before 2023: 강원도, 전라북도, 광주광역시, 인천 남구. */
export function gymTable(seed: number, count: number): PlainTable {
  return placesTable(seed, 'file_gym', count, districts, ({ district }) => {
    const [formerSido, formerSigungu] = formerNames(district);
    return { formerSido, formerSigungu };
  });
}

function formerNames({ code, name, sido }: District): [sido: string, sigungu: string] {
  if (code === '28177') return ['인천광역시', '남구'];
  if (sido.code === '51') return ['강원도', name];
  if (sido.code === '52') return ['전라북도', name];
  if (sido.code === '12') return [name.endsWith('구') ? '광주광역시' : '전라남도', name];
  return [sido.name, name];
}

/** Wells with positions in metres (EPSG:5186), precise enough to lie in the right county. */
export function wellTable(seed: number, count: number): PlainTable {
  return placesTable(seed, 'file_well', count, districts, ({ lat, lon }) => ({
    x: (200_000 + (lon - 127) * 111_320 * Math.cos((lat * Math.PI) / 180)).toFixed(3),
    y: (600_000 + (lat - 38) * 110_950).toFixed(3),
  }));
}
