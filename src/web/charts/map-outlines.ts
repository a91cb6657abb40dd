import { unitsPerDegree } from '../../data/regions/border-lines.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import type { Outline } from '../../data/regions/outlines.ts';
import { html, type Html } from '../html.ts';
import { koreaFrame, type Frame } from './frame.ts';

/** Land and borders of a frame, stretched to the place where they stand, and areas upon it. */
export function mapOutlines(frame: Frame, boundaries: Boundaries, areas?: Html): Html {
  const { coasts, sidoBorders, sigunguBorders } = boundaries.mapLines;
  const isNear = frame.span < sigunguSpanMax;
  const room = areas === undefined ? movingRoom : stillRoom;
  return html`<svg
    width="100%"
    height="100%"
    viewBox="0 0 ${across} ${across}"
    preserveAspectRatio="none"
    overflow="visible"
  >
    <path class="land" d="${areaPath(coasts, frame, room)}" />
    ${isNear ? html`<path class="border fine" d="${linePath(sigunguBorders, frame, room)}" />` : null}
    <path class="border" d="${linePath(sidoBorders, frame, room)}" />
    ${areas}
  </svg>`;
}

/** Span from which borders of districts would fill the map. */
const sigunguSpanMax = koreaFrame.span / 3;
/** Width of the drawing in units of its own; two of them are a pixel. */
const across = 1_000;
/** Lines are drawn around the frame too, since a map is moved before another one is fetched. */
const movingRoom = across / 2;
const tolerance = 2;

/** Enough to hide lines along the edges of the frame. */
const stillRoom = 20;

/** Areas of a frame in the units of its outlines. */
export function areaPath(rings: readonly Outline[], frame: Frame, room = stillRoom): string {
  return pathsOf(rings, frame, room, 'z');
}

/** Lines of a frame in the units of its outlines. */
export function linePath(lines: readonly Outline[], frame: Frame, room = stillRoom): string {
  return pathsOf(lines, frame, room, '');
}

/** The paths of outlines, each with an ending. The last few frames are remembered: most maps are of the whole country. */
function pathsOf(
  outlines: readonly Outline[],
  frame: Frame,
  room: number,
  ending: 'z' | '',
): string {
  const { west, north, span } = frame;
  const key = `${west} ${north} ${span} ${room}${ending}`;
  let recent = recentPaths.get(outlines);
  if (recent === undefined) recentPaths.set(outlines, (recent = new Map()));
  const known = recent.get(key);
  if (known !== undefined) return known;
  const paths = outlines
    .map((outline) => pathOf(outline, frame, room))
    .filter((path) => path !== '')
    .map((path) => path + ending)
    .join('');
  if (recent.size === framesMax) recent.delete(recent.keys().next().value!);
  recent.set(key, paths);
  return paths;
}

/** Paths by frame of the outlines of a region or of all borders, which last as long as their boundaries. */
const recentPaths = new WeakMap<readonly Outline[], Map<string, string>>();
const framesMax = 3;

/** A line without points that look the same; empty if it is outside or too small to be seen. */
function pathOf({ positions, box }: Outline, { west, north, span }: Frame, room: number): string {
  const scale = across / span / unitsPerDegree;
  const [left, top] = [west * unitsPerDegree, north * unitsPerDegree];
  const within = (coordinate: number): number =>
    Math.max(-room, Math.min(across + room, coordinate));
  const xOf = (lon: number): number => within(Math.round((lon - left) * scale));
  const yOf = (lat: number): number => within(Math.round((top - lat) * scale));
  const [minX, minY, maxX, maxY] = [xOf(box.west), yOf(box.north), xOf(box.east), yOf(box.south)];
  if (maxX - minX < tolerance && maxY - minY < tolerance) return '';
  let [x, y] = [xOf(positions[1]!), yOf(positions[0]!)];
  let path = `M${x} ${y}l`;
  /** A step that the next one may continue, as those do which follow an edge of the frame. */
  let [stepX, stepY] = [0, 0];
  for (let at = 2; at < positions.length; at += 2) {
    const [dx, dy] = [xOf(positions[at + 1]!) - x, yOf(positions[at]!) - y];
    const isLast = at === positions.length - 2;
    if (Math.abs(dx) + Math.abs(dy) < tolerance && !isLast) continue;
    if ((dx === 0 && stepX === 0) || (dy === 0 && stepY === 0)) {
      [stepX, stepY] = [stepX + dx, stepY + dy];
    } else {
      path += `${stepX} ${stepY} `;
      [stepX, stepY] = [dx, dy];
    }
    [x, y] = [x + dx, y + dy];
  }
  return `${path}${stepX} ${stepY}`;
}
