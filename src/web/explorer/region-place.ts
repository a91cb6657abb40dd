import { unitedBox } from '../../data/columns/distance.ts';
import { builtInBoundaries } from '../../data/regions/boundaries.ts';
import {
  currentChildren,
  fullName,
  regionByCode,
  type Region,
} from '../../data/regions/region-table.ts';
import { frameAround } from '../charts/frame.ts';
import { mapName } from '../charts/place-names.ts';
import { regionMap } from '../charts/region-map.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { mapBase } from './map-base.ts';
import type { RecordView } from './record-view.ts';
import { regionPath } from './paths.ts';

type MapRequest = Pick<RecordView, 'store' | 'language' | 'lang'>;

/** A map of a region and its parts among its neighbours, each a link to its page. */
export function regionOutline(region: Region, view: MapRequest): Html {
  const { boundaries } = mapBase(view.store);
  const shape = boundaries.shapeOf(region.code);
  if (shape === null) return emptyHtml;
  const areaOf = (look: 'chosen' | 'plain') => (one: Region) => ({
    code: one.code,
    name: mapName(one),
    title: fullName(one),
    href: one === region ? null : regionPath(one.code, view.lang),
    look,
  });
  const below = currentChildren(region.code);
  const frame = frameAround(shape.box, roomAround);
  const areas = [
    ...(below.length === 0 ? [region] : below).map(areaOf('chosen')),
    ...neighboursOf(region).map(areaOf('plain')),
  ];
  return mapFigure(regionMap({ frame, boundaries, areas }), view);
}

const roomAround = 0.4;

/** A map of two regions side by side. */
export function comparedOutlines(regions: readonly Region[], view: MapRequest): Html {
  const { boundaries } = mapBase(view.store);
  const boxes = regions.flatMap(({ code }) => boundaries.shapeOf(code)?.box ?? []);
  if (boxes.length < regions.length) return emptyHtml;
  const frame = frameAround(unitedBox(boxes), roomAround);
  const areas = regions.map((region) => ({
    code: region.code,
    name: mapName(region),
    title: fullName(region),
    href: regionPath(region.code, view.lang),
    look: 'chosen' as const,
  }));
  return mapFigure(regionMap({ frame, boundaries, areas }), view);
}

/** A map that stands still, with the source of its borders. */
export function mapFigure(drawing: Html, { store, language }: MapRequest): Html {
  return html`<figure class="region-map">
    <div class="map">${drawing}</div>
    <figcaption class="quiet source">${mapBase(store).source[language]}</figcaption>
  </figure>`;
}

/** The regions that touch a region, each of its own level: provinces, cities or districts. */
export function neighboursOf(region: Region): readonly Region[] {
  const isDistrict = region.level === 'sigungu' && region.parent?.length === 5;
  const beside = [...builtInBoundaries().neighboursOf(region.code)].map((code) => {
    const smallest = regionByCode(code);
    const city = smallest?.parent?.length === 5 ? regionByCode(smallest.parent) : undefined;
    const sido = regionByCode(code.slice(0, 2));
    // 광주광역시 merged with the province around it, whose cities are its neighbours.
    const isWithin = region.successors.some((after) => after.code === sido?.code);
    if (region.level === 'sido' && !isWithin) return sido;
    return isDistrict ? smallest : (city ?? smallest);
  });
  return [...new Set(beside)]
    .filter((one) => one !== undefined)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}
