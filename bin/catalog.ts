import { Argument, Command } from 'commander';
import { collectCatalog } from '../src/harvest/catalog/collect.ts';
import {
  catalogParts,
  type CatalogPartName,
  type CatalogProgress,
  type CollectedPart,
} from '../src/harvest/catalog/collected.ts';
import { dueParts } from '../src/harvest/catalog/due.ts';
import { importCatalog } from '../src/ingest/catalog/import-catalog.ts';
import { openJobs } from '../src/harvest/runs/job-store.ts';
import { createStoredQuota } from '../src/harvest/runs/quota-store.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import type { CatalogSummary } from '../src/data/catalog.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { openCatalogDoors, openSampleDoors } from './door-access.ts';
import { Findings } from './findings.ts';
import { failed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { count, print, printJson, ProgressLine } from './terminal.ts';

export function catalogCommand(): Command {
  const command = new Command('catalog');
  command
    .command('load')
    .description(
      'Holds the portal’s list of datasets (목록개방현황, dataset 15062804, CSV), in place of the one before.',
    )
    .argument('<file>', 'the list file, also compressed')
    .option('--json', 'the report as JSON')
    .action(loadCatalog);
  command
    .command('collect')
    .description(
      'Collects the whole catalog and publishes it: the monthly list file, with MARU_SERVICE_KEY what the meta ' +
        'API 15077093 has that is newer, and LINKED datasets from the web list (about an hour). A part that ' +
        'fails keeps its last good entries; a run that was broken off goes on where it was.',
    )
    .addArgument(
      new Argument('[parts...]', 'what to collect; all without a name').choices(catalogParts),
    )
    .option(
      '--due',
      'of those named or of all only the parts whose cycle is over: a week, a day, a month',
    )
    .option('--sample', 'from the built-in sample portal, without a key')
    .option('--reparse', 'read the stored answers again, ask nobody')
    .option('--accept', 'publish what the checks would keep back')
    .option('--json', 'the report as JSON')
    .action(collect);
  return command;
}

interface CollectOptions {
  readonly due?: boolean;
  readonly sample?: boolean;
  readonly reparse?: boolean;
  readonly accept?: boolean;
  readonly json?: boolean;
}

async function loadCatalog(file: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  const findings = new Findings();
  const { snapshot, summary } = await importCatalog(MARU_DATA, file, (finding) =>
    findings.add(finding),
  );
  if (json) return printJson({ snapshot, ...summary, findings: findings.counts() });
  printSummary(summary);
  findings.print();
  print(`Published as snapshot ${snapshot}.`);
}

// The choices of the argument are the names of the parts.
async function collect(named: CatalogPartName[], options: CollectOptions): Promise<void> {
  const settings = readSettings(process.env);
  const data = settings.MARU_DATA;
  using jobs = openJobs(data);
  await using doors = options.sample
    ? await openSampleDoors()
    : openCatalogDoors(settings, createStoredQuota(jobs));
  const asked = named.length === 0 ? catalogParts : named;
  const runs = new Runs(jobs, () => Date.now());
  const due = options.due ? dueParts(runs, doors.origin, Date.now()) : catalogParts;
  const parts = asked.filter((part) => due.includes(part));
  using stop = stopSignal();
  using progress = new ProgressLine();
  const report = await collectCatalog(data, {
    client: doors.client,
    gateway: doors.gateway,
    origin: doors.origin,
    limits: doors.limits,
    parts,
    signal: stop.signal,
    reparse: options.reparse ?? false,
    accept: options.accept ?? false,
    onPart: (part) => progress.note(partLine(part)),
    onProgress: (step) => progress.update(progressText(step)),
  });
  progress[Symbol.dispose]();
  const { snapshot, summary, elapsedMs } = report;
  if (options.json) printJson({ snapshot, summary, parts: report.parts, elapsedMs });
  else {
    if (summary !== null) printSummary(summary);
    print(
      snapshot === null
        ? 'Nothing was published; what was served before is unchanged.'
        : `Published as snapshot ${snapshot}.`,
    );
  }
  const isDone = report.parts.every(
    ({ outcome }) => outcome === 'published' || outcome === 'skipped',
  );
  if (!isDone) failed();
}

function printSummary({ total, byType, date, origin }: CatalogSummary): void {
  const types = Object.entries(byType).map(([type, entries]) => `${type} ${count(entries)}`);
  const sample = origin === 'sample' ? ' SAMPLE DATA, invented by the built-in sample portal.' : '';
  print(
    `${count(total)} datasets (${types.join(', ')}) as of ${date ?? 'an unknown day'}.${sample}`,
  );
}

function partLine({ part, outcome, entries, requests, findings, message }: CollectedPart): string {
  const found = findings.map((finding) => `${finding.kind} ${count(finding.count)}`).join(', ');
  const kinds = found === '' ? '' : `  [${found}]`;
  const said = message === null ? '' : `\n  ${message}`;
  return `${outcome.padEnd(9)}  ${part}  ${count(entries)} datasets, ${count(requests)} pages${kinds}${said}`;
}

function progressText({ part, pages, planned, entries, elapsedMs }: CatalogProgress): string {
  const rate = pages / Math.max(1, elapsedMs);
  const secondsLeft = Math.ceil((planned - pages) / Math.max(rate, 1e-6) / 1000);
  return [
    part,
    `${count(pages)}/${count(planned)} pages`,
    `${count(entries)} datasets`,
    `${(rate * 1000).toFixed(1)}/s`,
    `${count(secondsLeft)} s left`,
  ].join(' · ');
}
