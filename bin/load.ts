import { Command, Option } from 'commander';
import { loadFiles, type LoadedAxis } from '../src/collect/load/load.ts';
import { readType } from '../src/collect/load/identity.ts';
import type { NotHeld } from '../src/collect/load/inputs.ts';
import { catalogTypes } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { printReport, rate } from './load-report.ts';
import { failed } from './run-command.ts';
import { count, printJson, ProgressLine } from './terminal.ts';

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
