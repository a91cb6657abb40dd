import type { UnlinkedDemand } from '../../data/demand.ts';
import type { Origin } from '../../data/axis.ts';
import { trendLimits } from './limits.ts';
import type { DemandScores } from './measure.ts';
import { rankScores } from '../../ingest/demand/ranking.ts';
import { trendWindow } from './windows.ts';

/** The measured ranking, with a description of the method for its readers. */
export function measuredRanking(
  anchor: string,
  { scores, ladder, measurements }: DemandScores,
  moment: number,
  origin: Origin,
): UnlinkedDemand {
  const { startDate, endDate, timeUnit } = trendWindow(moment);
  const isSample = origin === 'sample';
  const method = {
    source: isSample
      ? 'SAMPLE DATA, invented by the built-in sample portal'
      : 'Naver search trend (DataLab)',
    unit: `relative search volume, ${anchor} = 100`,
    period: { from: startDate, to: endDate, timeUnit },
    note:
      `${isSample ? 'Invented searches that only show the form. ' : ''}Sum of ratios over the sum of ` +
      `the anchor’s in the same request, down the ladder ${ladder.map(({ keyword }) => keyword).join(' > ')} ` +
      `(neighbours in ${trendLimits.ladderWindows} windows, geometric mean); ${measurements} requests at ` +
      `${new Date(moment).toISOString()}. fine is within 5 %, fair within 15 %, rough further off. Never an ` +
      'absolute volume.',
  };
  return rankScores(anchor, method, scores, origin);
}
