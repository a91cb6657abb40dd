import type { Row } from '../../data/axis.ts';
import type { Cluster } from '../../data/columns/clusters.ts';
import { boxAround, unitedBox, type Box } from '../../data/columns/distance.ts';
import { rowsOf } from '../../lookup/endpoints/rows.ts';
import type { SelectedPage } from '../../lookup/selected-page.ts';
import { addedName } from '../../lookup/shown-fields.ts';
import { clusterMap, type Mark } from '../charts/cluster-map.ts';
import {
  boxText,
  frameAround,
  gridOver,
  koreaFrame,
  scaledFrame,
  spanMin,
  type Frame,
} from '../charts/frame.ts';
import { mergedClusters } from '../charts/merge-clusters.ts';
import { notice } from '../components/notice.ts';
import { phoneLink } from '../components/phone-link.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { placeSection } from './chosen-place.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';
import { listPager } from './list-pager.ts';
import { mapBase } from './map-base.ts';
import { mapTexts } from './map-texts.ts';
import { withoutPlaces } from './named-place.ts';
import { isReadersPlace } from './near-place.ts';
import { datasetPath, recordPath } from './paths.ts';

/** Records of the list beside the map. */
export const mapListMax = 20;

/** A map of the records of the page, and some of them as a list. */
export async function mapSection(view: DatasetView, records: SelectedPage): Promise<Html> {
  const { stored, language, query } = view;
  const words = mapTexts[language];
  const { selection } = query;
  if (!stored.hasCoordinates || selection === null) {
    return notice('note', html`<p>${words.none}</p>`);
  }
  const rows = rowsOf(records);
  const { frame, clusters } = await clustersInSight(view, rows);
  const here = selection.near ?? null;
  const shown = clusters.reduce((sum, { count }) => sum + count, 0);
  const outside = selection.bbox === undefined && here === null ? records.total - shown : 0;
  const unplaced = here !== null && isWhole(view) ? stored.rows - records.total : 0;
  return html`<section class="map-view" aria-labelledby="map">
    <h2 id="map" class="spoken">${words.heading}</h2>
    <div>
      <div
        class="map"
        data-frame="${[frame.west, frame.north, frame.span].join(' ')}"
        data-limits="${spanMin} ${koreaFrame.span}"
        role="group"
        aria-label="${words.heading}"
        aria-describedby="map-keys"
      >
        ${clusterMap({ frame, boundaries: mapBase(view.store).boundaries, marks: marksOf(clusters, { frame, rows }, view), here }, language)}
      </div>
      ${controls(frame, view)}
      <p class="quiet">
        ${words.marks} ${here === null ? null : `${words.listedMarks} ${words.hereMark}`}
      </p>
      ${outside > 0 ? html`<p class="quiet">${words.outside(formatNumber(outside))}</p>` : emptyHtml}
      ${unplaced > 0 ? html`<p class="quiet">${words.unplaced(formatNumber(unplaced))}</p>` : emptyHtml}
      <p class="quiet source">${mapBase(view.store).source[language]}</p>
    </div>
    ${recordList(rows, records.total, outside, view)}
  </section>`;
}

/** True if the address selects records by their distance alone, without a radius. */
function isWhole({ params }: DatasetView): boolean {
  const { q, where, sido, sigungu, bbox, radius, sample } = params;
  return [q, where, sido, sigungu, bbox, radius, sample].every((one) => one === undefined);
}

/** The frame of the map and what lies in it: the box or the neighbourhood that is chosen, else all records. */
async function clustersInSight(
  view: DatasetView,
  rows: readonly Row[],
): Promise<{ readonly frame: Frame; readonly clusters: readonly Cluster[] }> {
  const chosen = chosenFrame(view, rows);
  if (chosen !== null) return { frame: chosen, clusters: await clustersIn(chosen, view) };
  const whole = await clustersIn(koreaFrame, view);
  const frame =
    whole.length === 0
      ? koreaFrame
      : frameAround(unitedBox(whole.map(({ box }) => box)), roomAround);
  // Most datasets cover the country, whose clusters are known.
  return frame.span > koreaFrame.span / 2
    ? { frame: koreaFrame, clusters: whole }
    : { frame, clusters: await clustersIn(frame, view) };
}

