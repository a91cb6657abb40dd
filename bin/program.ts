import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { catalogCommand, demandCommand } from './catalog.ts';
import { collectCommand } from './collect.ts';
import { loadCommand } from './load.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';

/** The command line as data: what is run, and what the documents are made from. */
export function createProgram(): Command {
  const program = new Command('maru')
    .description('Korea’s open data, held and served without a key.')
    .version(packageFile.version, '-V, --version')
    .showHelpAfterError('(see --help)');
  program.addCommand(serveCommand());
  program.addCommand(loadCommand());
  program.addCommand(collectCommand());
  program.addCommand(catalogCommand());
  program.addCommand(demandCommand());
  program.addCommand(snapshotCommand());
  return program;
}
