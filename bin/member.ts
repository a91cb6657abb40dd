import { Command, InvalidArgumentError } from 'commander';
import { logAccess } from '../src/admin/operators/access-log.ts';
import type { adminContract } from '../src/contract/admin.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import type { MemberContext } from '../src/members/context.ts';
import { canonicalEmail, emailHash, maskedEmail } from '../src/members/email.ts';
import { eraseMember } from '../src/members/erase.ts';
import { exportMember } from '../src/members/export.ts';
import { codesInForce } from '../src/members/entitlements-in-force.ts';
import { findMember } from '../src/members/find-member.ts';
import { grantAsOperator, revokeAsOperator } from '../src/members/operator-entitlements.ts';
import { momentOf } from '../src/members/body.ts';
import { importFile } from './member-import.ts';
import { openExistingMembers } from './open-members.ts';
import { commandLine } from './platform.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly realm: string;
  readonly reason: string;
  readonly yes?: boolean;
  readonly from?: string;
  readonly until?: string;
  readonly json?: boolean;
}

export function memberCommand(): Command {
  const command = new Command('member').description(
    'Members are named by svc_uid or email address.',
  );
  command
    .command('find')
    .description('print a member with its platforms and masked address')
    .argument('<member>')
    .option('--realm <realm>', 'realm of the address', 'main')
    .option('--json', 'as JSON')
    .action(find);
  command
    .command('grant')
    .description('grant an entitlement to a member')
    .argument('<member>')
    .argument('<code>', 'such as archive')
    .option('--realm <realm>', 'realm of the address', 'main')
    .option('--from <time>', 'start in ISO 8601 with an offset (default: now)')
    .option('--until <time>', 'end, exclusive (default: none)')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action(grant);
  command
    .command('revoke')
    .description('end an entitlement of a member now, also where a platform granted it')
    .argument('<member>')
    .argument('<code>')
    .option('--realm <realm>', 'realm of the address', 'main')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action(revoke);
  command
    .command('export')
    .description('print all stored data of a member, as JSON')
    .argument('<member>')
    .option('--realm <realm>', 'realm of the address', 'main')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .action(exportJson);
  command
    .command('erase')
    .description('erase a member permanently and print the receipt')
    .argument('<member>')
    .option('--realm <realm>', 'realm of the address', 'main')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--yes', 'erase; without it, only print what would be erased')
    .option('--json', 'as JSON, like the receipt')
    .action(erase);
  command
    .command('import')
    .description(
      'Registers the members of a platform from a file in UTF-8: JSON objects as the bodies of POST /members/register, ' +
        'one per line, or CSV with the column names in the first line. A row that cannot be registered is refused with ' +
        'its reason; the others are registered. Running servers go on serving. An interrupted import is resumed by the ' +
        'same command, which changes nothing for registered rows. The exit code is 1 if a row was refused.',
    )
    .argument('<file>', 'file, or - for standard input')
    .requiredOption('--platform <code>', 'platform of the members')
    .option(
      '--as-of <time>',
      'time of the data: what changed, left or was erased later stays so (default: of the file)',
      pastTime,
    )
    .option('--refused <file>', 'file for refused rows (default: FILE.refused.ndjson)')
    .option('--webhooks', 'send member.created and member.linked for the imported members')
    .option('--dry-run', 'check each row without the others, and store nothing')
    .option('--reason <text>', 'reason, for the audit log', 'imported at the command line')
    .option('--json', 'the report as JSON')
    .action(importFile);
  return command;
}

/** Reads a time while the command line is parsed, so that an invalid one is a usage error. */
function pastTime(text: string): number {
  const ms = momentOf(text);
  if (ms !== null && ms <= Date.now()) return ms;
  throw new InvalidArgumentError('Give a past time such as 2026-11-22T09:00:00+09:00.');
}

async function find(idOrEmail: string, { realm, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const { context } = opened;
  const member = await requireMember(context, idOrEmail, realm, 'member');
  const email = await context.store.read.members.email(member.id);
  const summary = {
    svc_uid: member.svcUid,
    tier: member.tier,
    entitlements: await codesInForce(
      context,
      context.store.read,
      member,
      await context.platforms.policy(),
    ),
    status: member.status,
    email_masked: email === null ? null : maskedEmail(email),
    platforms: await context.platforms.codes(member.platforms),
    created_at: new Date(member.createdAt).toISOString(),
  };
  if (json) return printJson(summary);
  for (const [name, value] of Object.entries(summary)) print(`${name.padEnd(14)} ${String(value)}`);
}

async function grant(idOrEmail: string, code: string, options: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const { context } = opened;
  const { from, until, realm, reason, json } = options;
  const member = await requireMember(context, idOrEmail, realm, 'grantEntitlement');
  const period = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
  const operator = operatorOf(commandLine, reason);
  const granted = await grantAsOperator(context, member.svcUid, code, period, operator);
  if (json) return printJson(granted);
  print(`${member.svcUid} has ${code} from ${granted.from} until ${granted.until ?? 'revoked'}.`);
}

async function revoke(idOrEmail: string, code: string, options: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const { context } = opened;
  const { realm, reason, json } = options;
  const member = await requireMember(context, idOrEmail, realm, 'revokeEntitlement');
  const operator = operatorOf(commandLine, reason);
  const ended = await revokeAsOperator(context, member.svcUid, code, operator);
  if (json) return printJson({ svc_uid: member.svcUid, code, ended });
  print(ended === 0 ? `There was no grant of ${code} to end.` : `${member.svcUid} lost ${code}.`);
}

async function exportJson(idOrEmail: string, { realm, reason }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const member = await requireMember(opened.context, idOrEmail, realm, 'export');
  printJson(await exportMember(opened.context, member.svcUid, operatorOf(commandLine, reason)));
}

async function erase(idOrEmail: string, { realm, reason, yes, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const { context } = opened;
  const operator = operatorOf(commandLine, reason);
  const member = await requireMember(context, idOrEmail, realm, yes === true ? 'erase' : 'member');
  if (yes === true) return printJson(await eraseMember(context, member.svcUid, operator));
  const platforms = await context.platforms.codes(member.platforms);
  if (json) return printJson({ svc_uid: member.svcUid, platforms, erased: false });
  print(`Would erase ${member.svcUid} with its links to ${platforms.join(', ')}.`);
  print('Nothing was erased. Add --yes to do it.');
}

/** Finds a member by id or address, and records the access in the access log. Throws if there is none. */
async function requireMember(
  context: MemberContext,
  idOrEmail: string,
  realm: string,
  action: keyof typeof adminContract,
) {
  const { members } = context.store.read;
  const isAddress = idOrEmail.includes('@');
  const member = isAddress
    ? await members.byEmail(realm, emailHash(canonicalEmail(idOrEmail)))
    : await findMember(context.store.read, idOrEmail);
  if (member) {
    const origin = { operator: 'command-line', address: '', device: '' };
    await logAccess(context, origin, action, [member.svcUid]);
    return member;
  }
  throw new Error(
    isAddress
      ? `There is no member with this address in the realm ${realm}. Check it, or name another --realm.`
      : 'There is no member with this svc_uid. Check it, or name the email address.',
  );
}
