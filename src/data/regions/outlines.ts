import { readBorderLines } from './border-lines.ts';

/** Borders of Korea to draw, in ten-thousandths of a degree. */
interface Outlines {
  /** Coasts of the mainland and of islands: latitude and longitude of each point, the last as the first. */
  readonly coasts: readonly Outline[];
  readonly sidoBorders: readonly Outline[];
  readonly sigunguBorders: readonly Outline[];
}

/** A line with the box around it. */
export interface Outline {
  readonly positions: Int32Array;
  readonly box: Record<'south' | 'west' | 'north' | 'east', number>;
}

let outlines: Outlines | undefined;

/** The outlines of Korea, read with the first map. */
export function outlinesOfKorea(): Outlines {
  return (outlines ??= readOutlines());
}

function readOutlines(): Outlines {
  const coasts: Int32Array[] = [];
  const sidoBorders: Int32Array[] = [];
  const sigunguBorders: Int32Array[] = [];
  for (const { names, positions } of readBorderLines()) {
    const [left, right] = names.map((name) => name.slice(0, 5)) as [string, string];
    // Parts of one region are no border.
    if (left === right) continue;
    if (left === '') coasts.push(positions);
    else if (right === '') coasts.push(reversed(positions));
    else if (left.slice(0, 2) !== right.slice(0, 2)) sidoBorders.push(positions);
    else sigunguBorders.push(positions);
  }
  return {
    coasts: joinedLines(coasts).map(outlineOf),
    sidoBorders: sidoBorders.map(outlineOf),
    sigunguBorders: sigunguBorders.map(outlineOf),
  };
}

/** Joins lines where one ends and another begins, until they are closed. */
function joinedLines(lines: readonly Int32Array[]): Int32Array[] {
  const byStart = Map.groupBy(lines, (line) => pointKey(line, 0));
  const left = new Set(lines);
  const joined: Int32Array[] = [];
  for (const first of lines) {
    if (!left.delete(first)) continue;
    const parts = [first];
    for (;;) {
      const last = parts.at(-1)!;
      const end = pointKey(last, last.length - 2);
      const next =
        end === pointKey(first, 0)
          ? undefined
          : byStart.get(end)?.find((line) => left.delete(line));
      if (next === undefined) break;
      parts.push(next);
    }
    joined.push(Int32Array.from(parts.flatMap((part) => [...part])));
  }
  return joined;
}

function pointKey(line: Int32Array, at: number): string {
  return `${line[at]} ${line[at + 1]}`;
}

function reversed(line: Int32Array): Int32Array {
  const turned = new Int32Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    turned[at] = line[line.length - 2 - at]!;
    turned[at + 1] = line[line.length - 1 - at]!;
  }
  return turned;
}

function outlineOf(positions: Int32Array): Outline {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    const [lat, lon] = [positions[at]!, positions[at + 1]!];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
  }
  return { positions, box: { south, west, north, east } };
}
