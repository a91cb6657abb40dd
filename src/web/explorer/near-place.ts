import { regionByCoordinates } from '../../data/regions/coordinates.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import { readPosition } from '../../lookup/places.ts';
import { formatNumber } from '../layout.ts';
import type { DatasetView } from './dataset-view.ts';

/** True for a position that a map has rounded to about 100 m, as it does with the reader's position. */
export function isReadersPlace(near: string): boolean {
  return /^-?\d+(?:\.\d{1,3})?,-?\d+(?:\.\d{1,3})?$/.test(near);
}

/** The place and radius of `near` in words. Throws 400. */
export function nearText(
  near: string,
  radius: number | undefined,
  { words, place }: Pick<DatasetView, 'words' | 'place'>,
): string {
  const { lat, lon } = readPosition(near);
  if (place?.chosen) {
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
