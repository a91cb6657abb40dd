import { Command, InvalidArgumentError, Option } from 'commander';
import {
  loadFiles,
  UsageError,
  type LoadedAxis,
  type LoadReport,
} from '../src/ingest/load/load.ts';
import { numberOfCode } from '../src/ingest/load/identity.ts';
import type { SkippedFile } from '../src/ingest/load/inputs.ts';
import { catalogTypes, type CatalogType } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { printReport, rate } from './load-report.ts';
import { markFailed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, oneLine, printJson, ProgressLine } from './terminal.ts';

interface Options {
  readonly axis?: string;
  readonly title?: string;
  readonly type?: CatalogType;
  readonly sheet?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function loadCommand(): Command {
  return new Command('load')
    .description(
      'Imports data files and publishes them: CSV, TSV, XLSX, XLS, JSON, XML, ZIP or gzip of these, and ' +
        'folders of them, in any Korean encoding and layout. The axis code is taken from the file’s name, ' +
        'from a MANIFEST.json in the folder, or from the catalog. Rows and files that cannot be read are reported.',
    )
    .argument('<files...>', 'files or folders')
    .option('--axis <code>', 'axis code, such as file_15012896 (one file)', axisCode)
    .option('--title <title>', 'title of the dataset')
    .addOption(new Option('--type <type>', 'type in the catalog').choices([...catalogTypes]))
    .option('--sheet <name>', 'import only this sheet of a workbook')
    .option('--strict', 'publish nothing if any file cannot be imported')
    .option('--json', 'the report as JSON')
    .action(load);
}

async function load(files: string[], options: Options, command: Command): Promise<void> {
  const settings = readSettings(process.env);
  const { json, ...rest } = options;
  let report: LoadReport;
  try {
    report = await loadUntilStopped(settings.MARU_DATA, files, rest);
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    throw error;
  }
  if (json) printJson(report);
  else printReport(report);
  if (report.snapshot === null) markFailed();
}

async function loadUntilStopped(
  data: string,
  files: readonly string[],
  options: Omit<Options, 'json'>,
): Promise<LoadReport> {
  using progress = new ProgressLine();
  using stop = stopSignal(
    'Stopped. Nothing was published, and the previous data is still served. Run the same command again to load.',
  );
  return await loadFiles(data, files, {
    ...options,
    signal: stop.signal,
    onProgress: ({ axesDone, axesTotal, rows, elapsedMs }) =>
      progress.update(
        () =>
          `${axesDone}/${axesTotal} axes · ${formatCount(rows)} rows · ${formatCount(rate(rows, elapsedMs))} rows/s`,
      ),
    onAxis: (axis) => progress.note(axisLine(axis)),
    onSkipped: (file) => progress.note(skippedLine(file)),
  });
}

/** Checks an axis code while the command line is parsed, so that an invalid one is a usage error. */
function axisCode(text: string): string {
  try {
    numberOfCode(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  return text;
}

function axisLine(axis: LoadedAxis): string {
  const { code, title, rows, fields, findings, isUnchanged, replaced } = axis;
  const counts = findings
    .map(({ kind, count: times }) => `${kind} ${formatCount(times)}`)
    .join(', ');
  const replacement =
    replaced === null
      ? ''
      : isUnchanged
        ? '  (unchanged)'
        : `  (replaces ${formatCount(replaced.rows)} rows${replaced.hasOtherFields ? ' WITH OTHER FIELDS' : ''})`;
  return `${code}  ${formatCount(rows)} rows × ${fields}  ${title}${numberNote(axis)}${replacement}${counts === '' ? '' : `  [${counts}]`}`;
}

function numberNote({ isProvisional, insteadOf, mainCode, candidates }: LoadedAxis): string {
  if (mainCode !== null) return ` (a table of the same file as ${mainCode})`;
  if (insteadOf !== null)
    return ` (beside ${insteadOf}, which is another table; --axis ${insteadOf} replaces that one)`;
  if (candidates.length > 0) {
    const codes = candidates.map((number) => `file_${number}`).join(', ');
    return ` (its title is that of ${codes}: give one with --axis)`;
  }
  return isProvisional ? ' (no portal number: give one with --axis)' : '';
}

function skippedLine({ path, code, message }: SkippedFile): string {
  return `skipped  ${oneLine(path)}  ${code}: ${oneLine(message)}`;
}
