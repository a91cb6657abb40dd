import { Command, Option } from 'commander';
import { loadFiles, type LoadedAxis, type LoadReport } from '../src/collect/load/load.ts';
import { readType } from '../src/collect/load/identity.ts';
import type { NotHeld } from '../src/collect/load/plan.ts';
import { catalogTypes } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { failed } from './run-command.ts';
import { count, print, printJson, ProgressLine } from './terminal.ts';

interface Options {
  readonly axis?: string;
  readonly title?: string;
  readonly type?: string;
  readonly sheet?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function loadCommand(): Command {
  return new Command('load')
    .summary('hold data files and publish them')
    .description(
      'Holds data files: CSV, TSV, XLSX, XLS, JSON, XML, ZIP or gzip of these, and folders of them, in the ' +
        'encodings and layouts they really have. The axis code comes from the file’s name, from a ' +
        'MANIFEST.json in the folder, or from the catalog. What cannot be read is reported.',
    )
    .argument('<files...>', 'files or folders')
    .option('--axis <code>', 'axis code, such as file_15012896 (one file)')
    .option('--title <title>', 'title of the dataset')
    .addOption(new Option('--type <type>', 'type in the catalog').choices([...catalogTypes]))
    .option('--sheet <name>', 'sheet of a workbook')
    .option('--strict', 'publish nothing if any file cannot be held')
    .option('--json', 'the report as JSON')
    .action(load);
}

async function load(files: string[], options: Options): Promise<void> {
  const settings = readSettings(process.env);
  using progress = new ProgressLine();
  const { type, json, ...rest } = options;
  const report = await loadFiles(settings.MARU_DATA, files, {
    ...rest,
    ...(type === undefined ? {} : { type: readType(type) }),
    onProgress: ({ axesDone, axesTotal, rows, elapsedMs }) =>
      progress.update(
        `${axesDone}/${axesTotal} axes · ${count(rows)} rows · ${count(rate(rows, elapsedMs))} rows/s`,
      ),
    onAxis: (axis) => progress.note(axisLine(axis)),
    onNotHeld: (file) => progress.note(notHeldLine(file)),
  });
  if (json) printJson(report);
  else printReport(report);
  if (report.snapshot === null) failed();
}

function axisLine(axis: LoadedAxis): string {
  const { code, title, rows, fields, findings, isProvisional, replaced } = axis;
  const found = findings.map(({ kind, count: times }) => `${kind} ${count(times)}`).join(', ');
  const number = isProvisional ? ' (no portal number: give one with --axis)' : '';
  const before =
    replaced === null
      ? ''
      : `  (replaces ${count(replaced.rows)} rows${replaced.hasOtherFields ? ' WITH OTHER FIELDS' : ''})`;
  return `${code}  ${count(rows)} rows × ${fields}  ${title}${number}${before}${found === '' ? '' : `  [${found}]`}`;
}

function notHeldLine({ path, code, message }: NotHeld): string {
  return `not held  ${path}  ${code}: ${message}`;
}

function printReport(report: LoadReport): void {
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
  if (snapshot === null) print('Nothing was published; what was served before is unchanged.');
  else print(`Published as snapshot ${snapshot}.`);
}

function rate(rows: number, elapsedMs: number): number {
  return Math.round((rows / Math.max(1, elapsedMs)) * 1000);
}
