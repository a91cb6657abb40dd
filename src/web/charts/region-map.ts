import type { Boundaries, Shape } from '../../data/regions/boundaries.ts';
import { html, type Html } from '../html.ts';
import type { Frame } from './frame.ts';
import { areaPath, mapOutlines } from './map-outlines.ts';
import { namesWithoutOverlap } from './place-names.ts';

interface RegionMap {
  readonly frame: Frame;
  readonly boundaries: Boundaries;
  readonly areas: readonly RegionArea[];
}

interface RegionArea {
  readonly code: string;
  readonly name: string;
  /** Text of its tooltip. */
  readonly title: string;
  /** Address that it leads to; null for none. */
  readonly href: string | null;
  readonly look: 'chosen' | 'plain' | `level-${number}`;
}

/** A map of regions as areas. It is for the eye alone: a list of the same regions must stand beside it. */
export function regionMap({ frame, boundaries, areas }: RegionMap): Html {
  const drawn = areas.flatMap((area) => {
    const shape = boundaries.shapeOf(area.code);
    return shape === null ? [] : [{ ...area, shape }];
  });
  const paths = drawn.map(({ shape, title, href, look }) => {
    const path = html`<path class="area ${look}" d="${areaPath(shape.rings, frame)}">
      <title>${title}</title>
    </path>`;
    return href === null ? path : html`<a href="${href}" tabindex="-1" rel="nofollow">${path}</a>`;
  });
  const names = drawn
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .map(({ name, look, shape }) => ({ name, look, position: shape.label }));
  return html`<svg class="map-drawing" width="100%" height="100%" aria-hidden="true">
    ${mapOutlines(frame, boundaries, html`${paths}`)} ${namesWithoutOverlap(names, frame)}
  </svg>`;
}

/** Names of larger regions hide others. The region of the page, which has no link, always keeps its name. */
function weightOf({ href, shape: { box } }: RegionArea & { readonly shape: Shape }): number {
  return href === null ? Infinity : (box.maxLon - box.minLon) * (box.maxLat - box.minLat);
}
