import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { lossKind, type GateFinding } from '../runs/gates.ts';
import { runLimits } from '../runs/limits.ts';

/** Compares a ranking with the served one: no keyword is visible, or too many are not visible any more. */
export function demandFindings(
  ranking: UnlinkedDemand,
  served: Demand | null,
  lostBefore: number,
): GateFinding[] {
  const visible = new Set(
    ranking.items.flatMap(({ keyword, index }) => (index === null ? [] : keyword)),
  );
  // The anchor alone is no ranking.
  if (visible.size <= 1) {
    return [{ kind: 'no_records', count: ranking.items.length, detail: 'No keyword is visible.' }];
  }
  const measured = new Set(ranking.items.map(({ keyword }) => keyword));
  const before = (served?.items ?? []).filter(
    ({ keyword, index }) => index !== null && measured.has(keyword),
  );
  const lost = before.filter(({ keyword }) => !visible.has(keyword)).length;
  if (lost <= before.length * runLimits.lossShareMax) return [];
  const detail = `${lost} of ${before.length} keywords that were visible before are not any more.`;
  return [{ kind: lossKind(lost, lostBefore), count: lost, detail }];
}
