import { Command } from 'commander';
import { collectDemand } from '../src/harvest/demand/collect.ts';
import { demandRun, type CollectedDemand } from '../src/harvest/demand/collected.ts';
import { importDemand } from '../src/ingest/demand/import-demand.ts';
import { readKeywords } from '../src/harvest/demand/keywords.ts';
import { defaultAnchors } from '../src/harvest/demand/ladder.ts';
import { trendLimits } from '../src/harvest/demand/limits.ts';
import { isDue } from '../src/harvest/runs/due.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { Findings } from './findings.ts';
import {
  addCollectingOptions,
  openCollecting,
  printSnapshot,
  progressLine,
  type CollectingOptions,
} from './open-collecting.ts';
import { markFailed } from './run-command.ts';
import { formatCount, print, printJson } from './terminal.ts';
import { requireTrendKeys } from './upstream.ts';

export function demandCommand(): Command {
  const command = new Command('demand');
  command
    .command('load')
    .description(
      'Imports a ranking of search demand and replaces the previous one: responses of the Naver search trend ' +
        'service as JSON ([{request, response, measuredAt}]), from which one index relative to an anchor is ' +
        'computed, or a CSV with the columns keyword and index.',
    )
    .argument('<file>', 'JSON or CSV')
    .option('--json', 'the report as JSON')
    .action(loadDemand);
  const collect = addCollectingOptions(command.command('collect'))
    .description(
      'Measures keywords with the Naver search trend service (MARU_NAVER_ID, MARU_NAVER_SECRET, ' +
        'MARU_NAVER_DOOR) down a ladder of anchors and publishes the ranking. A spent quota parks the run; ' +
        'the same command resumes it.',
    )
    .option(
      '--keywords <file>',
      'one keyword a line, other words for it after commas; without it the ' +
        `${trendLimits.defaultKeywordsMax} most frequent keywords of the served datasets`,
    )
    .option(
      '--anchors <words>',
      `the ladder, the largest first (default: ${defaultAnchors.join(',')})`,
    )
    .option('--due', 'only if the last ranking is a month old, or its run was interrupted');
  collect.action((options: CollectOptions) => collectRanking(collect, options));
  return command;
}

interface CollectOptions extends CollectingOptions {
  readonly keywords?: string;
  readonly anchors?: string;
}

async function loadDemand(file: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  const findings = new Findings();
  const imported = await importDemand(MARU_DATA, file, (finding) => findings.add(finding));
  if (json) return printJson({ ...imported, findings: findings.counts() });
  print(
    `${formatCount(imported.keywords)} keywords relative to ${imported.anchor} = 100; ${formatCount(imported.linkedKeywords)} lead to an axis.`,
  );
  findings.print();
  print(`Published as snapshot ${imported.snapshot}.`);
}

async function collectRanking(command: Command, options: CollectOptions): Promise<void> {
  const anchors = anchorsOf(command, options.anchors);
  const keywords = options.keywords === undefined ? null : readKeywords(options.keywords);
  await using collecting = await openCollecting(options);
  const { data, settings, runs, upstream, signal, progress } = collecting;
  const { trendOrigin: origin } = upstream;
  const keys = options.reparse ? null : requireTrendKeys(upstream, settings);
  if (options.due && !isDue(demandRun, runs, origin, Date.now())) {
    const message = 'Nothing is due.';
    return options.json ? printJson({ outcome: 'skipped', message }) : print(message);
  }
  const report = await collectDemand(data, {
    ...upstream,
    keys,
    origin,
    ...(keywords === null ? {} : { keywords }),
    ...(anchors === null ? {} : { anchors }),
    signal,
    accept: options.accept ?? false,
    onProgress: (step) => progress.update(() => progressLine(step, 'keywords', null)),
  });
  progress[Symbol.dispose]();
  if (options.json) {
    const { rows, ...facts } = report;
    printJson({ ...facts, entries: rows });
  } else printRanking(report);
  if (report.outcome !== 'published' && report.outcome !== 'skipped') markFailed();
  signal.throwIfAborted();
}

function anchorsOf(command: Command, text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const anchors = [...new Set(text.split(',').map((word) => word.trim().normalize('NFC')))];
  if (anchors.includes('') || anchors.length > trendLimits.anchorsMax) {
    command.error(
      `error: --anchors takes 1 to ${trendLimits.anchorsMax} words, separated by commas.`,
    );
  }
  return anchors;
}

function printRanking(report: CollectedDemand): void {
  const { outcome, rows, censored, requests, anchor, findings, message, snapshot } = report;
  for (const { kind, count: times, detail } of findings)
    print(`${kind} ${formatCount(times)}: ${detail}`);
  if (message !== null && findings.every(({ detail }) => detail !== message)) print(message);
  if (anchor !== null) {
    print(
      `${formatCount(rows)} keywords relative to ${anchor} = 100, ${formatCount(censored)} below the resolution; ` +
        `${formatCount(requests)} measurements.`,
    );
  }
  if (outcome === 'parked') print(`Parked until ${report.parkedUntil}.`);
  printSnapshot(snapshot);
}
