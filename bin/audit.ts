import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { verifyAudit } from '../src/members/verify-audit.ts';
import { openExistingMembers } from './open-members.ts';
import { markFailed } from './run-command.ts';
import { print, printJson, withNoun } from './terminal.ts';

export function auditCommand(): Command {
  const command = new Command('audit');
  command
    .command('verify')
    .description('check that no row of the audit log was changed, moved or removed')
    .option('--anchor <row:hash>', 'an anchor noted earlier, which must still be in the log')
    .option('--json', 'as JSON')
    .action(verify);
  return command;
}

interface Options {
  readonly anchor?: string;
  readonly json?: boolean;
}

async function verify({ anchor, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const verdict = await verifyAudit(opened.context, { anchor: anchor ?? null });
  if (json) printJson(verdict);
  else if (verdict.intact) {
    const { rows, removed, seals } = verdict;
    print(
      `The audit log is intact: ${withNoun(rows - removed, 'row')}, ${withNoun(seals, 'seal')}.`,
    );
    if (removed > 0) print(`Rows 1 to ${removed} were removed after their retention.`);
    if (verdict.anchor !== null) print(`Anchor, to note elsewhere: ${verdict.anchor}`);
  } else
    print(
      `The audit log is broken at row ${verdict.faultAt}; the ${verdict.rows} rows before it are intact.`,
    );
  if (!verdict.intact) markFailed();
}
