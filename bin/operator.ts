import { Command, Option } from 'commander';
import { operatorRoles, type OperatorRole } from '../src/contract/enumerations.ts';
import { readSettings } from '../src/kernel/settings.ts';
import {
  addOperator,
  changeOperator,
  removeOperator,
  type Invitation,
} from '../src/admin/operators/change-operators.ts';
import { importOperators } from '../src/admin/operators/import-operators.ts';
import { operatorOf } from '../src/members/audit.ts';
import { openExistingMembers, openMembers, type OpenedMembers } from './open-members.ts';
import { commandLine } from './platform.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly role: OperatorRole;
  readonly withoutSecondFactor?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

export function operatorCommand(): Command {
  const command = new Command('operator').description(
    'Changes the data folder; running servers end the sessions of a changed operator with the next request.',
  );
  command
    .command('list')
    .description('list all operators')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('add')
    .description('add an operator, who chooses a passphrase by a one-time token')
    .argument('<name>')
    .addOption(
      new Option('--role <role>', 'what the operator may do; each role includes the earlier ones')
        .choices([...operatorRoles])
        .default('view'),
    )
    .option('--reason <text>', 'reason, for the audit log', 'added at the command line')
    .option('--json', 'as JSON')
    .action(add);
  command
    .command('remove')
    .description('remove an operator and end their sessions')
    .argument('<name>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action(remove);
  command
    .command('passphrase')
    .description('reset a passphrase: the operator sets another with a one-time token')
    .argument('<name>')
    .option('--without-second-factor', 'remove the authenticator app, too')
    .option('--reason <text>', 'reason, for the audit log', 'reset at the command line')
    .option('--json', 'as JSON')
    .action(passphrase);
  command
    .command('remove-passkeys')
    .description('remove all passkeys of an operator, who signs in with the passphrase again')
    .argument('<name>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action(removePasskeys);
  return command;
}

async function list({ json }: Options): Promise<void> {
  await using opened = await openWithOperators(openExistingMembers);
  const { operators, passkeys } = opened.context.store.read;
  const rows = await Promise.all(
    (await operators.all()).map(
      async ({ name, role, passphrase: stored, totpSeed, createdAt }) => ({
        name,
        role,
        active: stored !== null,
        second_factor: totpSeed !== null,
        passkeys: (await passkeys.of(name)).length,
        created_at: new Date(createdAt).toISOString(),
      }),
    ),
  );
  if (json) return printJson(rows);
  if (rows.length === 0)
    return print('There is no operator yet: ./maru operator add NAME --role owner');
  for (const { name, role, active, second_factor: hasApp, passkeys: count } of rows) {
    const notes = [
      ...(active ? [] : ['invited']),
      ...(hasApp ? ['authenticator app'] : []),
      ...(count === 0 ? [] : [count === 1 ? '1 passkey' : `${count} passkeys`]),
    ];
    print(`${name.padEnd(24)} ${role.padEnd(8)} ${notes.join(', ')}`.trimEnd());
  }
}

async function add(name: string, { role, reason, json }: Options): Promise<void> {
  await using opened = await openWithOperators(openMembers);
  const operator = operatorOf(commandLine, reason);
  printInvitation(await addOperator(opened.context, { name, role }, operator), json);
}

async function remove(name: string, { reason, json }: Options): Promise<void> {
  await using opened = await openWithOperators(openExistingMembers);
  await removeOperator(opened.context, name, operatorOf(commandLine, reason));
  if (json) return printJson({ name, removed: true });
  print(`${name} is removed.`);
}

async function passphrase(
  name: string,
  { withoutSecondFactor, reason, json }: Options,
): Promise<void> {
  await using opened = await openWithOperators(openExistingMembers);
  const change = { isPassphraseReset: true, isSecondFactorRemoved: withoutSecondFactor };
  const operator = operatorOf(commandLine, reason);
  // A reset has a token.
  printInvitation((await changeOperator(opened.context, name, change, operator))!, json);
}

async function removePasskeys(name: string, { reason, json }: Options): Promise<void> {
  await using opened = await openWithOperators(openExistingMembers);
  const operator = operatorOf(commandLine, reason);
  const { length: count } = await opened.context.store.read.passkeys.of(name);
  await changeOperator(opened.context, name, { arePasskeysRemoved: true }, operator);
  if (json) return printJson({ name, removed: count });
  print(count === 0 ? `${name} has no passkey.` : `The passkeys of ${name} are removed: ${count}.`);
}

function printInvitation({ name, token, endsAt }: Invitation, json?: boolean): void {
  const end = new Date(endsAt).toISOString();
  if (json) return printJson({ name, token, ends_at: end });
  print(token);
  print(`One-time token of ${name} until ${end}. They open /join on the operators’ pages with it.`);
}

/** Opens the store, and imports the operators that an earlier release stored in a file. */
async function openWithOperators(
  open: (settings: ReturnType<typeof readSettings>) => Promise<OpenedMembers>,
): Promise<OpenedMembers> {
  const opened = await open(readSettings(process.env));
  try {
    await importOperators(opened.context, opened.folder);
    return opened;
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}
