import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import { endManySessions } from '../src/members/end-sessions.ts';
import { openExistingMembers } from './open-members.ts';
import { commandLine, requirePlatform } from './platform.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly all?: boolean;
  readonly platform?: string;
  readonly before?: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function sessionCommand(): Command {
  const command = new Command('session').description(
    'Changes the data folder; running servers refuse the sessions from the next request on.',
  );
  command
    .command('end')
    .description('end the sessions of all members, or those that a platform issued')
    .option('--all', 'of every platform')
    .option('--platform <code>', 'of one platform')
    .option('--before <time>', 'only those issued earlier, such as 2026-11-22T09:00:00+09:00')
    .option('--reason <text>', 'reason, for the audit log', 'ended at the command line')
    .option('--json', 'as JSON')
    .action(end);
  return command;
}

async function end({ all, platform, before, reason, json }: Options): Promise<void> {
  if ((all === true) === (platform !== undefined)) {
    throw new Error('Name the sessions to end: either --all or --platform CODE.');
  }
  await using opened = await openExistingMembers(readSettings(process.env));
  const { context } = opened;
  if (platform !== undefined) await requirePlatform(opened, platform);
  const scope = platform === undefined ? 'all' : 'platform';
  await endManySessions(
    context,
    { scope, platform: platform ?? null, before: before ?? null },
    operatorOf(commandLine, reason),
  );
  const live = await context.store.read.sessions.unexpiredCount(context.now());
  if (json) return printJson({ scope, platform: platform ?? null, before: before ?? null, live });
  print(`Ended. Live sessions that remain: ${live}.`);
}
