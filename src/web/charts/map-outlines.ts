import { unitsPerDegree } from '../../data/regions/border-lines.ts';
import { outlinesOfKorea, type Outline } from '../../data/regions/outlines.ts';
import { html, type Html } from '../html.ts';
import { koreaFrame, type Frame } from './frame.ts';

/** Land and borders of a frame, stretched to the place where they stand. */
export function mapOutlines(frame: Frame): Html {
  const { coasts, sidoBorders, sigunguBorders } = outlinesOfKorea();
  const isNear = frame.span < sigunguSpanMax;
  return html`<svg
    width="100%"
    height="100%"
    viewBox="0 0 ${across} ${across}"
    preserveAspectRatio="none"
    overflow="visible"
  >
    <path class="land" d="${pathsOf(coasts, frame, true)}" />
    ${isNear ? html`<path class="border fine" d="${pathsOf(sigunguBorders, frame, false)}" />` : null}
    <path class="border" d="${pathsOf(sidoBorders, frame, false)}" />
  </svg>`;
}

/** Span from which borders of districts would fill the map. */
const sigunguSpanMax = koreaFrame.span / 3;
/** Width of the drawing in units of its own; two of them are a pixel. */
const across = 1_000;
/** Lines are drawn around the frame too, since a map is moved before another one is fetched. */
const room = across / 2;
const tolerance = 2;

function pathsOf(outlines: readonly Outline[], frame: Frame, isClosed: boolean): string {
  return outlines.map((outline) => pathOf(outline, frame, isClosed)).join('');
}

/** A line without points that look the same; empty if it is outside or too small to be seen. */
function pathOf(
  { positions, box }: Outline,
  { west, north, span }: Frame,
  isClosed: boolean,
): string {
  const scale = across / span / unitsPerDegree;
  const [left, top] = [west * unitsPerDegree, north * unitsPerDegree];
  const xOf = (lon: number): number => within(Math.round((lon - left) * scale));
  const yOf = (lat: number): number => within(Math.round((top - lat) * scale));
  const [minX, minY, maxX, maxY] = [xOf(box.west), yOf(box.north), xOf(box.east), yOf(box.south)];
  if (maxX - minX < tolerance && maxY - minY < tolerance) return '';
  let [x, y] = [xOf(positions[1]!), yOf(positions[0]!)];
  let path = `M${x} ${y}l`;
  for (let at = 2; at < positions.length; at += 2) {
    const [dx, dy] = [xOf(positions[at + 1]!) - x, yOf(positions[at]!) - y];
    const isLast = at === positions.length - 2;
    if (Math.abs(dx) + Math.abs(dy) < tolerance && !isLast) continue;
    path += `${dx} ${dy} `;
    x += dx;
    y += dy;
  }
  return path + (isClosed ? 'z' : '');
}

/** A coordinate no further outside than what can be moved into sight. */
function within(coordinate: number): number {
  return Math.max(-room, Math.min(across + room, coordinate));
}
