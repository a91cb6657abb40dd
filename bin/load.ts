import { Command, InvalidArgumentError, Option } from 'commander';
import { loadFiles, UsageError, type LoadReport } from '../src/ingest/load/load.ts';
import { numberOfCode } from '../src/ingest/load/identity.ts';
import { catalogTypes, type CatalogType } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import type { Language } from '../src/contract/language.ts';
import { languageOption, localeLanguage } from './language.ts';
import { LoadReporter } from './load-report.ts';
import { loadTexts } from './load-texts.ts';
import { markFailed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { print, printJson, ProgressLine } from './terminal.ts';

interface Options {
  readonly axis?: string;
  readonly title?: string;
  readonly type?: CatalogType;
  readonly sheet?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly language?: Language;
}

export function loadCommand(): Command {
  return new Command('load')
    .description(
      'Imports data files and publishes them: CSV, TSV, XLSX, XLS, ODS, JSON, GeoJSON, KML, XML, DBF, ' +
        'shapefiles, Parquet, ZIP or gzip of these, and folders of them, in any Korean encoding and layout. The axis code is taken from the file’s name, ' +
        'from a MANIFEST.json in the folder, or from the catalog. Rows and files that cannot be read are reported.',
    )
    .argument('<files...>', 'files or folders')
    .option('--axis <code>', 'axis code, such as file_15012896 (one file)', axisCode)
    .option('--title <title>', 'title of the dataset')
    .addOption(new Option('--type <type>', 'type in the catalog').choices([...catalogTypes]))
    .option('--sheet <name>', 'import only this sheet of a workbook, or this list of a JSON file')
    .option('--strict', 'publish nothing if any file cannot be imported')
    .option('--json', 'the report as JSON, with every finding in both languages')
    .addOption(languageOption())
    .action(load);
}

async function load(files: string[], options: Options, command: Command): Promise<void> {
  const settings = readSettings(process.env);
  const { json, language = localeLanguage(process.env), ...rest } = options;
  let report: LoadReport;
  try {
    report = await loadUntilStopped(settings.MARU_DATA, files, rest, language);
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    throw error;
  }
  if (json) printJson(report);
  else for (const line of new LoadReporter(language).lines(report)) print(line);
  if (report.snapshot === null) markFailed();
}

async function loadUntilStopped(
  data: string,
  files: readonly string[],
  options: Omit<Options, 'json' | 'language'>,
  language: Language,
): Promise<LoadReport> {
  const reporter = new LoadReporter(language);
  using progress = new ProgressLine();
  using stop = stopSignal(loadTexts[language].stopped);
  return await loadFiles(data, files, {
    ...options,
    signal: stop.signal,
    onProgress: ({ axesDone, axesTotal, rows, elapsedMs }) =>
      progress.update(() => reporter.progressLine(axesDone, axesTotal, rows, elapsedMs)),
    onAxis: (axis) => progress.note(reporter.axisLine(axis)),
    onSkipped: (file) => progress.note(reporter.skippedLine(file)),
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
