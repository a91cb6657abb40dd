/** A line of positions with the box around it. */
export interface Outline {
  /** Latitude and longitude of each point, in ten-thousandths of a degree. */
  readonly positions: Int32Array;
  readonly box: Record<'south' | 'west' | 'north' | 'east', number>;
}

/** Joins lines at common ends until they are closed. An outline with a gap stays open; drawing closes it. */
export function joinLines(lines: readonly Int32Array[]): Outline[] {
  const byStart = Map.groupBy(lines, (line) => pointKey(line, 0));
  const ends = new Set(lines.map(endKey));
  const left = new Set(lines);
  const joined: Outline[] = [];
  const isAfterGap = (line: Int32Array): boolean => !ends.has(pointKey(line, 0));
  for (const first of [...lines.filter(isAfterGap), ...lines]) {
    if (!left.delete(first)) continue;
    const parts = [first];
    for (;;) {
      const end = endKey(parts.at(-1)!);
      const next =
        end === pointKey(first, 0)
          ? undefined
          : byStart.get(end)?.find((line) => left.delete(line));
      if (next === undefined) break;
      parts.push(next);
    }
    joined.push(outlineOf(parts.length === 1 ? first : joinParts(parts)));
  }
  return joined;
}

/** The points of a line in the opposite order. */
export function reversedLine(line: Int32Array): Int32Array {
  const reversed = new Int32Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    reversed[at] = line[line.length - 2 - at]!;
    reversed[at + 1] = line[line.length - 1 - at]!;
  }
  return reversed;
}

export function outlineOf(positions: Int32Array): Outline {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    const [lat, lon] = [positions[at]!, positions[at + 1]!];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
  }
  return { positions, box: { south, west, north, east } };
}

function joinParts(parts: readonly Int32Array[]): Int32Array {
  const joined = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function endKey(line: Int32Array): string {
  return pointKey(line, line.length - 2);
}

function pointKey(line: Int32Array, at: number): string {
  return `${line[at]} ${line[at + 1]}`;
}
