import { Command, Option } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import { capabilities, readPlatformDeclaration } from '../src/members/platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from '../src/members/platforms.ts';
import { declareFromFile, openMembers, type OpenedMembers } from './open-members.ts';
import { print, printJson, several } from './terminal.ts';

interface Options {
  readonly name?: string;
  readonly realm?: string;
  readonly assurance?: string;
  readonly origin?: string[];
  readonly addOrigin?: string[];
  readonly capability?: string[];
  readonly cookieDomain: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

export function platformCommand(): Command {
  const command = new Command('platform').description(
    'Works on the data folder; running servers follow at their next request.',
  );
  command
    .command('add')
    .description('add a platform, or change one')
    .argument('<code>', 'such as books')
    .option('--name <name>', 'name for people')
    .option('--origin <url...>', 'all origins of its pages, such as https://books.example.com')
    .option('--add-origin <url...>', 'origins beside those it has')
    .option('--realm <realm>', 'members are unique within a realm (default: main)')
    .addOption(
      new Option('--assurance <kind>', 'whether it verifies addresses').choices([
        'trusted',
        'asserted',
      ]),
    )
    .addOption(new Option('--capability <name...>', 'what it may do').choices([...capabilities]))
    .option('--no-cookie-domain', 'it lies outside the cookie domain: no single sign-on')
    .option('--reason <text>', 'why, for the audit', 'added at the command line')
    .option('--json', 'as JSON')
    .action(add);
  command
    .command('declare')
    .description('make platforms what a JSON file says, as MARU_MEMBERS_CONFIG does at a start')
    .argument('<file>')
    .option('--reason <text>', 'why, for the audit', 'declared at the command line')
    .option('--json', 'as JSON')
    .action(declare);
  command.command('list').description('every platform').option('--json', 'as JSON').action(list);
  command
    .command('disable')
    .description('refuse a platform’s keys from the next request on')
    .argument('<code>')
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--json', 'as JSON')
    .action((code: string, options: Options) => setDisabled(code, true, options));
  command
    .command('enable')
    .description('let a platform in again')
    .argument('<code>')
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--json', 'as JSON')
    .action((code: string, options: Options) => setDisabled(code, false, options));
  return command;
}

/** Who acts at the command line: whoever may write to the data folder. */
export const commandLine = 'operator:command-line';

async function add(code: string, options: Options): Promise<void> {
  await using opened = openMembers(readSettings(process.env));
  const { context, folder } = opened;
  const known = await context.platforms.byCode(code);
  const before = known?.origins ?? [];
  const origins = new Set([...(options.origin ?? before), ...(options.addOrigin ?? [])]);
  const declared = readPlatformDeclaration({
    code,
    name: options.name ?? known?.name ?? code,
    realm: options.realm ?? known?.realm ?? 'main',
    assurance: options.assurance ?? known?.assurance ?? 'trusted',
    origins: [...origins],
    capabilities: options.capability ?? known?.capabilities ?? [],
    cookie_domain: options.cookieDomain && (known?.cookieDomain ?? true),
    disabled: known?.disabled ?? false,
  });
  await declarePlatforms(context, [declared], operatorOf(commandLine, options.reason));
  if (options.json) return printJson(await context.platforms.byCode(code));
  print(`${known === null ? 'Added' : 'Changed'} ${code} in ${folder}.`);
  print(origins.size === 0 ? 'No page may call yet: --add-origin URL' : 'Pages that may call:');
  for (const origin of origins) print(`  ${origin}`);
  const gone = before.filter((origin) => !origins.has(origin));
  if (gone.length > 0) print(`No longer: ${gone.join(' ')} (--add-origin keeps what there is)`);
  if (known === null) print(`Next: ./maru key issue ${code}`);
}

/** For a code that the store does not have: whoever typed it may have meant the store of another folder. */
export async function requireKnown(
  { context, folder }: Pick<OpenedMembers, 'context' | 'folder'>,
  code: string,
): Promise<void> {
  const codes = (await context.platforms.all()).map((platform) => platform.code);
  if (codes.includes(code)) return;
  const held = codes.length === 0 ? 'none' : codes.join(', ');
  throw new Error(
    `There is no platform ${code} in ${folder}, which has ${held}. Add it by ./maru platform add ${code}, or name the folder of the running service by MARU_DATA.`,
  );
}

async function declare(file: string, { reason, json }: Options): Promise<void> {
  await using opened = openMembers(readSettings(process.env));
  const { context } = opened;
  const declared = await declareFromFile(context, file, operatorOf(commandLine, reason));
  if (json) return printJson(await context.platforms.all());
  print(`${several(declared, 'platform is', 'platforms are')} as ${file} says.`);
}

async function list({ json }: Options): Promise<void> {
  await using opened = openMembers(readSettings(process.env));
  const platforms = await opened.context.platforms.all();
  if (json) return printJson(platforms);
  if (platforms.length === 0) {
    return print(
      `There is no platform in ${opened.folder} yet: ./maru platform add CODE. A running service may have another folder: MARU_DATA names it.`,
    );
  }
  for (const { code, name, realm, assurance, origins, cookieDomain, disabled } of platforms) {
    const notes = [
      realm,
      assurance,
      ...(cookieDomain ? [] : ['outside the cookie domain']),
      ...(disabled ? ['DISABLED'] : []),
    ];
    print(`${code.padEnd(16)} ${name}  [${notes.join(', ')}]  ${origins.join(' ')}`);
  }
}

async function setDisabled(
  code: string,
  disabled: boolean,
  { reason, json }: Options,
): Promise<void> {
  await using opened = openMembers(readSettings(process.env));
  await requireKnown(opened, code);
  await setPlatformDisabled(opened.context, code, disabled, operatorOf(commandLine, reason));
  if (json) return printJson(await opened.context.platforms.byCode(code));
  print(`${code} is ${disabled ? 'disabled' : 'enabled'}.`);
}
