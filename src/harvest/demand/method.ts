import type { UnlinkedDemand } from '../../data/demand.ts';
import type { Origin } from '../../data/axis.ts';
import { trendLimits } from './limits.ts';
import type { MeasuredDemand } from './measure.ts';
import { ranked } from '../../ingest/demand/ranking.ts';
import { trendWindow } from './windows.ts';

/** The ranking of what was measured, with how it was measured for whoever reads it. */
export function measuredRanking(
  anchor: string,
  { scores, ladder, measurements }: MeasuredDemand,
  asked: number,
  origin: Origin,
): UnlinkedDemand {
  const { startDate, endDate, timeUnit } = trendWindow(asked);
  const isSample = origin === 'sample';
  const method = {
    source: isSample
      ? 'SAMPLE DATA, invented by the built-in sample portal'
      : 'Naver search trend (DataLab)',
    unit: `relative search volume, ${anchor} = 100`,
    period: { from: startDate, to: endDate, timeUnit },
    note:
      `${isSample ? 'Nobody searched for this: it only shows the form. ' : ''}Sum of ratios over the sum of ` +
      `the anchor’s in the same request, down the ladder ${ladder.map(({ keyword }) => keyword).join(' > ')} ` +
      `(neighbours in ${trendLimits.ladderWindows} windows, geometric mean); ${measurements} requests, asked ` +
      `${new Date(asked).toISOString()}. fine is within 5 %, fair within 15 %, rough further off. Never an ` +
      'absolute volume.',
  };
  return ranked(anchor, method, scores, origin);
}
