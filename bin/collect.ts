import { Command } from 'commander';
import { axisDefinition, axisDefinitions } from '../src/harvest/operations/definitions.ts';
import { koreanDay } from '../src/data/korean-time.ts';
import type { QuotaStore } from '../src/harvest/client/quota.ts';
import { collectAxes } from '../src/harvest/runs/collect.ts';
import { collectedDatasets, isDatasetDue } from '../src/harvest/datasets/due-datasets.ts';
import { isDue } from '../src/harvest/runs/due.ts';
import { knownFindings } from '../src/harvest/runs/findings.ts';
import { HeldAxes } from '../src/harvest/runs/held.ts';
import { openJobs } from '../src/harvest/runs/job-store.ts';
import type { CollectedAxis, CollectProgress } from '../src/harvest/runs/outcome.ts';
import { createStoredQuota } from '../src/harvest/runs/quota-store.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import type { Origin } from '../src/data/axis.ts';
import { readSettings } from '../src/kernel/settings.ts';
import {
  checkDatasetOptions,
  isFileCode,
  openDatasets,
  printDryRun,
  printVersions,
  selectedCodes,
  versionChoice,
  type DatasetOptions,
} from './collect-files.ts';
import { openPortal, openSamplePortal } from './portal-client.ts';
import { failed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { ProgressLine, count, print, printJson, several } from './terminal.ts';

interface Options extends DatasetOptions {
  readonly all?: boolean;
  readonly due?: boolean;
  readonly sample?: boolean;
  readonly reparse?: boolean;
  readonly accept?: boolean;
}

export function collectCommand(): Command {
  const command = new Command('collect')
    .description(
      'Collects axes from the portal (MARU_SERVICE_KEY) and publishes what passes the checks. A run that ' +
        'was broken off goes on where it was; what is stored is never asked for again. A run that waits for ' +
        'the quota of the day has not failed: the exit code is 0 and the report says from when it goes on.',
    )
    .argument(
      '[codes...]',
      'axis codes, such as gen_restdeinfo, or file_15012896 for a dataset by its number',
    )
    .option('--all', 'every readable axis')
    .option(
      '--due',
      'those whose cycle is over, of those named, or of all axes and datasets collected before',
    )
    .option('--list <file>', 'the codes or numbers of a file, one a line')
    .option('--catalog <query>', 'the FILE datasets of the held catalog that match')
    .option('--limit <number>', 'of these the best so many')
    .option('--dry-run', 'say what would be collected, ask nobody')
    .option('--door <door>', 'how a dataset is had: download, odcloud or standard')
    .option('--history', 'take the earlier versions of a file too, and keep them')
    .option('--hold <version>', 'hold this stored version of a file')
    .option('--as-of <day>', 'hold the newest stored version of a file up to a day')
    .option('--sample', 'from the built-in sample portal, without a key')
    .option('--reparse', 'read the stored answers again, ask nobody')
    .option('--accept', 'publish what the checks would keep back')
    .option('--json', 'the report as JSON')
    .action((codes: string[], options: Options) => collect(command, codes, options));
  command
    .command('report')
    .description('the last run of each axis, and what is odd about it')
    .option('--json', 'as JSON')
    .action((_, own: Command) => report(own.optsWithGlobals<Options>()));
  command
    .command('versions')
    .summary('the stored versions of a dataset’s file, the one held marked with *')
    .argument('<code>', 'such as file_15012896')
    .option('--json', 'as JSON')
    .action((code: string, _, own: Command) => {
      const { MARU_DATA } = readSettings(process.env);
      printVersions(own, MARU_DATA, code, own.optsWithGlobals<Options>().json ?? false);
    });
  return command;
}

async function collect(command: Command, named: string[], options: Options): Promise<void> {
  const settings = readSettings(process.env);
  const data = settings.MARU_DATA;
  const asked = askedFor(command, data, named, options);
  if (options.dryRun) return printDryRun(data, asked, options.json ?? false);
  using jobs = openedJobs(data);
  const quota = createStoredQuota(jobs.database);
  // Neither stored answers nor files need a key.
  const isStored = (options.reparse ?? false) || versionChoice(options) !== null;
  await using portal = options.sample
    ? await openSamplePortal()
    : openPortal(settings, quota, !isStored && !asked.every(isFileCode));
  const { origin } = portal;
  const codes = options.due ? dueOf(asked, jobs.runs, new HeldAxes(data), origin) : asked;
  using chosen = openDatasets(codes.filter(isFileCode), data, portal, options);
  using stop = stopSignal();
  using progress = new ProgressLine();
  const axes = codes.filter((code) => !isFileCode(code));
  const result = await collectAxes(data, axes, {
    client: isStored ? null : portal.client,
    origin,
    datasets: chosen.datasets,
    signal: stop.signal,
    // Who names a version has decided already.
    accept: options.accept ?? versionChoice(options) !== null,
    onAxis: (axis) => progress.note(axisLine(axis)),
    onProgress: (step) => progress.update(progressText(step, portal.quota)),
  });
  progress[Symbol.dispose]();
  if (options.json) printJson(result);
  else {
    const rows = result.axes.reduce((sum, axis) => sum + axis.rows, 0);
    const seconds = (result.elapsedMs / 1000).toFixed(1);
    print(
      `${several(result.axes.length, 'axis', 'axes')}, ${several(rows, 'row')} in ${seconds} s.`,
    );
    print(
      result.snapshot === null
        ? 'Nothing was published; what was served before is unchanged.'
        : `Published as snapshot ${result.snapshot}.`,
    );
    const parked = result.axes.filter(({ outcome }) => outcome === 'parked');
    if (parked.length > 0) {
      const until = parked[0]?.parkedUntil ?? 'midnight in Korea';
      print(
        `${count(parked.length)} waiting for the quota: the same command goes on from ${until}.`,
      );
    }
  }
  const isFailed = result.axes.some(
    ({ outcome }) => outcome === 'failed' || outcome === 'kept' || outcome === 'interrupted',
  );
  if (isFailed) failed();
  // Everything is parked and reported: what is left to say is how to go on, and the exit code.
  stop.signal.throwIfAborted();
}

/** Every code that is meant, each once; the scheduled ones without a name. */
function askedFor(command: Command, data: string, named: string[], options: Options): string[] {
  checkDatasetOptions(command, options);
  const { all, due, list, catalog } = options;
  const codes = [...new Set([...named, ...selectedCodes(command, data, options)])];
  const unknown = codes.filter((code) => axisDefinition(code) === undefined && !isFileCode(code));
  if (unknown.length > 0) {
    command.error(`error: there is no axis ${unknown.join(', ')} to collect.`);
  }
  const isOfVersion = options.history || versionChoice(options) !== null;
  if (isOfVersion && !(codes.length > 0 && codes.every(isFileCode))) {
    command.error('error: only datasets by their numbers, such as file_15012896, have versions.');
  }
  if (codes.length > 0 || list !== undefined || catalog !== undefined) return codes;
  if (!all && !due) command.error('error: name axes, or say --all or --due.');
  const axes = axisDefinitions.map(({ code }) => code);
  if (!due) return axes;
  using jobs = openedJobs(data);
  return [...axes, ...collectedDatasets(jobs.runs)];
}

function dueOf(codes: readonly string[], runs: Runs, held: HeldAxes, origin: Origin): string[] {
  const now = Date.now();
  return codes.filter((code) => {
    if (isFileCode(code)) return isDatasetDue(code, held, runs, origin, now);
    const axis = axisDefinition(code);
    return axis !== undefined && isDue(axis, runs, origin, now);
  });
}

function openedJobs(data: string) {
  const database = openJobs(data);
  const runs = new Runs(database, () => Date.now());
  return { database, runs, [Symbol.dispose]: () => database.close() };
}

function axisLine({ code, outcome, rows, requests, message, findings }: CollectedAxis): string {
  const found = findings.map((finding) => `${finding.kind} ${count(finding.count)}`).join(', ');
  const kinds = found === '' ? '' : `  [${found}]`;
  const said = message === null ? '' : `\n  ${message}`;
  return `${outcome.padEnd(9)}  ${code}  ${count(rows)} rows, ${count(requests)} requests${kinds}${said}`;
}

function progressText(step: CollectProgress, quota: QuotaStore): string {
  const { axis, axesDone, axesTotal, requests, planned, rows, bytes, elapsedMs } = step;
  const definition = axisDefinition(axis);
  const used = definition && quota.used(definition.path, koreanDay(Date.now()));
  const left = typeof used === 'number' ? Math.max(0, definition!.dailyQuota - used) : null;
  const rate = requests / Math.max(1, step.axisMs);
  const secondsLeft = Math.ceil((planned - requests) / Math.max(rate, 1e-6) / 1000);
  return [
    `${axesDone}/${axesTotal} ${axis}`,
    `${count(requests)}/${count(planned)} pages`,
    `${count(rows)} rows`,
    ...(bytes > 0 ? [`${(bytes / 1e6).toFixed(1)} MB`] : []),
    `${count(Math.round(rate * 1000))}/s`,
    ...(left === null ? [] : [`quota ${count(left)}`]),
    `${count(secondsLeft)} s left`,
    `${Math.round(elapsedMs / 1000)} s`,
  ].join(' · ');
}

function report({ json }: Options): void {
  const { MARU_DATA } = readSettings(process.env);
  using jobs = openedJobs(MARU_DATA);
  const findings = knownFindings(jobs.database);
  const runs = jobs.runs.latest().map((run) => ({
    axis: run.axis,
    origin: run.origin,
    state: run.state,
    asked: new Date(run.asked).toISOString(),
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
  if (runs.length === 0) return print('Nothing was collected yet.');
  for (const run of runs) {
    print(`${run.state.padEnd(11)}  ${run.axis}  ${run.asked}  ${count(run.rows)} rows`);
    if (run.message !== null) print(`  ${run.message}`);
    for (const { kind, since, detail } of run.findings) {
      print(`  ${kind} since ${since?.slice(0, 10) ?? 'today'}: ${detail}`);
    }
  }
}

function dateOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
