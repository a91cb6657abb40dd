import type { Cluster } from '../../data/columns/clusters.ts';
import { radiusOf } from './cluster-map.ts';
import { mapHeightPx, mapWidthPx, placeIn, type Frame } from './frame.ts';

/** Clusters of a frame whose circles stand apart: a smaller one joins a larger one beside it. */
export function mergedClusters(clusters: readonly Cluster[], frame: Frame): Cluster[] {
  const merged: Cluster[] = [];
  for (const cluster of clusters.toSorted((a, b) => b.count - a.count)) {
    const at = merged.findIndex((larger) => overlap(cluster, larger, frame));
    if (at < 0) merged.push(cluster);
    else merged[at] = union(merged[at]!, cluster);
  }
  return merged;
}

function overlap(one: Cluster, other: Cluster, frame: Frame): boolean {
  const [a, b] = [placeIn(frame, one.center), placeIn(frame, other.center)];
  const distance = Math.hypot(((a.x - b.x) / 100) * mapWidthPx, ((a.y - b.y) / 100) * mapHeightPx);
  // Between two circles with a number a name has room; single records may stand close.
  const gap = one.count > 1 && other.count > 1 ? nameGapPx : -closestPx;
  return distance < radiusOf(one.count) + radiusOf(other.count) + gap;
}

const nameGapPx = 12;
const closestPx = 2;

function union(one: Cluster, other: Cluster): Cluster {
  const count = one.count + other.count;
  const mean = (a: number, b: number): number => (a * one.count + b * other.count) / count;
  return {
    count,
    center: {
      lat: mean(one.center.lat, other.center.lat),
      lon: mean(one.center.lon, other.center.lon),
    },
    box: {
      minLon: Math.min(one.box.minLon, other.box.minLon),
      minLat: Math.min(one.box.minLat, other.box.minLat),
      maxLon: Math.max(one.box.maxLon, other.box.maxLon),
      maxLat: Math.max(one.box.maxLat, other.box.maxLat),
    },
    row: one.row,
  };
}
