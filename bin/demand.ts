import { Command } from 'commander';
import { collectDemand } from '../src/harvest/demand/collect.ts';
import {
  demandRun,
  type CollectedDemand,
  type DemandProgress,
} from '../src/harvest/demand/collected.ts';
import { importDemand } from '../src/ingest/demand/import-demand.ts';
import { readKeywords } from '../src/harvest/demand/keywords.ts';
import { usualAnchors } from '../src/harvest/demand/ladder.ts';
import { trendLimits } from '../src/harvest/demand/limits.ts';
import { isDue } from '../src/harvest/runs/due.ts';
import { openJobs } from '../src/harvest/runs/job-store.ts';
import { createStoredQuota } from '../src/harvest/runs/quota-store.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { openSampleDoors, openTrend } from './door-access.ts';
import { Findings } from './findings.ts';
import { failed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { count, print, printJson, ProgressLine } from './terminal.ts';

export function demandCommand(): Command {
  const command = new Command('demand');
  command
    .command('load')
    .description(
      'Holds a ranking of search demand, in place of the one before: raw answers of the Naver search trend ' +
        'service as JSON ([{request, response, measuredAt}]), from which one index relative to an anchor is ' +
        'computed, or a CSV with the columns keyword and index.',
    )
    .argument('<file>', 'JSON or CSV')
    .option('--json', 'the report as JSON')
    .action(loadDemand);
  const collect = command
    .command('collect')
    .description(
      'Measures keywords with the Naver search trend service (MARU_NAVER_ID, MARU_NAVER_SECRET, ' +
        'MARU_NAVER_DOOR) down a ladder of anchors and publishes the ranking. A spent quota parks the run; ' +
        'the same command goes on with what is stored.',
    )
    .option(
      '--keywords <file>',
      'one keyword a line, other words for it after commas; without it the ' +
        `${trendLimits.keywordsUsual} keywords that the catalog gives most of what is held`,
    )
    .option(
      '--anchors <words>',
      `the ladder, the largest first (default: ${usualAnchors.join(',')})`,
    )
    .option('--due', 'only if the last ranking is a month old, or its run was broken off')
    .option('--sample', 'from the built-in sample portal, without a key')
    .option('--reparse', 'read the stored answers again, ask nobody')
    .option('--accept', 'publish what the checks would keep back')
    .option('--json', 'the report as JSON');
  collect.action((options: CollectOptions) => collectRanking(collect, options));
  return command;
}

interface CollectOptions {
  readonly keywords?: string;
  readonly anchors?: string;
  readonly due?: boolean;
  readonly sample?: boolean;
  readonly reparse?: boolean;
  readonly accept?: boolean;
  readonly json?: boolean;
}

async function loadDemand(file: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  const findings = new Findings();
  const held = await importDemand(MARU_DATA, file, (finding) => findings.add(finding));
  if (json) return printJson({ ...held, findings: findings.counts() });
  print(
    `${count(held.keywords)} keywords relative to ${held.anchor} = 100; ${count(held.held)} lead to a held axis.`,
  );
  findings.print();
  print(`Published as snapshot ${held.snapshot}.`);
}

async function collectRanking(command: Command, options: CollectOptions): Promise<void> {
  const settings = readSettings(process.env);
  const data = settings.MARU_DATA;
  const anchors = anchorsOf(command, options.anchors);
  const keywords = options.keywords === undefined ? null : readKeywords(options.keywords);
  using jobs = openJobs(data);
  await using access = options.sample
    ? await openSampleDoors()
    : options.reparse
      ? null
      : openTrend(settings, createStoredQuota(jobs));
  const runs = new Runs(jobs, () => Date.now());
  if (options.due && !isDue(demandRun, runs, access?.origin ?? 'portal', Date.now())) {
    const message = 'Nothing is due.';
    return options.json ? printJson({ outcome: 'skipped', message }) : print(message);
  }
  using stop = stopSignal();
  using progress = new ProgressLine();
  const report = await collectDemand(data, {
    keys: options.reparse ? null : (access?.keys ?? null),
    gateway: access?.gateway ?? null,
    quota: access?.quota ?? createStoredQuota(jobs),
    origin: access?.origin ?? 'portal',
    limits: access?.limits ?? {},
    ...(keywords === null ? {} : { keywords }),
    ...(anchors === null ? {} : { anchors }),
    signal: stop.signal,
    accept: options.accept ?? false,
    onProgress: (step) => progress.update(progressText(step)),
  });
  progress[Symbol.dispose]();
  if (options.json) printJson(report);
  else printRanking(report);
  if (report.outcome !== 'published' && report.outcome !== 'skipped') failed();
  stop.signal.throwIfAborted();
}

function anchorsOf(command: Command, text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const anchors = [...new Set(text.split(',').map((word) => word.trim().normalize('NFC')))];
  if (anchors.includes('') || anchors.length > trendLimits.anchorsMax) {
    command.error(`error: --anchors takes 1 to ${trendLimits.anchorsMax} words with commas.`);
  }
  return anchors;
}

function printRanking(report: CollectedDemand): void {
  const { outcome, entries, censored, requests, anchor, findings, message, snapshot } = report;
  for (const { kind, count: times, detail } of findings)
    print(`${kind} ${count(times)}: ${detail}`);
  if (message !== null && findings.every(({ detail }) => detail !== message)) print(message);
  if (anchor !== null) {
    print(
      `${count(entries)} keywords relative to ${anchor} = 100, ${count(censored)} below the resolution; ` +
        `${count(requests)} measurements.`,
    );
  }
  if (outcome === 'parked') print(`Parked until ${report.parkedUntil}.`);
  print(
    snapshot === null
      ? 'Nothing was published; what was served before is unchanged.'
      : `Published as snapshot ${snapshot}.`,
  );
}

function progressText({ calls, planned, elapsedMs }: DemandProgress): string {
  const rate = calls / Math.max(1, elapsedMs);
  const secondsLeft = Math.ceil(Math.max(0, planned - calls) / Math.max(rate, 1e-6) / 1000);
  return [
    `${count(calls)}/${count(planned)} measurements`,
    `${(rate * 1000).toFixed(1)}/s`,
    `${count(secondsLeft)} s left`,
  ].join(' · ');
}
