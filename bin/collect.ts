import { Command } from 'commander';
import { axisDefinition, axisDefinitions } from '../src/harvest/operations/definitions.ts';
import { koreanDay } from '../src/data/korean-time.ts';
import type { QuotaStore } from '../src/harvest/client/quota.ts';
import { collectAxes, type AxesReport } from '../src/harvest/runs/collect-axes.ts';
import { collectedDatasets, isDatasetDue } from '../src/harvest/datasets/due-datasets.ts';
import { isDue } from '../src/harvest/runs/due.ts';
import { storedFindings } from '../src/harvest/runs/findings.ts';
import { openJobs } from '../src/harvest/runs/job-store.ts';
import type { CollectProgress } from '../src/harvest/runs/outcome.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import { StoredAxes } from '../src/harvest/runs/stored-axes.ts';
import type { Origin } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import {
  checkDatasetOptions,
  isDatasetCode,
  openDatasets,
  printDryRun,
  printVersions,
  readSelection,
  versionChoice,
  type DatasetOptions,
} from './collect-files.ts';
import {
  addCollectingOptions,
  openCollecting,
  printSnapshot,
  progressLine,
  sourceLine,
  type CollectingOptions,
} from './open-collecting.ts';
import { probe } from './collect-probe.ts';
import { markFailed } from './run-command.ts';
import { formatCount, print, printJson, withNoun } from './terminal.ts';
import { requireServiceKey } from './upstream.ts';

interface Options extends DatasetOptions, CollectingOptions {
  readonly probe?: boolean;
  readonly all?: boolean;
}

export function collectCommand(): Command {
  const command = new Command('collect')
    .description(
      'Collects axes from the portal (MARU_SERVICE_KEY) and publishes the data that passes the checks. An ' +
        'interrupted run is resumed: no stored response is requested again. A run that waits for the quota ' +
        'of the day has not failed: the exit code is 0, and the report has the time of its resumption.',
    )
    .argument(
      '[codes...]',
      'axis codes, such as gen_restdeinfo, or file_15012896 for a dataset by its number',
    )
    .option('--all', 'every axis')
    .option(
      '--due',
      'only what is due for collection again, among the given codes or, without codes, among all axes and the ' +
        'datasets collected before',
    )
    .option('--list <file>', 'codes or numbers in a file, one per line')
    .option('--catalog <query>', 'FILE datasets of the catalog that match the query')
    .option('--limit <number>', 'only the best matches, up to this number')
    .option(
      '--probe',
      'send one request to each operation and report how the answers differ from the definitions; nothing is ' +
        'stored or published',
    )
    .option('--dry-run', 'list the sources that would be collected, without any request')
    .option('--via <upstream>', 'upstream of a dataset: download, odcloud or standard')
    .option('--history', 'also download the earlier versions of a file')
    .option('--hold <version>', 'serve this stored version of a file')
    .option('--as-of <day>', 'serve the newest stored version of a file up to a day')
    .action((codes: string[], options: Options) => collect(command, codes, options));
  addCollectingOptions(command);
  command
    .command('report')
    .description('the last run of each source, and its findings')
    .option('--json', 'as JSON')
    .action((_, subcommand: Command) => report(subcommand.optsWithGlobals<Options>()));
  command
    .command('versions')
    .summary('the stored versions of a dataset’s file; * marks the served one')
    .argument('<code>', 'such as file_15012896')
    .option('--json', 'as JSON')
    .action((code: string, _, subcommand: Command) => {
      const { MARU_DATA } = readSettings(process.env);
      printVersions(
        subcommand,
        MARU_DATA,
        code,
        subcommand.optsWithGlobals<Options>().json ?? false,
      );
    });
  return command;
}

async function collect(command: Command, names: string[], options: Options): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  if (options.probe) return probe(command, names, options);
  const selected = resolveCodes(command, MARU_DATA, names, options);
  if (options.dryRun) return printDryRun(MARU_DATA, selected, options.json ?? false);
  await using collecting = await openCollecting(options);
  const { data, runs, upstream, signal, progress } = collecting;
  const { client, origin, quota } = upstream;
  const choice = versionChoice(options);
  // Stored responses and files need no key.
  const isOffline = (options.reparse ?? false) || choice !== null;
  if (!isOffline && !selected.every(isDatasetCode)) requireServiceKey(upstream);
  const codes = options.due ? dueCodes(selected, runs, new StoredAxes(data), origin) : selected;
  using opened = openDatasets(codes.filter(isDatasetCode), data, upstream, options);
  const axes = codes.filter((code) => !isDatasetCode(code));
  const report = await collectAxes(data, axes, {
    client: isOffline ? null : client,
    origin,
    datasets: opened.datasets,
    signal,
    // An operator who chooses a version accepts its data.
    accept: options.accept ?? choice !== null,
    onSource: (source) => progress.note(sourceLine(source, source.code, 'rows')),
    onProgress: (step) => progress.update(() => progressLine(step, 'rows', quotaLeft(step, quota))),
  });
  progress[Symbol.dispose]();
  if (options.json) printJson(report);
  else printReport(report);
  // `kept`: the data did not pass the checks, and the previous data is still served.
  const isFailed = report.axes.some(
    ({ outcome }) => outcome === 'failed' || outcome === 'kept' || outcome === 'interrupted',
  );
  if (isFailed) markFailed();
  // Last, so that an interrupted run is still reported. `runCommand` prints the error and sets the exit code.
  signal.throwIfAborted();
}

