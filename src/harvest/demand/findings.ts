import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { judgeLoss, type GateFinding } from '../runs/gates.ts';

/**
 * Findings about a ranking in which no keyword is visible besides the anchor, or too many are no longer visible. A
 * keyword is visible if it has an index.
 */
export function demandFindings(
  ranking: UnlinkedDemand,
  served: Demand | null,
  previousLoss: number,
): GateFinding[] {
  const visible = new Set(
    ranking.items.flatMap(({ keyword, index }) => (index === null ? [] : keyword)),
  );
  if (visible.size <= 1) {
    const detail = 'No keyword besides the anchor is visible.';
    return [{ kind: 'no_records', count: ranking.items.length, detail }];
  }
  const rankedKeywords = new Set(ranking.items.map(({ keyword }) => keyword));
  const previouslyVisible = (served?.items ?? []).filter(
    ({ keyword, index }) => index !== null && rankedKeywords.has(keyword),
  );
  const lost = previouslyVisible.filter(({ keyword }) => !visible.has(keyword)).length;
  const lossText = 'previously visible keywords are no longer visible';
  return judgeLoss(lost, previouslyVisible.length, previousLoss, lossText);
}
