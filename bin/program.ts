import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };

/** Makes the command line and loads only the command that `words` call; the others have a name and a summary. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  return programOf((name) => name === called);
}

/** Makes the command line with every command loaded, to generate its reference. */
export function wholeProgram(): Promise<Command> {
  return programOf(() => true);
}

interface CommandGroup {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/**
 * Command groups in the order of the help. Their modules are loaded on use, because loading all of them is slow.
 */
const groups: Readonly<Record<string, CommandGroup>> = {
  serve: {
    summary: 'serve the stored data and the members service',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  mcp: {
    summary: 'answer an assistant over standard input and output',
    load: async () => (await import('./mcp.ts')).mcpCommand(),
  },
  load: {
    summary: 'import data files and publish them',
    load: async () => (await import('./load.ts')).loadCommand(),
  },
  collect: {
    summary: 'collect axes from the portal and publish them',
    load: async () => (await import('./collect.ts')).collectCommand(),
  },
  catalog: {
    summary: 'the portal’s catalog of datasets',
    load: async () => (await import('./catalog.ts')).catalogCommand(),
  },
  demand: {
    summary: 'the ranking of what people search for',
    load: async () => (await import('./demand.ts')).demandCommand(),
  },
  regions: {
    summary: 'boundaries of regions that maps draw',
    load: async () => (await import('./regions.ts')).regionsCommand(),
  },
  snapshot: {
    summary: 'list, verify, compare, roll back, push, follow',
    load: async () => (await import('./snapshot.ts')).snapshotCommand(),
  },
  platform: {
    summary: 'platforms that members come from',
    load: async () => (await import('./platform.ts')).platformCommand(),
  },
  key: {
    summary: 'keys of the platforms’ servers',
    load: async () => (await import('./key.ts')).keyCommand(),
  },
  member: {
    summary: 'find, entitle, export and erase members',
    load: async () => (await import('./member.ts')).memberCommand(),
  },
  members: {
    summary: 'move the members’ store between SQLite and PostgreSQL',
    load: async () => (await import('./members.ts')).membersCommand(),
  },
  consent: {
    summary: 'purposes of consents, and reminders that are due',
    load: async () => (await import('./consent.ts')).consentCommand(),
  },
  session: {
    summary: 'end sessions after an incident',
    load: async () => (await import('./session.ts')).sessionCommand(),
  },
  webhook: {
    summary: 'where changes of members are reported',
    load: async () => (await import('./webhook.ts')).webhookCommand(),
  },
  operator: {
    summary: 'people who run the service, with their roles',
    load: async () => (await import('./operator.ts')).operatorCommand(),
  },
  audit: {
    summary: 'verify the log of what operators and the service did',
    load: async () => (await import('./audit.ts')).auditCommand(),
  },
  doctor: {
    summary: 'check that single sign-on can work',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  backup: {
    summary: 'copy the members’ store while it is in use',
    load: async () => (await import('./backup.ts')).backupCommand(),
  },
};

async function programOf(isWanted: (name: string) => boolean): Promise<Command> {
  const program = new Command('maru')
    .description('Korea’s open data without a service key, and central members for platforms.')
    .version(packageFile.version, '-V, --version')
    .showHelpAfterError('(see --help)');
  for (const [name, { summary, load }] of Object.entries(groups)) {
    const command = isWanted(name) ? await load() : new Command(name);
    program.addCommand(command.summary(summary));
  }
  return program;
}