function printReport({ axes, snapshot, elapsedMs }: AxesReport): void {
  const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
  const seconds = (elapsedMs / 1_000).toFixed(1);
  print(`${withNoun(axes.length, 'axis', 'axes')}, ${withNoun(rows, 'row')} in ${seconds} s.`);
  printSnapshot(snapshot);
  const parked = axes.filter(({ outcome }) => outcome === 'parked');
  if (parked.length === 0) return;
  const times = parked.flatMap(({ parkedUntil }) => parkedUntil ?? []);
  const until = times.toSorted().at(-1) ?? 'midnight in Korea';
  print(
    `${formatCount(parked.length)} waiting for the quota: the same command resumes them from ${until}; add ` +
      '--ignore-quota to send the requests now.',
  );
}

/**
 * Resolves the codes of the arguments and options, each once. Without codes, --all means all axes, and --due means all
 * axes and the datasets that were collected before.
 */
function resolveCodes(command: Command, data: string, names: string[], options: Options): string[] {
  checkDatasetOptions(command, options);
  const { all, due, list, catalog } = options;
  const codes = [...new Set([...names, ...readSelection(command, data, options)])];
  const unknown = codes.filter(
    (code) => axisDefinition(code) === undefined && !isDatasetCode(code),
  );
  if (unknown.length > 0) {
    command.error(
      `error: unknown axis ${unknown.join(', ')}. List the codes with --all --dry-run.`,
    );
  }
  const hasVersionOption = options.history || versionChoice(options) !== null;
  if (hasVersionOption && !(codes.length > 0 && codes.every(isDatasetCode))) {
    command.error('error: only files have versions. Name codes such as file_15012896.');
  }
  if (codes.length > 0 || list !== undefined || catalog !== undefined) return codes;
  if (!all && !due) command.error('error: name axes, or add --all or --due.');
  const axes = axisDefinitions.map(({ code }) => code);
  if (!due) return axes;
  using store = openRunStore(data);
  return [...axes, ...collectedDatasets(store.runs)];
}

function dueCodes(
  codes: readonly string[],
  runs: Runs,
  stored: StoredAxes,
  origin: Origin,
): string[] {
  const now = Date.now();
  return codes.filter((code) => {
    if (isDatasetCode(code)) return isDatasetDue(code, stored, runs, origin, now);
    const axis = axisDefinition(code);
    return axis !== undefined && isDue(axis, runs, origin, now);
  });
}

/** Opens the database of collection runs. */
function openRunStore(data: string) {
  const database = openJobs(data);
  const runs = new Runs(database, () => Date.now());
  return { database, runs, [Symbol.dispose]: () => database.close() };
}

/** Calls that the current operation may still send today; null for a dataset. */
function quotaLeft({ code }: CollectProgress, quota: QuotaStore): number | null {
  const axis = axisDefinition(code);
  const used = axis === undefined ? null : quota.used(axis.path, koreanDay(Date.now()));
  return typeof used === 'number' ? Math.max(0, axis!.dailyQuota - used) : null;
}

function report({ json }: Options): void {
  const { MARU_DATA } = readSettings(process.env);
  using store = openRunStore(MARU_DATA);
  const findings = storedFindings(store.database);
  const runs = store.runs.latest().map((run) => ({
    axis: run.axis,
    origin: run.origin,
    state: run.state,
    asked: new Date(run.moment).toISOString(),
    finished: dateOf(run.finished),
    parkedUntil: dateOf(run.parkedUntil),
    requests: run.requests,
    planned: run.planned,
    rows: run.rows,
    message: run.message,
    findings: findings
      .filter(({ axis }) => axis === run.axis)
      .map(({ kind, count: times, since, detail }) => ({
        kind,
        count: times,
        since: dateOf(since),
        detail,
      })),
  }));
  if (json) return printJson(runs);
  if (runs.length === 0) return print('Nothing has been collected yet.');
  for (const { state, axis, asked: moment, rows, message, findings: reported } of runs) {
    print(`${state.padEnd(11)}  ${axis}  ${moment}  ${formatCount(rows)} rows`);
    if (message !== null) print(`  ${message}`);
    for (const { kind, since, detail } of reported) {
      print(`  ${kind} since ${since?.slice(0, 10) ?? 'today'}: ${detail}`);
    }
  }
}

function dateOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
