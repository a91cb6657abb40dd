import { Command, InvalidArgumentError, Option } from 'commander';
import { scopes } from '../src/contract/enumerations.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import type { MemberContext } from '../src/members/context.ts';
import {
  environments,
  issueKey,
  revokeKey,
  rotateKey,
  type KeyEnvironment,
  type Scope,
} from '../src/members/keys.ts';
import { memberLimits } from '../src/members/limits.ts';
import type { ApiKey } from '../src/members/store/entities.ts';
import { openExistingMembers, openMembers } from './open-members.ts';
import { commandLine, requirePlatform } from './platform.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly scope: Scope[];
  readonly environment: KeyEnvironment;
  readonly label?: string;
  readonly overlapHours: number;
  readonly leaked?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

export function keyCommand(): Command {
  const command = new Command('key').description(
    'A key is shown once, when it is issued: only its hash is stored.',
  );
  command
    .command('issue')
    .description('issue a key')
    .argument('<platform>', 'code of the platform, or "operator" for a key valid for all platforms')
    .addOption(
      new Option('--scope <scope...>', 'scopes of the key')
        .choices([...scopes])
        .default([...scopes]),
    )
    .addOption(
      new Option('--environment <name>', 'word in the text of the key that marks its environment')
        .choices([...environments])
        .default('live'),
    )
    .option('--label <text>', 'a note, such as the name of its server')
    .option('--reason <text>', 'reason, for the audit log', 'issued at the command line')
    .option('--json', 'as JSON')
    .action(issue);
  command
    .command('list')
    .description('list all keys, without their secrets')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('rotate')
    .description('issue a new key with the same scopes; the old one works for a while')
    .argument('<kid>')
    .option('--overlap-hours <hours>', 'hours that the old key still works', readHours, 24)
    .option('--reason <text>', 'reason, for the audit log', 'rotated at the command line')
    .option('--json', 'as JSON')
    .action(rotate);
  command
    .command('revoke')
    .description('revoke a key; the next request with it is refused')
    .argument('<kid>')
    .option('--leaked', 'record that the key has leaked')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action(revoke);
  return command;
}

async function issue(platform: string, options: Options): Promise<void> {
  await using opened = await openMembers(readSettings(process.env));
  if (platform !== 'operator') await requirePlatform(opened, platform);
  const { scope, environment, label = '', reason } = options;
  const issued = await issueKey(
    opened.context,
    { platform: platform === 'operator' ? null : platform, scopes: scope, environment, label },
    operatorOf(commandLine, reason),
  );
  if (options.json) return printJson({ kid: issued.key.kid, key: issued.secret, scopes: scope });
  print(issued.secret);
  print(
    `Key ${issued.key.kid} of ${platform}. It is not shown again: store it on the server only.`,
  );
}

async function list({ json }: Options): Promise<void> {
  await using opened = await openMembers(readSettings(process.env));
  const { context } = opened;
  const keys = await allKeys(context);
  const platforms = await context.platforms.all();
  const rows = keys.map(({ secretHash: _hash, platformId, ...key }) => ({
    ...key,
    platform: platforms.find(({ id }) => id === platformId)?.code ?? 'operator',
  }));
  if (json) return printJson(rows);
  if (rows.length === 0) return print('There is no key yet: ./maru key issue PLATFORM');
  const now = context.now();
  for (const { kid, platform, label, scopes, revokedAt, expiresAt } of rows) {
    const state =
      revokedAt !== null
        ? 'revoked'
        : expiresAt === null
          ? 'active'
          : expiresAt > now
            ? `until ${iso(expiresAt)}`
            : 'expired';
    print(`${kid}  ${platform.padEnd(16)} ${state}  ${scopes.join(' ')}  ${label}`);
  }
}

async function rotate(kid: string, { overlapHours, reason, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const operator = operatorOf(commandLine, reason);
  const issued = await rotateKey(opened.context, kid, overlapHours * 3_600_000, operator);
  if (json) return printJson({ kid: issued.key.kid, key: issued.secret });
  print(issued.secret);
  print(`Key ${issued.key.kid} replaces ${kid}, which works for ${overlapHours} more hours.`);
}

async function revoke(kid: string, { leaked = false, reason, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  await revokeKey(opened.context, kid, operatorOf(commandLine, reason), { leaked });
  if (json) return printJson({ kid, leaked, revoked: true });
  print(`Key ${kid} is revoked.`);
}

async function allKeys({ store }: MemberContext): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await store.read.keys.list(keys.at(-1) ?? null, memberLimits.pageMax);
    keys.push(...page);
    if (page.length < memberLimits.pageMax) return keys;
  }
}

function readHours(text: string): number {
  const hoursMax = memberLimits.keyOverlapMsMax / 3_600_000;
  if (/^\d{1,4}$/.test(text) && Number(text) <= hoursMax) return Number(text);
  throw new InvalidArgumentError(`Give whole hours, at most ${hoursMax}.`);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
