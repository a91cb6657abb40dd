import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { regionByCoordinates } from '../../data/regions/coordinates.ts';
import { builtInBoundaries } from '../../data/regions/boundaries.ts';
import { clusterMap } from './cluster-map.ts';
import {
  boxText,
  frameAround,
  gridOver,
  koreaFrame,
  mapHeightPx,
  mapWidthPx,
  placeIn,
  scaledFrame,
} from './frame.ts';
import { mapOutlines } from './map-outlines.ts';
import { mergedClusters } from './merge-clusters.ts';
import { namesWithoutOverlap } from './place-names.ts';

const position = fc.record({
  lat: fc.double({ min: 33, max: 38.7, noNaN: true }),
  lon: fc.double({ min: 124.5, max: 131, noNaN: true }),
});
const box = fc.tuple(position, position).map(([a, b]) => ({
  minLon: Math.min(a.lon, b.lon),
  minLat: Math.min(a.lat, b.lat),
  maxLon: Math.max(a.lon, b.lon),
  maxLat: Math.max(a.lat, b.lat),
}));

test('the frame around a box shows all of it, and its grid covers the frame', () => {
  fc.assert(
    fc.property(box, fc.constantFrom(1, 8), (around, fineness) => {
      const frame = frameAround(around, 0.1);
      for (const [lat, lon] of [
        [around.minLat, around.minLon],
        [around.maxLat, around.maxLon],
      ] as const) {
        const { x, y } = placeIn(frame, { lat, lon });
        assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 100, `${x} ${y}`);
      }
      const { west, north, cell, columns, rows } = gridOver(frame, fineness);
      assert.ok(west <= frame.west && north >= frame.north);
      const room = 1e-9;
      assert.ok(west + columns * cell >= frame.west + frame.span - room);
      assert.ok(north - rows * cell <= frame.north - frame.span + room);
      assert.ok(columns <= 16 * fineness && rows <= 16 * fineness, `${columns} ${rows}`);
    }),
  );
});

test('zooming in and out again returns to the frame, and ends at Korea', () => {
  const seoul = frameAround({ minLon: 126.8, minLat: 37.4, maxLon: 127.2, maxLat: 37.7 }, 0);
  assert.equal(boxText(scaledFrame(scaledFrame(seoul, 0.5), 2)), boxText(seoul));
  assert.equal(scaledFrame(koreaFrame, 2).span, koreaFrame.span);
  assert.equal(boxText(koreaFrame), '124.5,32.6,131,39.1');
});

test('coasts are closed but for two lines, and the largest surrounds the mainland', () => {
  const { coasts, sidoBorders, sigunguBorders } = builtInBoundaries().mapLines;
  const isOpen = ({ positions }: (typeof coasts)[number]): boolean =>
    positions[0] !== positions.at(-2) || positions[1] !== positions.at(-1);
  assert.ok(coasts.filter(isOpen).length <= 2);
  const largest = coasts.reduce((a, b) => (a.positions.length > b.positions.length ? a : b));
  const { south, west, north, east } = largest.box;
  assert.ok(
    south > 34e4 && south < 34.6e4 && north > 38.3e4 && north < 38.7e4,
    `${south} ${north}`,
  );
  assert.ok(west > 126e4 && west < 126.6e4 && east > 129.4e4 && east < 129.7e4, `${west} ${east}`);
  assert.ok(sidoBorders.length > 0 && sigunguBorders.length > sidoBorders.length);
});

test('land is drawn where positions lie in a region, and sea where none does', () => {
  // Drawn lines are simplified, so that a few of 10,000 positions are on the other side of a coast.
  const places = fc.sample(position, { numRuns: 500, seed: 1 });
  const others = places.filter((place) => {
    const isLand = regionByCoordinates(place.lat, place.lon)?.distanceKm === 0;
    // Rings are even or odd around a position.
    const crossings = builtInBoundaries().mapLines.coasts.reduce(
      (sum, { positions }) => sum + crossingsEast(positions, place),
      0,
    );
    return (crossings % 2 === 1) !== isLand;
  });
  assert.ok(others.length <= 1, JSON.stringify(others));
});

/** Number of times that a closed line crosses the parallel of a position to its east. */
function crossingsEast(line: Int32Array, { lat, lon }: { lat: number; lon: number }): number {
  let crossings = 0;
  for (let at = 0; at < line.length; at += 2) {
    const next = (at + 2) % line.length;
    const [south, north] = [line[at]! / 10_000, line[next]! / 10_000];
    if (lat < south === lat < north) continue;
    const [from, to] = [line[at + 1]! / 10_000, line[next + 1]! / 10_000];
    if (from + ((to - from) * (lat - south)) / (north - south) > lon) crossings++;
  }
  return crossings;
}

