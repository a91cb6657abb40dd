import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { lossKind, type Finding } from '../runs/gates.ts';
import { runLimits } from '../runs/limits.ts';
import type { DemandFinding } from '../../ingest/demand/ranking.ts';

/** What is odd about a ranking against the one that is held: nothing shows, or too much shows no more. */
export function demandFindings(
  came: UnlinkedDemand,
  held: Demand | null,
  lostBefore: number,
): Finding[] {
  const visible = new Set(
    came.items.flatMap(({ keyword, index }) => (index === null ? [] : keyword)),
  );
  // The anchor alone is no ranking.
  if (visible.size <= 1) {
    return [{ kind: 'no_records', count: came.items.length, detail: 'No keyword shows at all.' }];
  }
  const asked = new Set(came.items.map(({ keyword }) => keyword));
  const before = (held?.items ?? []).filter(
    ({ keyword, index }) => index !== null && asked.has(keyword),
  );
  const lost = before.filter(({ keyword }) => !visible.has(keyword)).length;
  if (lost <= before.length * runLimits.lossShareMax) return [];
  const detail = `${lost} of ${before.length} keywords that showed before show no more.`;
  return [{ kind: lossKind(lost, lostBefore), count: lost, detail }];
}

/** What was met while measuring, counted by kind. */
export class FoundInDemand {
  readonly #refused: string[] = [];
  readonly #unmeasured: string[] = [];

  add({ kind, detail }: DemandFinding): void {
    if (kind === 'keyword_unmeasured') this.#unmeasured.push(detail);
    else this.#refused.push(detail);
  }

  all(): Finding[] {
    const findings: Finding[] = [];
    const [refused] = this.#refused;
    const [unmeasured] = this.#unmeasured;
    if (refused !== undefined) {
      findings.push({ kind: 'questions_refused', count: this.#refused.length, detail: refused });
    }
    if (unmeasured !== undefined) {
      findings.push({ kind: 'rows_refused', count: this.#unmeasured.length, detail: unmeasured });
    }
    return findings;
  }
}
