import { Argument, Command } from 'commander';
import { collectCatalog } from '../src/harvest/catalog/collect.ts';
import { catalogParts, type CatalogPartName } from '../src/harvest/catalog/collected.ts';
import { dueParts } from '../src/harvest/catalog/due.ts';
import { importCatalog } from '../src/ingest/catalog/import-catalog.ts';
import type { CatalogSummary } from '../src/data/catalog.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { Findings } from './findings.ts';
import {
  addCollectingOptions,
  openCollecting,
  printSnapshot,
  progressLine,
  sourceLine,
  type CollectingOptions,
} from './open-collecting.ts';
import { markFailed } from './run-command.ts';
import { formatCount, print, printJson } from './terminal.ts';

export function catalogCommand(): Command {
  const command = new Command('catalog');
  command
    .command('load')
    .description(
      'Imports the portal’s list of datasets (목록개방현황, dataset 15062804, CSV) and replaces the previous one.',
    )
    .argument('<file>', 'the list file, also compressed')
    .option('--json', 'the report as JSON')
    .action(loadCatalog);
  addCollectingOptions(command.command('collect'))
    .description(
      'Collects the whole catalog and publishes it: the monthly list file, with MARU_SERVICE_KEY newer entries ' +
        'of the meta API 15077093, and LINKED datasets from the web list (about an hour). A part that fails ' +
        'keeps its previous entries; an interrupted run is resumed.',
    )
    .addArgument(
      new Argument('[parts...]', 'parts to collect; all of them without a name').choices(
        catalogParts,
      ),
    )
    .option('--due', 'only parts that are due: the list weekly, api daily, linked monthly')
    .action(collect);
  return command;
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

// The argument accepts names of parts only.
async function collect(names: CatalogPartName[], options: CollectingOptions): Promise<void> {
  await using collecting = await openCollecting(options);
  const { data, runs, upstream, signal, progress } = collecting;
  const { client, hasKey, origin } = upstream;
  const selected = names.length === 0 ? catalogParts : names;
  const candidates = options.due ? dueParts(runs, origin, Date.now()) : catalogParts;
  const report = await collectCatalog(data, {
    ...upstream,
    client: hasKey ? client : null,
    parts: selected.filter((part) => candidates.includes(part)),
    signal,
    reparse: options.reparse ?? false,
    accept: options.accept ?? false,
    onSource: (source) =>
      progress.note(sourceLine(source, source.code.replace('catalog_', ''), 'datasets')),
    onProgress: (step) => progress.update(() => progressLine(step, 'datasets', null)),
  });
  progress[Symbol.dispose]();
  const { snapshot, summary } = report;
  if (options.json) {
    const parts = report.parts.map(({ rows, ...part }) => ({ ...part, entries: rows }));
    printJson({ ...report, parts });
  } else {
    if (summary !== null) printSummary(summary);
    printSnapshot(snapshot);
  }
  const isDone = report.parts.every(
    ({ outcome }) => outcome === 'published' || outcome === 'skipped',
  );
  if (!isDone) markFailed();
}

function printSummary({ total, byType, date, origin }: CatalogSummary): void {
  const types = Object.entries(byType).map(([type, entries]) => `${type} ${formatCount(entries)}`);
  const sample = origin === 'sample' ? ' SAMPLE DATA, invented by the built-in sample portal.' : '';
  print(
    `${formatCount(total)} datasets (${types.join(', ')}) as of ${date ?? 'an unknown day'}.${sample}`,
  );
}