const roomAround = 0.15;

function chosenFrame({ query, stored }: DatasetView, rows: readonly Row[]): Frame | null {
  const { bbox, near } = query.selection!;
  if (bbox !== undefined) return frameAround(bbox, 0);
  if (near === undefined) return null;
  const distanceName = addedName('_distance', stored.fields);
  const distances = rows.map((row) => Number(row[distanceName]));
  return frameAround(boxAround(near, Math.max(nearMin, ...distances)), roomAround);
}

/** In metres. */
const nearMin = 200;

/** Clusters of a frame; a few records are clusters of their own unless they are at one place. */
async function clustersIn(frame: Frame, view: DatasetView): Promise<readonly Cluster[]> {
  const { store, stored, query, isAbandoned } = view;
  const read = (fineness: number): Promise<readonly Cluster[]> =>
    store.clusters(
      stored.axis.code,
      { ...query.selection, grid: gridOver(frame, fineness) },
      isAbandoned,
    );
  const clusters = await read(1);
  const total = clusters.reduce((sum, { count }) => sum + count, 0);
  return mergedClusters(total > pointsMax ? clusters : await read(8), frame);
}

const pointsMax = 120;

/** Circles of the clusters: a record alone leads to its page, several to a map of them. */
function marksOf(
  clusters: readonly Cluster[],
  { frame, rows }: { readonly frame: Frame; readonly rows: readonly Row[] },
  view: DatasetView,
) {
  const { stored, store, params, language, query } = view;
  // Without a place the list has the order of the dataset.
  const isNear = query.selection?.near !== undefined;
  const idName = addedName('_id', stored.fields);
  const listed = new Map(
    isNear ? rows.map((row, at) => [String(row[idName]), params.offset + at + 1]) : [],
  );
  const words = mapTexts[language];
  const { code } = stored.axis;
  const single = clusters.filter(({ count }) => count === 1).map(({ row }) => row);
  const ids = store.additions(code, single);
  const names = store
    .records(code, single)
    // A store's record is the JSON of a row.
    .map((json) => nameOf(JSON.parse(json.toString()) as Row, view));
  const pages = new Map(
    single.map((row, at) => [
      row,
      {
        label: names[at] ?? words.noName,
        name: names[at]!,
        listed: listed.get(ids[at]!._id),
        href: recordPath(code, ids[at]!._id, params.lang),
      },
    ]),
  );
  return clusters.map(({ count, center, box, row }) => {
    const alone = count === 1 ? pages.get(row) : undefined;
    const mark: Pick<Mark, 'label' | 'name' | 'href' | 'listed'> = alone ?? {
      label: words.cluster,
      name: null,
      href: clusterTarget(box, frame, view),
    };
    return { position: center, count, ...mark };
  });
}

/** The map of a cluster; its records as a table if no map takes them apart. */
function clusterTarget(box: Box, { span }: Frame, view: DatasetView): string {
  const around = frameAround(box, roomAround);
  const bbox = boxText(around);
  return span > spanMin && around.span < span
    ? filteredTarget(view, { bbox })
    : `${filteredTarget(view, { bbox, view: undefined })}#table`;
}

function nameOf(row: Row, { stored }: DatasetView): string | null {
  const name = stored.fields.find(({ role }) => role === 'name')?.name;
  const value = name === undefined ? null : (row[name] ?? null);
  return value === null ? null : String(value).slice(0, nameLengthMax);
}

const nameLengthMax = 60;

