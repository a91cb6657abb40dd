import type { Row, StoredAxis } from '../../data/axis.ts';
import { distanceBetween, type Position } from '../../data/columns/distance.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { isRegionName } from '../../data/regions/is-region-name.ts';
import type { PageRequest } from '../serve-page.ts';

/** A place that a query names before 근처, with its position by the records of that name. */
export interface NamedPlace {
  readonly name: string;
  /** Text of the parameter `near`. */
  readonly near: string;
  /** The words of the place as they were typed. */
  readonly text: string;
  readonly rest: string;
}

/** The word before 근처 in a query, with its place among the words; null if it is none, or a region. */
export function placeWordOf(q: string): Pick<NamedPlace, 'name' | 'text' | 'rest'> | null {
  const found = /(?<!\S)([가-힣\w]{2,20}?) ?(?:주변|근처|인근|부근)(?:에서|에|의)?(?!\S)/.exec(q);
  const name = found?.[1];
  if (found === null || name === undefined || isRegionName(name)) return null;
  if (/^(?:우리|가까운|내)|동네$/.test(name) || /["“”]/.test(q)) return null;
  const rest = q.replace(found[0], '').replaceAll(/ +/g, ' ').trim();
  return rest === '' ? null : { name, text: found[0], rest };
}

/**
 * The place near which a query wants records: the place of the records whose name or address begins a word with it, if
 * nearly all of them lie together.
 */
export async function placeIn(
  q: string,
  { store, isAbandoned }: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<NamedPlace | null> {
  const word = placeWordOf(q);
  if (word === null) return null;
  const query = { ...parseQuery(`"${word.name}"`), limit: hitsMax, offset: 0 };
  const { hits } = await store.search(query, isAbandoned);
  const start = new RegExp(String.raw`(?<![\p{L}\p{N}])${word.name}`, 'u');
  const positions = hits.flatMap((hit) => {
    const stored = store.axes.get(hit.axis)!;
    if (!stored.hasCoordinates || stored.axis.origin === 'sample') return [];
    // A store's record is the JSON of a row.
    const record = JSON.parse(hit.record.toString()) as Row;
    const position = positionOf(record, stored);
    const isNamed = Object.values(record).some((value) => start.test(String(value)));
    return position === null || !isNamed ? [] : [position];
  });
  if (positions.length < positionsMin) return null;
  const middle = { lat: middleOf(positions, 'lat'), lon: middleOf(positions, 'lon') };
  const close = positions.filter((one) => distanceBetween(middle, one) <= samePlaceMax);
  if (close.length < positions.length * closeShareMin) return null;
  return { ...word, near: `${middle.lat.toFixed(5)},${middle.lon.toFixed(5)}` };
}

/** A query with a station or the like, as one for records near it: 강남역 약국 as 강남역 근처 약국. */
export async function nearPlaceQuery(
  q: string,
  request: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<{ readonly name: string; readonly q: string } | null> {
  const name = q.split(' ').find((word) => landmark.test(word));
  if (name === undefined) return null;
  const near = q.replace(name, `${name} 근처`);
  return (await placeIn(near, request)) === null ? null : { name, q: near };
}

/** A query without the names of regions and landmarks, whose place the reader's own position takes. */
export function withoutPlaces(q: string): string {
  const words = q.split(' ').filter((word) => !landmark.test(word) && !isRegionName(word));
  return words.join(' ');
}

const landmark = /^[가-힣]{2,}(?:(?<![구지영])역|터미널|공항|대학교)$/;

const hitsMax = 40;
const positionsMin = 3;
/** In metres: the exits of a station and the shops around it. */
const samePlaceMax = 1_000;
const closeShareMin = 0.8;

function positionOf(record: Row, { fields }: StoredAxis): Position | null {
  const [lat = NaN, lon = NaN] = (['lat', 'lon'] as const).map((role) => {
    const name = fields.find((field) => field.role === role)?.name;
    return name === undefined ? NaN : Number(record[name] ?? NaN);
  });
  return lat > 0 && lon > 0 ? { lat, lon } : null;
}

function middleOf(positions: readonly Position[], part: keyof Position): number {
  const sorted = positions.map((one) => one[part]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
