import { Command } from 'commander';
import { holdDemand } from '../src/collect/demand/hold.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { Findings } from './findings.ts';
import { count, print, printJson } from './terminal.ts';

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

async function loadDemand(file: string, { json }: { readonly json?: boolean }): Promise<void> {
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
