import { Command } from 'commander';
import { holdCatalog } from '../src/collect/catalog/hold.ts';
import { holdDemand } from '../src/collect/demand/hold.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { count, print, printJson, ProgressLine } from './terminal.ts';

interface Options {
  readonly json?: boolean;
}

export function catalogCommand(): Command {
  const command = new Command('catalog').summary('the portal’s catalog of datasets');
  command
    .command('load')
    .description(
      'Holds the portal’s list of datasets (목록개방현황, dataset 15062804, CSV), in place of the one before.',
    )
    .argument('<file>', 'the list file, also compressed')
    .option('--json', 'the report as JSON')
    .action(loadCatalog);
  return command;
}

export function demandCommand(): Command {
  const command = new Command('demand').summary('the ranking of what people search for');
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
  return command;
}

async function loadCatalog(file: string, { json }: Options): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  const findings = new Findings();
  const { snapshot, summary } = await holdCatalog(MARU_DATA, file, (finding) =>
    findings.add(finding),
  );
  if (json) return printJson({ snapshot, ...summary, findings: findings.counts() });
  const types = Object.entries(summary.byType).map(
    ([type, entries]) => `${type} ${count(entries)}`,
  );
  print(
    `${count(summary.total)} datasets (${types.join(', ')}) as of ${summary.date ?? 'an unknown day'}.`,
  );
  findings.print();
  print(`Published as snapshot ${snapshot}.`);
}

async function loadDemand(file: string, { json }: Options): Promise<void> {
  const { MARU_DATA } = readSettings(process.env);
  const findings = new Findings();
  const held = await holdDemand(MARU_DATA, file, (finding) => findings.add(finding));
  if (json) return printJson({ ...held, findings: findings.counts() });
  print(
    `${count(held.keywords)} keywords relative to ${held.anchor} = 100; ${count(held.held)} lead to a held axis.`,
  );
  findings.print();
  print(`Published as snapshot ${held.snapshot}.`);
}

/** Findings by kind: counted, the first few shown as they come. */
class Findings {
  readonly #counts = new Map<string, number>();

  add({ kind, row, detail }: { kind: string; row: number | null; detail: string }): void {
    const found = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, found);
    if (found > shownMax) return;
    using line = new ProgressLine();
    line.note(`${row === null ? '' : `row ${row}: `}${detail}`);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  print(): void {
    for (const [kind, found] of this.#counts) print(`${kind}: ${count(found)}`);
  }
}

const shownMax = 5;
