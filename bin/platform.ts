import { Command, Option } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import { capabilities } from '../src/contract/enumerations.ts';
import { readPlatformDeclaration } from '../src/members/platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from '../src/members/platforms.ts';
import { declarePlatformFile, openMembers, type OpenedMembers } from './open-members.ts';
import { print, printJson, withNoun } from './terminal.ts';

interface Options {
  readonly name?: string;
  readonly realm?: string;
  readonly assurance?: string;
  readonly origin?: string[];
  readonly addOrigin?: string[];
  readonly capability?: string[];
  readonly cookieDomain: boolean;
  readonly pageStats?: boolean;
  readonly company?: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function platformCommand(): Command {
  const command = new Command('platform').description(
    'Changes the data folder; running servers use it from the next request on.',
  );
  command
    .command('add')
    .description('add a platform, or change one')
    .argument('<code>', 'such as books')
    .option('--name <name>', 'display name')
    .option('--origin <url...>', 'all origins of its pages, such as https://books.example.com')
    .option('--add-origin <url...>', 'additional origins')
    .option('--realm <realm>', 'members are unique within a realm (default: main)')
    .addOption(
      new Option('--assurance <kind>', 'trusted if it verifies addresses').choices([
        'trusted',
        'asserted',
      ]),
    )
    .addOption(
      new Option('--capability <name...>', 'optional abilities').choices([...capabilities]),
    )
    .option('--no-cookie-domain', 'outside the cookie domain: no single sign-on')
    .option('--company <name>', 'company that runs it')
    .option('--page-stats', 'let signed-in members read statistics in its pages (default)')
    .option('--no-page-stats', 'close the statistics to its pages')
    .option('--reason <text>', 'reason, for the audit log', 'added at the command line')
    .option('--json', 'as JSON')
    .action(add);
  command
    .command('declare')
    .description(
      'add and change platforms to match a JSON file, as MARU_MEMBERS_CONFIG does at a start',
    )
    .argument('<file>')
    .option('--reason <text>', 'reason, for the audit log', 'declared at the command line')
    .option('--json', 'as JSON')
    .action(declare);
  command
    .command('list')
    .description('list all platforms')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('disable')
    .description('refuse a platform’s keys from the next request on')
    .argument('<code>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action((code: string, options: Options) => setDisabled(code, true, options));
  command
    .command('enable')
    .description('accept a platform’s keys again')
    .argument('<code>')
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .option('--json', 'as JSON')
    .action((code: string, options: Options) => setDisabled(code, false, options));
  return command;
}

/** Actor of changes at the command line, by anyone who may write to the data folder. */
export const commandLine = 'operator:command-line';

async function add(code: string, options: Options): Promise<void> {
  await using opened = await openMembers(readSettings(process.env));
  const { context, folder } = opened;
  const existing = await context.platforms.byCode(code);
  const originsBefore = existing?.origins ?? [];
  const origins = new Set([...(options.origin ?? originsBefore), ...(options.addOrigin ?? [])]);
  const declaration = readPlatformDeclaration({
    code,
    name: options.name ?? existing?.name ?? code,
    realm: options.realm ?? existing?.realm ?? 'main',
    assurance: options.assurance ?? existing?.assurance ?? 'trusted',
    origins: [...origins],
    capabilities: options.capability ?? existing?.capabilities ?? [],
    cookie_domain: options.cookieDomain && existing?.cookieDomain !== false ? undefined : false,
    page_stats: options.pageStats ?? existing?.pageStats ?? true,
    company: options.company ?? existing?.company ?? null,
    disabled: existing?.disabled ?? false,
  });
  await declarePlatforms(context, [declaration], operatorOf(commandLine, options.reason));
  if (options.json) return printJson(await context.platforms.byCode(code));
  print(`${existing === null ? 'Added' : 'Changed'} ${code} in ${folder}.`);
  print(origins.size === 0 ? 'No page may call yet: --add-origin URL' : 'Pages that may call:');
  for (const origin of origins) print(`  ${origin}`);
  const removed = originsBefore.filter((origin) => !origins.has(origin));
  if (removed.length > 0)
    print(`No longer: ${removed.join(' ')} (--add-origin keeps existing ones)`);
  if (existing === null) print(`Next: ./maru key issue ${code}`);
}

/** Throws for an unknown code, with a hint that the platform may be in the store of another folder. */
export async function requirePlatform(
  { context, folder }: Pick<OpenedMembers, 'context' | 'folder'>,
  code: string,
): Promise<void> {
  const codes = (await context.platforms.all()).map((platform) => platform.code);
  if (codes.includes(code)) return;
  const list = codes.length === 0 ? 'none' : codes.join(', ');
  throw new Error(
    `There is no platform ${code} in ${folder}, which has ${list}. Add it by ./maru platform add ${code}, or set MARU_DATA to the folder of the running service.`,
  );
}

async function declare(file: string, { reason, json }: Options): Promise<void> {
  await using opened = await openMembers(readSettings(process.env));
  const { context } = opened;
  const count = await declarePlatformFile(context, file, operatorOf(commandLine, reason));
  if (json) return printJson(await context.platforms.all());
  print(`${withNoun(count, 'platform matches', 'platforms match')} ${file}.`);
}

async function list({ json }: Options): Promise<void> {
  await using opened = await openMembers(readSettings(process.env));
  const platforms = await opened.context.platforms.all();
  if (json) return printJson(platforms);
  if (platforms.length === 0) {
    return print(
      `There is no platform in ${opened.folder} yet: ./maru platform add CODE. A running service may use another folder: set MARU_DATA to it.`,
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
  await using opened = await openMembers(readSettings(process.env));
  await requirePlatform(opened, code);
  await setPlatformDisabled(opened.context, code, disabled, operatorOf(commandLine, reason));
  if (json) return printJson(await opened.context.platforms.byCode(code));
  print(`${code} is ${disabled ? 'disabled' : 'enabled'}.`);
}
