import { pageContract } from '../../contract/pages.ts';
import { regionByCode } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { recordPosition } from '../../lookup/record-position.ts';
import { clusterMap } from '../charts/cluster-map.ts';
import { koreaFrame, type Frame } from '../charts/frame.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import type { RecordView } from './record-view.ts';
import { mapBase } from './map-base.ts';
import { mapFigure, regionOutline } from './region-place.ts';

/** A map of the place of a record, or of its region where it has no position; empty if it has neither. */
export function placeSection(view: RecordView): Html {
  const map = positionMap(view) ?? outline(view);
  if (map === null) return emptyHtml;
  return html`<section aria-labelledby="place">
    <h2 id="place">${view.words.map}</h2>
    ${map}
  </section>`;
}

function positionMap(view: RecordView): Html | null {
  const { store, stored, row, name, words, language, lang } = view;
  const position = recordPosition(stored.fields, row);
  if (position === null || !isInKorea(position)) return null;
  const { lat, lon } = position;
  const frame = { west: lon - spanDegrees / 2, north: lat + spanDegrees / 2, span: spanDegrees };
  const near = `${lat},${lon}`;
  const href = canonicalUrl(pageContract.dataset, {
    axis: stored.axis.code,
    near,
    view: 'map',
    lang,
  });
  const marks = [{ position, count: 1, name, label: name ?? words.noName, href }];
  const { boundaries } = mapBase(store);
  return html`${mapFigure(clusterMap({ frame, boundaries, marks, here: null }, language), view)}
    <p class="links"><a rel="nofollow" href="${href}">${words.mapNear}</a></p>`;
}

/** About 20 km, so that the map shows the district with its neighbours. */
const spanDegrees = 0.24;

function isInKorea({ lat, lon }: { readonly lat: number; readonly lon: number }): boolean {
  const { west, north, span } = koreaFrame satisfies Frame;
  return lon > west && lon < west + span && lat < north && lat > north - span;
}

/** The outline of the region of a record, unless it is known by its province alone. */
function outline(view: RecordView): Html | null {
  const { additions } = view;
  const region = additions._sigungu === null ? undefined : regionByCode(additions._sigungu);
  return region === undefined ? null : regionOutline(region, view);
}
