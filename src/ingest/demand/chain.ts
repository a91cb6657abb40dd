import type { KeywordMeasure, Measurement } from './measurement.ts';
import { roundIndex, type DemandReport, type KeywordScore } from './ranking.ts';

/**
 * Combines many small measurements into one relative index. In a measurement, a keyword's index is the sum of its
 * ratios divided by the sum of the reference's (the first keyword). References that were measured together form a
 * chain from the anchor, whose index is 100. Several windows are combined by their geometric mean.
 */
export function computeIndexes(
  anchor: string,
  measurements: readonly Measurement[],
  report: DemandReport,
): KeywordScore[] {
  const references = indexReferences(anchor, measurements);
  const byKeyword = Map.groupBy(
    measurements.flatMap(({ groups: [reference, ...others] }) =>
      reference === undefined ? [] : others.map((group) => ({ group, reference })),
    ),
    ({ group }) => group.keyword,
  );
  const scores = new Map<string, Score>();
  for (const [keyword, { index, error }] of references) {
    scores.set(keyword, [roundIndex(index), error]);
  }
  for (const [keyword, pairs] of byKeyword) {
    if (scores.has(keyword)) continue;
    const score = indexByBestReference(pairs, references);
    if (score === undefined) {
      const detail = `"${keyword}" was never measured beside a keyword that is connected to "${anchor}"`;
      report({ kind: 'keyword_unmeasured', row: null, detail });
    } else scores.set(keyword, score === null ? [null] : [roundIndex(score.index), score.error]);
  }
  for (const { groups } of measurements) {
    const first = groups[0]?.keyword;
    if (first === undefined || scores.has(first)) continue;
    const detail = `"${first}" was never measured against "${anchor}"; keywords that depend on it are left out`;
    report({ kind: 'keyword_unmeasured', row: null, detail });
    scores.set(first, [Number.NaN]);
  }
  return [...scores].flatMap(([keyword, [index, ...error]]): KeywordScore[] =>
    Number.isNaN(index) ? [] : [[keyword, index, ...error]],
  );
}

/** Smallest peak of a curve (of 100) that gives a good ratio: below it, rounding and the service's threshold distort it. */
export const fittingPeakMin = 5;

type Score = readonly [index: number | null, error?: number];

interface Pair {
  readonly group: KeywordMeasure;
  readonly reference: KeywordMeasure;
}

interface IndexedReference {
  readonly index: number;
  /** Number of measurements between the reference and the anchor. */
  readonly steps: number;
  /** Share by which the index may be off. */
  readonly error: number;
}

/** Index of every reference that measurements connect to the anchor, nearest references first. */
function indexReferences(
  anchor: string,
  measurements: readonly Measurement[],
): ReadonlyMap<string, IndexedReference> {
  const indexed = new Map<string, IndexedReference>([[anchor, { index: 100, steps: 0, error: 0 }]]);
  const references = new Set(
    measurements.flatMap(({ groups }) => groups.slice(0, 1)).map(keywordOf),
  );
  const measurementsOf = measurementsByKeyword(measurements);
  let newest = [anchor];
  for (let steps = 1; newest.length > 0; steps++) {
    // Only the neighbours of references that were indexed in the last step can be new.
    const neighbours = new Set(
      newest
        .flatMap((keyword) => measurementsOf.get(keyword) ?? [])
        .flatMap(({ groups }) => groups.map(keywordOf))
        .filter((keyword) => references.has(keyword) && !indexed.has(keyword)),
    );
    const added: [string, IndexedReference][] = [];
    for (const keyword of neighbours) {
      const ownMeasurements = measurementsOf.get(keyword) ?? [];
      const score = indexByBestReference(
        ownMeasurements.flatMap(({ groups }) => pairsWithIndexed(keyword, groups, indexed)),
        indexed,
      );
      if (score !== undefined && score !== null) added.push([keyword, { ...score, steps }]);
    }
    for (const [keyword, base] of added) indexed.set(keyword, base);
    newest = added.map(([keyword]) => keyword);
  }
  return indexed;
}

function measurementsByKeyword(
  measurements: readonly Measurement[],
): ReadonlyMap<string, readonly Measurement[]> {
  const measurementsOf = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    for (const { keyword } of measurement.groups) {
      const list = measurementsOf.get(keyword);
      if (list === undefined) measurementsOf.set(keyword, [measurement]);
      else if (list.at(-1) !== measurement) list.push(measurement);
    }
  }
  return measurementsOf;
}

/** Pairs a keyword with every indexed keyword of a measurement, at any position in it. */
function pairsWithIndexed(
  keyword: string,
  groups: readonly KeywordMeasure[],
  indexed: ReadonlyMap<string, IndexedReference>,
): Pair[] {
  const group = groups.find((each) => each.keyword === keyword);
  if (group === undefined) return [];
  return groups
    .filter((each) => indexed.has(each.keyword))
    .map((reference) => ({ group, reference }));
}

/**
 * Index of a keyword by its best reference. References beside which both curves have a sufficient peak come first, then
 * those with the fewest steps to the anchor. Null if the keyword is too small to measure; undefined if no reference was
 * measured.
 */
function indexByBestReference(
  pairs: readonly Pair[],
  indexed: ReadonlyMap<string, IndexedReference>,
): Pick<IndexedReference, 'index' | 'error'> | null | undefined {
  const candidates = [...Map.groupBy(pairs, ({ reference }) => reference.keyword)].flatMap(
    ([reference, all]) => {
      const base = indexed.get(reference);
      const usable = all.filter((pair) => pair.reference.sum > 0);
      if (base === undefined || usable.length === 0) return [];
      const visible = usable.filter(({ group }) => group.sum > 0);
      const isVisible = visible.length * 2 > usable.length;
      const peak = isVisible ? Math.min(...visible.map(smallerPeak), 100) : 0;
      return [{ base, visible, isVisible, isFitting: peak >= fittingPeakMin, peak }];
    },
  );
  const [best] = candidates.toSorted(
    (left, right) =>
      Number(right.isFitting) - Number(left.isFitting) ||
      (left.isFitting ? left.base.steps - right.base.steps : 0) ||
      right.peak - left.peak,
  );
  if (best === undefined) return undefined;
  if (!best.isVisible) return null;
  const logs = best.visible.map(({ group, reference }) => Math.log(group.sum / reference.sum));
  const index = best.base.index * Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  const ownError = measuringError + roundingError / best.peak;
  return { index, error: (1 + best.base.error) * (1 + ownError) - 1 };
}

/** Conservative estimate of the error of one measurement, from the noise of its days. */
const measuringError = 0.01;
/** Rounding error of two ratios with five decimals: half a unit of the last decimal each. */
const roundingError = 1e-5;

function smallerPeak({ group, reference }: Pair): number {
  return Math.min(group.peak, reference.peak);
}

function keywordOf(group: KeywordMeasure): string {
  return group.keyword;
}
