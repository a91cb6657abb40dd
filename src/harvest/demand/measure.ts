import { computeIndexes } from '../../ingest/demand/chain.ts';
import { ladderGaps, type Anchor } from './ladder.ts';
import { trendLimits } from './limits.ts';
import type { KeywordMeasure, Measurement } from '../../ingest/demand/measurement.ts';
import { batchesOf, nextPlacement, type Placement } from './placing.ts';
import type { DemandReport, KeywordScore } from '../../ingest/demand/ranking.ts';
import type { TrendResponses } from './trend-responses.ts';
import type { TrendGroup } from './trend-client.ts';
import { ladderWindows, trendWindow } from './windows.ts';

export interface DemandScores {
  /** Keywords and anchors with their index. */
  readonly scores: readonly KeywordScore[];
  /** The anchors that are connected to the first, the largest first. */
  readonly ladder: readonly Anchor[];
  readonly gaps: readonly string[];
  readonly measurements: number;
}

/**
 * Measures keywords against a ladder of anchors. First it measures neighbouring anchors in several windows, then
 * every keyword with the first anchor, and again with a fitting one. The requests depend on the responses alone, so
 * a resumed run makes the same requests.
 */
export async function measureDemand(
  groups: readonly TrendGroup[],
  anchors: readonly string[],
  responses: TrendResponses,
  now: number,
  report: DemandReport,
): Promise<DemandScores> {
  const steps = (anchors.length - 1) * trendLimits.ladderWindows;
  let plannedMeasurements = steps + 2 * Math.ceil(groups.length / trendLimits.batchSize);
  for (const window of ladderWindows(now)) {
    for (const [at, smaller] of anchors.slice(1).entries()) {
      const keywordGroups = [groupOf(anchors[at]!), groupOf(smaller)];
      if ((await responses.measure({ ...window, keywordGroups }, plannedMeasurements)) === null) {
        throw new Error(
          `The service refuses the anchors "${anchors[at]}" and "${smaller}": choose other anchors.`,
        );
      }
    }
  }
  const ladder = ladderOf(anchors, responses.measurements, report);
  const anchorNames = new Set(anchors);
  let placements: Placement[] = groups
    .filter(({ groupName }) => !anchorNames.has(groupName))
    .map((group) => ({ group, anchor: 0, estimate: null, tries: 0 }));
  while (placements.length > 0) {
    const next: Placement[] = [];
    for (const batch of batchesOf(placements)) {
      next.push(...(await measureBatch(batch, ladder, responses, now, plannedMeasurements)));
    }
    placements = next;
    plannedMeasurements =
      responses.measurements.length + Math.ceil(placements.length / trendLimits.batchSize);
  }
  const scores = computeIndexes(anchors[0]!, responses.measurements, report);
  return { scores, ladder, gaps: ladderGaps(ladder), measurements: responses.measurements.length };
}

/** Returns the keywords of a batch to measure again; a refused batch is measured keyword by keyword. */
async function measureBatch(
  batch: readonly Placement[],
  ladder: readonly Anchor[],
  responses: TrendResponses,
  now: number,
  plannedMeasurements: number,
): Promise<Placement[]> {
  const anchor = ladder[batch[0]!.anchor]!;
  const keywordGroups = [groupOf(anchor.keyword), ...batch.map(({ group }) => group)];
  const measurement = await responses.measure(
    { ...trendWindow(now), keywordGroups },
    plannedMeasurements,
  );
  if (measurement === null) {
    const placements: Placement[] = [];
    if (batch.length === 1) return placements;
    for (const one of batch) {
      placements.push(...(await measureBatch([one], ladder, responses, now, plannedMeasurements)));
    }
    return placements;
  }
  const [reference, ...others] = measurement.groups;
  return batch.flatMap((placement, at) => {
    const next = nextPlacement(
      placement,
      ladder,
      reference ?? unmeasured,
      others[at] ?? unmeasured,
    );
    return next === null ? [] : [next];
  });
}

const unmeasured: KeywordMeasure = { keyword: '', sum: 0, peak: 0 };

/** The anchors with their indexes, up to the first that is invisible next to its neighbour. */
function ladderOf(
  anchors: readonly string[],
  measurements: readonly Measurement[],
  report: DemandReport,
): Anchor[] {
  const scores = new Map(
    computeIndexes(anchors[0]!, measurements, () => {}).map(([keyword, index]) => [keyword, index]),
  );
  const ladder: Anchor[] = [];
  for (const keyword of anchors) {
    const index = scores.get(keyword) ?? null;
    if (index === null || index === 0) {
      const detail = `The ladder ends above "${keyword}": it is not visible beside its neighbour.`;
      report({ kind: 'keyword_unmeasured', row: null, detail });
      break;
    }
    ladder.push({ keyword, index });
  }
  return ladder;
}

function groupOf(keyword: string): TrendGroup {
  return { groupName: keyword, keywords: [keyword] };
}
