import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { judgeLoss, type GateFinding } from '../runs/gates.ts';

/** Compares a ranking with the served one: finds that no keyword is visible, or that too many are missing. */
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
  const before = (served?.items ?? []).filter(
    ({ keyword, index }) => index !== null && measured.has(keyword),
  );
  const lost = before.filter(({ keyword }) => !visible.has(keyword)).length;
  const predicate = 'previously visible keywords are no longer visible';
  return judgeLoss(lost, before.length, previousLoss, predicate);
}
