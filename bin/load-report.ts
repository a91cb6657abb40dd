import type { LoadReport } from '../src/collect/load/load.ts';
import { count, print } from './terminal.ts';

/** What a load came to, in lines for a person. */
export function printReport(report: LoadReport): void {
  for (const { code, findings } of report.axes) {
    for (const { kind, examples } of findings) {
      const shown = examples.map(({ file, row, detail }) =>
        row === null ? `${file}: ${detail}` : `${file} row ${row}: ${detail}`,
      );
      print(`${code} ${kind}\n  ${shown.join('\n  ')}`);
    }
  }
  const { axes, notHeld, passedOver, rows, elapsedMs, snapshot } = report;
  const aside = [
    `${notHeld.length} files not held`,
    `${passedOver.length} files are no data`,
  ].filter((text) => !text.startsWith('0'));
  print(
    `${count(axes.length)} axes, ${count(rows)} rows in ${(elapsedMs / 1000).toFixed(1)} s ` +
      `(${count(rate(rows, elapsedMs))} rows/s)${aside.length > 0 ? `; ${aside.join(', ')}` : ''}.`,
  );
  if (report.isUnchanged) print(`Nothing has changed: snapshot ${snapshot} holds all of it.`);
  else if (snapshot === null) print('Nothing was published; what was served before is unchanged.');
  else print(`Published as snapshot ${snapshot}.`);
}

/** Rows a second. */
export function rate(rows: number, elapsedMs: number): number {
  return Math.round((rows / Math.max(1, elapsedMs)) * 1000);
}
