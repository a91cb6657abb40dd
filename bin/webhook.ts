import { Command, Option } from 'commander';
import { webhookTypes } from '../src/contract/enumerations.ts';
import { bodyErrors, Problem } from '../src/kernel/problem.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import {
  addWebhookEndpoint,
  removeWebhookEndpoint,
  setWebhookDisabled,
} from '../src/members/webhooks.ts';
import { openExistingMembers } from './open-members.ts';
import { commandLine, requirePlatform } from './platform.ts';
import { print, printJson } from './terminal.ts';
import { testWebhook } from './webhook-test.ts';

interface Options {
  readonly platform?: string;
  readonly type: (typeof webhookTypes)[number][];
  readonly reason: string;
  readonly json?: boolean;
}

export function webhookCommand(): Command {
  const command = new Command('webhook').description(
    'An endpoint of a platform receives messages about its members; one of the operator about all.',
  );
  command
    .command('add')
    .description('add an endpoint and print its signing secret, which is shown once')
    .argument('<url>', 'https:// address on the public internet')
    .option(
      '--platform <code>',
      'platform whose members the messages are about (default: all members)',
    )
    .addOption(
      new Option('--type <type...>', 'types of its messages')
        .choices([...webhookTypes])
        .default([...webhookTypes]),
    )
    .option('--reason <text>', 'reason, for the audit log', 'added at the command line')
    .option('--json', 'as JSON')
    .action(add);
  command
    .command('test')
    .description('send a signed sample message to an address, also of this machine, and print it')
    .argument('<url>', 'address of the receiver, such as http://localhost:4000/webhook')
    .requiredOption('--secret-file <file>', 'file with the signing secret, whsec_…')
    .addOption(
      new Option('--type <type>', 'type of the message')
        .choices([...webhookTypes])
        .default('member.erased'),
    )
    .option('--local-user-id <id>', 'id of a user of yours, for membership.moved', 'u-1')
    .option('--svc-uid <uid>', 'svc_uid of the user', 'svc_aaaaaaaaaaaaaaaaaaaaaaaaaa')
    .option('--platform <code>', 'code of your platform', 'demo')
    .action(testWebhook);
  command
    .command('list')
    .description('list all endpoints, with their failing deliveries and without their secrets')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('disable')
    .description('send nothing more; what happens meanwhile is never sent')
    .argument('<id>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .action((id: string, options: Options) => setDisabled(id, true, options));
  command
    .command('enable')
    .description('send again, beginning with the waiting messages')
    .argument('<id>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .action((id: string, options: Options) => setDisabled(id, false, options));
  command
    .command('remove')
    .description('remove a disabled endpoint with its messages')
    .argument('<id>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .action(remove);
  return command;
}

/** Throws an error. That of a problem also names the fixes, because its message alone does not explain the cause. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const fixes = bodyErrors(error).map(({ fix }) => fix.en);
  throw new Error([error.message, ...fixes].join(' '), { cause: error });
}

async function add(url: string, { platform, type, reason, json }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  if (platform !== undefined) await requirePlatform(opened, platform);
  const operator = operatorOf(commandLine, reason);
  const endpoint = await addWebhookEndpoint(opened.context, url, type, operator, platform).catch(
    explainRefusal,
  );
  if (json) return printJson({ id: endpoint.id, secret: endpoint.secret });
  print(`${endpoint.id}  for ${platform === undefined ? 'all members' : `members of ${platform}`}`);
  print(`Signing secret, shown once:  ${endpoint.secret}`);
}

async function list({ json }: Pick<Options, 'json'>): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const { store, platforms } = opened.context;
  const codes = new Map((await platforms.all()).map(({ id, code }) => [id, code]));
  const { webhooks } = store.read;
  const endpoints = await Promise.all(
    (await webhooks.endpoints()).map(async ({ id, platformId, url, types, disabled }) => ({
      id,
      platform: platformId === null ? null : codes.get(platformId)!,
      url,
      types,
      disabled,
      failing: await webhooks.failing(id),
    })),
  );
  if (json) return printJson(endpoints);
  if (endpoints.length === 0) return print('There is no endpoint yet: ./maru webhook add URL');
  for (const { id, platform, url, types, disabled, failing } of endpoints) {
    const owner = (platform ?? 'operator').padEnd(16);
    const state = (disabled ? '  DISABLED' : '') + (failing > 0 ? `  FAILING ${failing}` : '');
    print(`${id}  ${owner} ${url}  [${types.join(' ')}]${state}`);
  }
}

async function setDisabled(id: string, disabled: boolean, { reason }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  await setWebhookDisabled(opened.context, id, disabled, operatorOf(commandLine, reason));
  print(`${id} is ${disabled ? 'disabled' : 'enabled'}.`);
}

async function remove(id: string, { reason }: Options): Promise<void> {
  await using opened = await openExistingMembers(readSettings(process.env));
  const operator = operatorOf(commandLine, reason);
  await removeWebhookEndpoint(opened.context, id, operator).catch(explainRefusal);
  print(`${id} is removed.`);
}
