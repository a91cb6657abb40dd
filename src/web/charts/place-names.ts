import type { Position } from '../../data/columns/distance.ts';
import { regionByCode } from '../../data/regions/region-table.ts';
import { html, type Html } from '../html.ts';
import { koreaFrame, placeIn, type Frame } from './frame.ts';

/** Names of the provinces of a frame, where neither another one nor a mark is. */
export function placeNames(frame: Frame, marks: readonly Position[]): Html {
  if (frame.span < koreaFrame.span / 20) return html``;
  const taken = marks.map((mark) => placeIn(frame, mark));
  return html`${Object.entries(places).map(([code, [lat, lon]]) => {
    const { x, y } = placeIn(frame, { lat, lon });
    const isInside = x > 0 && x < 100 && y > 0 && y < 100;
    const isHidden = taken.some((mark) => Math.abs(mark.x - x) < 7 && Math.abs(mark.y - y) < 5);
    return isInside && !isHidden
      ? html`<text class="place" x="${x}%" y="${y}%">${regionByCode(code)?.short}</text>`
      : null;
  })}`;
}

/** Latitude and longitude of the name of each province. */
const places: Readonly<Record<string, readonly [lat: number, lon: number]>> = {
  '11': [37.56, 126.99],
  '12': [34.93, 126.9],
  '26': [35.2, 129.06],
  '27': [35.88, 128.58],
  '28': [37.47, 126.42],
  '30': [36.34, 127.4],
  '31': [35.55, 129.24],
  '36': [36.58, 127.26],
  '41': [37.2, 127.35],
  '43': [36.85, 127.78],
  '44': [36.45, 126.75],
  '47': [36.4, 128.75],
  '48': [35.35, 128.2],
  '50': [33.38, 126.55],
  '51': [37.75, 128.35],
  '52': [35.72, 127.1],
};