function controls(frame: Frame, view: DatasetView): Html {
  const { language, params } = view;
  const words = mapTexts[language];
  const zoom = (factor: number, text: string, sign: string): Html => {
    const bbox = boxText(scaledFrame(frame, factor));
    return html`<a
      class="button quiet"
      rel="nofollow"
      href="${filteredTarget(view, { bbox })}"
      aria-label="${text}"
      title="${text}"
      >${sign}</a
    >`;
  };
  const { q } = params;
  const topic = q === undefined ? null : html`data-topic="${withoutPlaces(q)}"`;
  return html`<div class="map-controls">
      ${zoom(0.5, words.zoomIn, '+')} ${zoom(2, words.zoomOut, '−')}
      ${
        params.bbox === undefined && params.near === undefined
          ? emptyHtml
          : html`<a
              class="button quiet"
              rel="nofollow"
              href="${filteredTarget(view, { bbox: undefined, near: undefined, place: undefined, radius: undefined })}"
              >${words.whole}</a
            >`
      }
      <button
        type="button"
        class="button quiet here"
        hidden
        data-locating="${words.locating}"
        data-refused="${words.refused}"
        ${topic}
        aria-describedby="map-privacy"
      >
        ${words.here}
      </button>
    </div>
    ${placeForm(view)} ${placeSection(view)}
    <p class="quiet" id="map-privacy" hidden>${params.near === undefined ? words.privacy : null}</p>
    <p class="quiet keys" id="map-keys" hidden>${words.keys}</p>`;
}

/** A form for a place to measure distances from, for readers whose position is unknown. */
function placeForm({ language, params }: DatasetView): Html {
  const words = mapTexts[language];
  const kept = ['lang', 'where', 'q', 'sido', 'sigungu', 'radius', 'view'] as const;
  return html`<form class="place-form" action="${datasetPath(params.axis)}#map" method="get">
    ${kept.map((name) =>
      params[name] === undefined
        ? emptyHtml
        : html`<input type="hidden" name="${name}" value="${params[name]}" />`,
    )}
    <label
      ><span>${words.placeLabel}</span>
      <input
        name="place"
        type="search"
        required
        maxlength="100"
        value="${params.place ?? ''}"
        placeholder="${words.placeExample}"
    /></label>
    <button>${words.placeSearch}</button>
  </form>`;
}

/** Records of the page as links, with their addresses and distances; `outside` of all are not on the map. */
function recordList(rows: readonly Row[], total: number, outside: number, view: DatasetView): Html {
  const { stored, language, params, query } = view;
  const words = mapTexts[language];
  const [address, phone] = (['address', 'phone'] as const).map(
    (wanted) => stored.fields.find(({ role }) => role === wanted)?.name,
  );
  const [idName, distanceName] = ['_id', '_distance'].map((name) =>
    addedName(name, stored.fields),
  ) as [string, string];
  const isRounded = params.near !== undefined && isReadersPlace(params.near);
  const isNear = query.selection?.near !== undefined;
  const heading = isNear ? words.listNear : outside > 0 ? words.listAll : words.list;
  return html`<div class="map-list">
    <h3>${heading} <span class="quiet">${formatNumber(total)}</span></h3>
    ${
      params.q === undefined
        ? emptyHtml
        : html`<p class="quiet">
            ${words.withWords(params.q, formatNumber(total))}
            <a rel="nofollow" href="${filteredTarget(view, { q: undefined })}#map"
              >${words.withoutWords}</a
            >
          </p>`
    }
    ${isRounded ? html`<p class="quiet">${words.rounded}</p>` : emptyHtml}
    <ol class="datasets" start="${params.offset + 1}">
      ${rows.map((row) => {
        const facts = [
          ...(isNear ? [distanceText(Number(row[distanceName]), isRounded)] : []),
          textOf(row, address),
        ].filter((fact) => fact !== '');
        const number = textOf(row, phone);
        const href = recordPath(stored.axis.code, String(row[idName]), params.lang);
        return html`<li>
          <p><a href="${href}">${nameOf(row, view) ?? words.noName}</a></p>
          ${facts.length === 0 ? null : html`<p class="quiet">${facts.join(' · ')}</p>`}
          ${number === '' ? null : html`<p class="quiet">${phoneLink(number)}</p>`}
        </li>`;
      })}
    </ol>
    ${listPager({ offset: params.offset, pageSize: mapListMax, total }, view)}
  </div>`;
}

function textOf(row: Row, name: string | undefined): string {
  return name === undefined ? '' : String(row[name] ?? '');
}

/** A distance; in steps of 50 m from a place that is rounded to about 100 m itself. */
function distanceText(metres: number, isRounded: boolean): string {
  if (metres >= 1_000) return `${(metres / 1_000).toFixed(1)} km`;
  if (!isRounded) return `${Math.round(metres)} m`;
  return `≈ ${Math.max(50, Math.round(metres / 50) * 50)} m`;
}
