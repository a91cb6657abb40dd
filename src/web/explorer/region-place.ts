import { builtInBoundaries, type Boundaries } from '../../data/regions/boundaries.ts';
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
import { mapTexts } from './map-texts.ts';
import type { RecordView } from './record-view.ts';
import { regionPath } from './paths.ts';

/** A map of a region and its parts among its neighbours, each a link to its page. */
export function regionOutline(
  region: Region,
  { language, lang }: Pick<RecordView, 'language'> & { readonly lang?: string | undefined },
): Html {
  const boundaries = builtInBoundaries();
  const shape = boundaries.shapeOf(region.code);
  if (shape === null) return emptyHtml;
  const areaOf = (look: 'chosen' | 'plain') => (one: Region) => ({
    code: one.code,
    name: mapName(one),
    title: fullName(one),
    href: one === region ? null : regionPath(one.code, lang),
    look,
  });
  const below = currentChildren(region.code);
  const frame = frameAround(shape.box, roomAround);
  const areas = [
    ...(below.length === 0 ? [region] : below).map(areaOf('chosen')),
    ...neighboursOf(region, boundaries).map(areaOf('plain')),
  ];
  return html`<figure class="region-map">
    <div class="map">${regionMap({ frame, boundaries, areas })}</div>
    <figcaption class="quiet source">${mapTexts[language].source}</figcaption>
  </figure>`;
}

const roomAround = 0.4;

/** The regions that touch a region, each of its own level: provinces, cities or districts. */
export function neighboursOf(region: Region, boundaries: Boundaries): readonly Region[] {
  const isDistrict = region.level === 'sigungu' && region.parent?.length === 5;
  const beside = [...boundaries.neighboursOf(region.code)].map((code) => {
    if (region.level === 'sido') return regionByCode(code.slice(0, 2));
    const smallest = regionByCode(code);
    const city = smallest?.parent?.length === 5 ? regionByCode(smallest.parent) : undefined;
    return isDistrict ? smallest : (city ?? smallest);
  });
  return [...new Set(beside)]
    .filter((one) => one !== undefined)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}
