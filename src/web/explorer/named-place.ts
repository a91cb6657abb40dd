import { isRegionName } from '../../data/regions/is-region-name.ts';
import type { PageRequest } from '../serve-page.ts';
import type { PlaceRecord } from './dataset-view.ts';
import { placeRecords } from './place-records.ts';

/** A place that a query names before 근처, with a record of that name. */
export interface NamedPlace {
  readonly name: string;
  /** The record whose position is that of the place. */
  readonly record: PlaceRecord;
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
  return { name, text: found[0], rest: q.replace(found[0], '').replaceAll(/ +/g, ' ').trim() };
}

/** The place near which a query wants records, if records name it. */
export async function placeIn(
  q: string,
  request: Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>,
): Promise<NamedPlace | null> {
  const word = placeWordOf(q);
  if (word === null || word.rest === '') return null;
  const { agreed } = await placeRecords(word.name, request);
  return agreed === null ? null : { ...word, record: agreed };
}

/** A query with a station or the like, as one for records near it: 강남역 약국 as 강남역 근처 약국. */
export async function nearPlaceQuery(
  q: string,
  request: Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>,
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
