import type { KeywordMeasure, Measurement } from './measurement.ts';
import { roundedIndex, type DemandReport, type Scored } from './ranking.ts';

/**
 * One relative index out of many small measurements. In each, a keyword counts as its ratios over the
 * ratios of the first keyword, summed over the same periods. First keywords that were measured against each
 * other form a ladder down from the anchor, whose index is 100; over several windows the geometric mean counts.
 */
export function chainedIndex(
  anchor: string,
  measurements: readonly Measurement[],
  report: DemandReport,
): Scored[] {
  const references = climbLadder(anchor, measurements);
  const byKeyword = Map.groupBy(
    measurements.flatMap(({ groups: [reference, ...others] }) =>
      reference === undefined ? [] : others.map((group) => ({ group, reference })),
    ),
    ({ group }) => group.keyword,
  );
  const scores = new Map<string, Score>();
  for (const [keyword, { index, error }] of references) {
    scores.set(keyword, [roundedIndex(index), error]);
  }
  for (const [keyword, pairs] of byKeyword) {
    if (scores.has(keyword)) continue;
    const found = indexOf(pairs, references);
    if (found === undefined) {
      const detail = `"${keyword}" was never measured beside a keyword that leads to "${anchor}"`;
      report({ kind: 'keyword_unmeasured', row: null, detail });
    } else scores.set(keyword, found === null ? [null] : [roundedIndex(found.index), found.error]);
  }
  for (const { groups } of measurements) {
    const first = groups[0]?.keyword;
    if (first === undefined || scores.has(first)) continue;
    const detail = `"${first}" was never measured against "${anchor}"; keywords that depend on it are left out`;
    report({ kind: 'keyword_unmeasured', row: null, detail });
    scores.set(first, [Number.NaN]);
  }
  return [...scores].flatMap(([keyword, [index, ...error]]): Scored[] =>
    Number.isNaN(index) ? [] : [[keyword, index, ...error]],
  );
}

/** Below this peak, of 100, five decimals and the service's threshold begin to bend a ratio. */
export const fittingPeakMin = 5;

type Score = readonly [index: number | null, error?: number];

interface Pair {
  readonly group: KeywordMeasure;
  readonly reference: KeywordMeasure;
}

interface Rung {
  readonly index: number;
  /** Measurements between it and the anchor. */
  readonly steps: number;
  /** Share by which the index may be off. */
  readonly error: number;
}

/** The index of every first keyword that can be reached from the anchor, nearest rungs first. */
function climbLadder(
  anchor: string,
  measurements: readonly Measurement[],
): ReadonlyMap<string, Rung> {
  const rungs = new Map<string, Rung>([[anchor, { index: 100, steps: 0, error: 0 }]]);
  const firsts = new Set(measurements.flatMap(({ groups }) => groups.slice(0, 1)).map(keywordOf));
  const holding = measurementsByKeyword(measurements);
  let newest = [anchor];
  for (let steps = 1; newest.length > 0; steps++) {
    // Only beside a rung just reached can another come into reach.
    const beside = new Set(
      newest
        .flatMap((keyword) => holding.get(keyword) ?? [])
        .flatMap(({ groups }) => groups.map(keywordOf))
        .filter((keyword) => firsts.has(keyword) && !rungs.has(keyword)),
    );
    const reached: [string, Rung][] = [];
    for (const keyword of beside) {
      const own = holding.get(keyword) ?? [];
      const found = indexOf(
        own.flatMap(({ groups }) => besideRung(keyword, groups, rungs)),
        rungs,
      );
      if (found !== undefined && found !== null) reached.push([keyword, { ...found, steps }]);
    }
    for (const [keyword, rung] of reached) rungs.set(keyword, rung);
    newest = reached.map(([keyword]) => keyword);
  }
  return rungs;
}

function measurementsByKeyword(
  measurements: readonly Measurement[],
): ReadonlyMap<string, readonly Measurement[]> {
  const holding = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    for (const { keyword } of measurement.groups) {
      const known = holding.get(keyword);
      if (known === undefined) holding.set(keyword, [measurement]);
      else if (known.at(-1) !== measurement) known.push(measurement);
    }
  }
  return holding;
}

/** A rung may stand first in the measurement or anywhere else in it: the ratio is the same. */
function besideRung(
  keyword: string,
  groups: readonly KeywordMeasure[],
  rungs: ReadonlyMap<string, Rung>,
): Pair[] {
  const group = groups.find((each) => each.keyword === keyword);
  if (group === undefined) return [];
  return groups
    .filter((each) => rungs.has(each.keyword))
    .map((reference) => ({ group, reference }));
}

/**
 * The index by the reference that fits best: where both curves are well visible, then the fewest steps away.
 * Null when the keyword does not show beside it; undefined when no reference shows at all, because a far
 * larger keyword pressed it to nothing.
 */
function indexOf(
  pairs: readonly Pair[],
  rungs: ReadonlyMap<string, Rung>,
): Pick<Rung, 'index' | 'error'> | null | undefined {
  const candidates = [...Map.groupBy(pairs, ({ reference }) => reference.keyword)].flatMap(
    ([reference, all]) => {
      const rung = rungs.get(reference);
      const seen = all.filter((pair) => pair.reference.sum > 0);
      if (rung === undefined || seen.length === 0) return [];
      const visible = seen.filter(({ group }) => group.sum > 0);
      const shows = visible.length * 2 > seen.length;
      const fit = Math.min(...visible.map(fitOf), 100);
      return [{ rung, visible, shows, fits: shows && fit >= fittingPeakMin, fit: shows ? fit : 0 }];
    },
  );
  const [best] = candidates.toSorted(
    (left, right) =>
      Number(right.fits) - Number(left.fits) ||
      (left.fits ? left.rung.steps - right.rung.steps : 0) ||
      right.fit - left.fit,
  );
  if (best === undefined) return undefined;
  if (!best.shows) return null;
  const logs = best.visible.map(({ group, reference }) => Math.log(group.sum / reference.sum));
  const index = best.rung.index * Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  const own = measuringError + roundingError / best.fit;
  return { index, error: (1 + best.rung.error) * (1 + own) - 1 };
}

/** Possible error of one measurement, from the noise of its days: an estimate on the safe side. */
const measuringError = 0.01;
/** Five decimals: half a unit of the last one for each of the two ratios, of which one is `fit`. */
const roundingError = 1e-5;

function fitOf({ group, reference }: Pair): number {
  return Math.min(group.peak, reference.peak);
}

function keywordOf(group: KeywordMeasure): string {
  return group.keyword;
}
