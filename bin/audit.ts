import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { verifyAudit } from '../src/members/audit.ts';
import { openMembers } from './open-members.ts';
import { failed } from './run-command.ts';
import { count, print, printJson } from './terminal.ts';

export function auditCommand(): Command {
  const command = new Command('audit').summary('what operators and platforms did');
  command
    .command('verify')
    .description('check that no row of the audit was changed, moved or taken away')
    .option('--json', 'as JSON')
    .action(verify);
  return command;
}

async function verify({ json }: { readonly json?: boolean }): Promise<void> {
  await using opened = openMembers(readSettings(process.env));
  const verdict = await verifyAudit(opened.context);
  if (json) printJson(verdict);
  else if (verdict.intact)
    print(`The audit is whole: ${count(verdict.rows)} rows as they were written.`);
  else
    print(
      `The audit is broken at row ${verdict.faultAt}; the ${verdict.rows} rows before it are whole.`,
    );
  if (!verdict.intact) failed();
}
