import { basename } from 'node:path';
import type { LoadReport } from '../src/ingest/load/load.ts';
import { formatCount, oneLine, print, withNoun } from './terminal.ts';

/** Prints the report of a load as text. */
export function printReport(report: LoadReport): void {
  for (const { code, findings } of report.axes) {
    for (const { kind, examples } of findings) {
      const shown = examples.map(({ file, row, detail }) =>
        oneLine(row === null ? `${file}: ${detail}` : `${file} row ${row}: ${detail}`),
      );
      print(`${code} ${kind}\n  ${shown.join('\n  ')}`);
    }
  }
  const { axes, notHeld, passedOver, rows, elapsedMs, snapshot, data } = report;
  const aside = [
    `${withNoun(notHeld.length, 'file')} skipped`,
    `${withNoun(passedOver.length, 'file')} of no data format`,
  ].filter((text) => !text.startsWith('0'));
  if (passedOver.length > 0) {
    const shown = passedOver.slice(0, passedOverShown).map((path) => oneLine(basename(path)));
    const more = passedOver.length - shown.length;
    print(
      `of no data format  ${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`,
    );
  }
  print(
    `${withNoun(axes.length, 'axis', 'axes')}, ${withNoun(rows, 'row')} in ${(elapsedMs / 1000).toFixed(1)} s ` +
      `(${formatCount(rate(rows, elapsedMs))} rows/s)${aside.length > 0 ? `; ${aside.join(', ')}` : ''}.`,
  );
  if (report.isUnchanged)
    print(`Nothing has changed: snapshot ${snapshot} in ${data} already has this data.`);
  else if (snapshot === null) print('Nothing was published; the previous data is still served.');
  else print(`Published as snapshot ${snapshot} in ${data}.`);
}

const passedOverShown = 10;

/** Rows per second. */
export function rate(rows: number, elapsedMs: number): number {
  return Math.round((rows / Math.max(1, elapsedMs)) * 1000);
}