test('a map of the country is small, and a map of a street has borders around it only', () => {
  const country = mapOutlines(koreaFrame, builtInBoundaries()).markup;
  assert.ok(country.length < 60_000, String(country.length));
  assert.doesNotMatch(country, /NaN|border fine/);
  const street = mapOutlines({ west: 127.02, north: 37.5, span: 0.01 }, builtInBoundaries()).markup;
  assert.match(street, /border fine/);
  for (const [coordinate] of street.matchAll(/M(-?\d+) (-?\d+)/g)) {
    assert.ok(coordinate.length < 14, coordinate);
  }
});

test('clusters whose circles hide each other are merged without losing a record', () => {
  const merged = mergedClusters(
    [clusterAt(37.5, 127, 90), clusterAt(37.6, 127.1, 10), clusterAt(35.1, 129, 5)],
    koreaFrame,
  );
  assert.deepEqual(
    merged.map(({ count }) => count),
    [100, 5],
  );
  assert.deepEqual(merged[0]!.box, { minLon: 127, minLat: 37.5, maxLon: 127.1, maxLat: 37.6 });
  assert.ok(Math.abs(merged[0]!.center.lat - 37.51) < 1e-9);
});

test('names on a map touch no other name and no circle, and stay inside', () => {
  const name = fc.tuple(fc.string({ minLength: 2, maxLength: 8 }), position);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), fc.array(position), (named, marks) => {
      const names = named.map(([text, at]) => ({ name: text, position: at, others: marks }));
      const circles = marks.map((at) => ({ position: at, radius: 20 }));
      const { markup } = namesWithoutOverlap(names, koreaFrame, circles);
      const drawn = Array.from(markup.matchAll(/ x="([\d.]+)%" y="([\d.]+)%"/g), ([, x, y]) => ({
        x: (Number(x) / 100) * mapWidthPx,
        y: (Number(y) / 100) * mapHeightPx,
      }));
      for (const [at, one] of drawn.entries()) {
        assert.ok(one.x > 0 && one.x < mapWidthPx && one.y > 0 && one.y < mapHeightPx);
        for (const other of drawn.slice(at + 1)) {
          // The shortest name is 26 pixels wide and 14 high.
          assert.ok(Math.abs(one.x - other.x) > 25.9 || Math.abs(one.y - other.y) > 13.9);
        }
        for (const mark of marks) {
          const { x, y } = placeIn(koreaFrame, mark);
          const [right, down] = [(x / 100) * mapWidthPx - one.x, (y / 100) * mapHeightPx - one.y];
          assert.ok(Math.hypot(right, down) > 19.9);
        }
      }
    }),
  );
});

test('a map of streets names its district, and its records where there is room', () => {
  const frame = { west: 127.03, north: 37.505, span: 0.006 };
  const records = ['하나약국', '둘약국', '셋약국'].map((name, at) => ({
    position: { lat: 37.5, lon: 127.0315 + at * 0.0001 },
    count: 1,
    name,
    label: name,
    href: '/',
  }));
  const drawing = clusterMap(
    { frame, boundaries: builtInBoundaries(), marks: records, here: null },
    'ko',
  );
  const names = Array.from(
    drawing.markup.matchAll(/<text class="place[^>]*>([^<]*)/g),
    ([, n]) => n,
  );
  assert.ok(names.includes('강남구'), names.join());
  assert.ok(names.includes('하나약국'), names.join());
  assert.ok(!names.includes('셋약국'), 'It would cover another name.');
});

test('a map of the country names most provinces between its circles', () => {
  const marks = fc.sample(position, { numRuns: 20, seed: 3 }).map((at) => ({
    position: at,
    count: 100,
    name: null,
    label: '',
    href: '/',
  }));
  const { markup } = clusterMap(
    { frame: koreaFrame, boundaries: builtInBoundaries(), marks, here: null },
    'ko',
  );
  const names = markup.match(/<text class="place/g) ?? [];
  assert.ok(names.length >= 10, String(names.length));
});

function clusterAt(lat: number, lon: number, count: number) {
  return {
    count,
    center: { lat, lon },
    box: { minLon: lon, minLat: lat, maxLon: lon, maxLat: lat },
    row: count,
  };
}
