import { regionByCoordinates } from '../../data/regions/coordinates.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import { readPosition } from '../../lookup/places.ts';
import { formatNumber } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import type { DatasetParams, DatasetView, PlaceChoice } from './dataset-view.ts';
import { placeChoices } from './place-records.ts';

/** True for a position that a map has rounded to about 100 m, as it does with the reader's position. */
export function isReadersPlace(near: string): boolean {
  return /^-?\d+(?:\.\d{1,3})?,-?\d+(?:\.\d{1,3})?$/.test(near);
}

/** The record of `place` at the position `near`; null if the name has none there. */
export async function chosenPlace(
  { near, place }: Pick<DatasetParams, 'near' | 'place'>,
  request: Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>,
): Promise<PlaceChoice | null> {
  if (near === undefined || place === undefined) return null;
  const choices = await placeChoices(place, request);
  const chosen = choices.find((one) => one.near === near);
  return chosen === undefined ? null : { chosen, others: choices.filter((one) => one !== chosen) };
}

/** The place and radius of `near` in words. Throws 400. */
export function nearText(
  near: string,
  radius: number | undefined,
  { words, place }: Pick<DatasetView, 'words' | 'place'>,
): string {
  const { lat, lon } = readPosition(near);
  if (place !== null) {
    return words.nearNamed(place.chosen.name, radius === undefined ? null : distanceText(radius));
  }
  const region = regionByCode(regionByCoordinates(lat, lon)?.code ?? '');
  const name = region === undefined ? null : fullName(region);
  const distance = radius === undefined ? null : distanceText(radius);
  return isReadersPlace(near)
    ? words.nearReader(name, distance)
    : words.near(name ?? near, distance);
}

function distanceText(metres: number): string {
  return metres < 1_000 ? `${metres} m` : `${formatNumber(metres / 1_000)} km`;
}
