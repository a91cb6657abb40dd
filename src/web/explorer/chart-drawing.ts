import type { Language } from '../../contract/language.ts';
import { barChart } from '../charts/bar-chart.ts';
import { periodText } from '../charts/periods.ts';
import { fullNumber } from '../charts/short-number.ts';
import { timeChart } from '../charts/time-chart.ts';
import type { Drawing } from '../charts/chart-file.ts';
import { formatNumber } from '../layout.ts';
import type { ChartData } from './chart-data.ts';
import { chartTexts } from './chart-texts.ts';

/** The chart itself: a line for time, bars for everything else, linked to their records where `hrefOf` leads to them. */
export function chartDrawing(
  { kind, groups, bars: count, rest, title, isAdditive, whole }: ChartData,
  language: Language,
  hrefOf: (key: string) => string | null,
): Drawing {
  if (kind === 'time') {
    const points = groups.map(({ key, value }) => ({ period: key, value }));
    const [first, last] = [groups[0]!, groups.at(-1)!].map(
      ({ key, value }) => `${periodText(key, language)} ${fullNumber(value)}`,
    );
    return timeChart({ name: `${title}: ${first} – ${last}`, points, isAdditive }, language);
  }
  const longest = groups.slice(0, count);
  const bars = longest.map(({ key, label, value }) => ({
    label,
    value,
    isRest: false,
    href: hrefOf(key),
  }));
  const others = groups.length - longest.length + (rest?.groups ?? 0);
  if (others > 0 && isAdditive) {
    const label = chartTexts[language].rest(formatNumber(others));
    const value = longest.reduce((left, bar) => left - bar.value, whole);
    bars.push({ label, value, isRest: true, href: null });
  }
  return barChart(title, bars, language);
}
