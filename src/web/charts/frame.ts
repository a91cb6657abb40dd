import type { Box, Position } from '../../data/columns/distance.ts';
import type { Grid } from '../../data/columns/clusters.ts';

/**
 * The part of the world that a map shows: as many degrees of longitude as of latitude. Maps are drawn four fifths as
 * wide as high, since a degree of longitude is that much shorter in Korea. So degrees are percentages of a map.
 */
export interface Frame {
  readonly west: number;
  readonly north: number;
  readonly span: number;
}

/** All of Korea. */
export const koreaFrame: Frame = { west: 124.5, north: 39.1, span: 6.5 };

/** Size of a map between the size on a phone and the size on a desktop screen. */
export const [mapWidthPx, mapHeightPx] = [460, 575];

/** Smallest span of a map, about 400 m: positions are not more exact. */
export const spanMin = 0.004;

/** The smallest frame with a box and some room around it. */
export function frameAround({ minLon, minLat, maxLon, maxLat }: Box, room: number): Frame {
  const span = Math.max(spanMin, Math.max(maxLon - minLon, maxLat - minLat) * (1 + room));
  return framed({ lat: (minLat + maxLat) / 2, lon: (minLon + maxLon) / 2 }, span);
}

/** A frame with the same center, so many times as wide. */
export function scaledFrame({ west, north, span }: Frame, factor: number): Frame {
  const center = { lat: north - span / 2, lon: west + span / 2 };
  return framed(center, Math.min(koreaFrame.span, Math.max(spanMin, span * factor)));
}

/** The text of a frame in the parameter `bbox`. */
export function boxText({ west, north, span }: Frame): string {
  return [west, north - span, west + span, north].map((one) => Number(one.toFixed(4))).join(',');
}

/** Place of a position from the left and the top, in percent. */
export function placeIn({ west, north, span }: Frame, { lat, lon }: Position) {
  const percent = (degrees: number): number => Math.round((degrees / span) * 10_000) / 100;
  return { x: percent(lon - west), y: percent(north - lat) };
}

/** A grid over a frame whose cells lie at the same places in every frame of about that size. */
export function gridOver({ west, north, span }: Frame, fineness = 1): Grid {
  const cell = 2 ** Math.floor(Math.log2(span / cellsAcross)) / fineness;
  const [first, top] = [Math.floor(west / cell) * cell, Math.ceil(north / cell) * cell];
  return {
    west: first,
    north: top,
    cell,
    columns: Math.ceil((west + span - first) / cell),
    rows: Math.ceil((top - north + span) / cell),
  };
}

/** A map on a phone has room for seven circles side by side. */
const cellsAcross = 7;

function framed({ lat, lon }: Position, span: number): Frame {
  return { west: lon - span / 2, north: lat + span / 2, span };
}
