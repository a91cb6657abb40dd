import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { verifyAudit } from '../src/members/audit.ts';
import { openHeldMembers } from './open-members.ts';
import { failed } from './run-command.ts';
import { count, print, printJson } from './terminal.ts';

export function auditCommand(): Command {
  const command = new Command('audit');
  command
    .command('verify')
    .description('check that no row of the audit was changed, moved or taken away')
    .option('--anchor <row:hash>', 'an end that was noted earlier: the row must still be there')
    .option('--json', 'as JSON')
    .action(verify);
  return command;
}

interface Options {
  readonly anchor?: string;
  readonly json?: boolean;
}

async function verify({ anchor, json }: Options): Promise<void> {
  await using opened = openHeldMembers(readSettings(process.env));
  const verdict = await verifyAudit(opened.context, anchor ?? null);
  if (json) printJson(verdict);
  else if (verdict.intact) {
    print(`The audit is whole: ${count(verdict.rows)} rows as they were written.`);
    if (verdict.anchor !== null) print(`Its end, to be noted elsewhere: ${verdict.anchor}`);
  } else
    print(
      `The audit is broken at row ${verdict.faultAt}; the ${verdict.rows} rows before it are whole.`,
    );
  if (!verdict.intact) failed();
}
