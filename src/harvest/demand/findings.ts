import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { judgeLoss, type GateFinding } from '../runs/gates.ts';

/** Findings of a ranking: no keyword is visible, or too many of the served ones no longer are. */
export function demandFindings(
  ranking: UnlinkedDemand,
  served: Demand | null,
  previousLoss: number,
): GateFinding[] {
  const visible = new Set(
    ranking.items.flatMap(({ keyword, index }) => (index === null ? [] : keyword)),
  );
  // A ranking needs a visible keyword besides the anchor.
  if (visible.size <= 1) {
    return [{ kind: 'no_records', count: ranking.items.length, detail: 'No keyword is visible.' }];
  }
  const measured = new Set(ranking.items.map(({ keyword }) => keyword));
  const previouslyVisible = (served?.items ?? []).filter(
    ({ keyword, index }) => index !== null && measured.has(keyword),
  );
  const lost = previouslyVisible.filter(({ keyword }) => !visible.has(keyword)).length;
  const predicate = 'previously visible keywords are no longer visible';
  return judgeLoss(lost, previouslyVisible.length, previousLoss, predicate);
}
