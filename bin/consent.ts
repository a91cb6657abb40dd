import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { dueReminders } from '../src/members/consent-reminders.ts';
import { openExistingMembers } from './open-members.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly after?: string;
  readonly json?: boolean;
}

export function consentCommand(): Command {
  const command = new Command('consent').description(
    'Purposes are declared under "consents" in the file of ./maru platform declare.',
  );
  command
    .command('purposes')
    .description('list the purposes with the versions of their texts')
    .option('--json', 'as JSON')
    .action(purposes);
  command
    .command('due')
    .description('list consents to marketing whose members must be reminded after two years')
    .option('--after <cursor>', 'next_cursor of the previous page')
    .option('--json', 'as JSON')
    .action(due);
  return command;
}

async function purposes({ json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const all = await opened.context.platforms.consentPurposes();
  if (json) return printJson(all);
  if (all.length === 0) return print('No purpose is defined: every code is accepted.');
  for (const { code, name, required, marketing, retired, recipients, versions } of all) {
    const notes = [
      required ? 'required' : 'optional',
      ...(marketing ? ['marketing'] : []),
      ...(retired ? ['RETIRED'] : []),
      ...(recipients === null
        ? []
        : [`provides to ${[...recipients.platforms, ...recipients.realms].join(' ')}`]),
    ];
    const versionCodes = versions.map(({ version }) => version).join(' ');
    print(`${code.padEnd(16)} ${name.ko} / ${name.en}  [${notes.join(', ')}]  ${versionCodes}`);
  }
}

async function due({ after, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const page = await dueReminders(opened.context, after);
  if (json) return printJson(page);
  if (page.items.length === 0) return print('No reminder is due.');
  for (const { due_at: dueAt, platform, local_user_id: id, purpose, svc_uid: uid } of page.items) {
    print(`${dueAt}  ${platform}  ${id ?? '-'}  ${purpose}  ${uid}`);
  }
  if (page.next_cursor !== null) print(`More: ./maru consent due --after ${page.next_cursor}`);
}
