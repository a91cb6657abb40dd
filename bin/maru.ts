import { Command } from 'commander';
import { catalogCommand, demandCommand } from './catalog.ts';
import { loadCommand } from './load.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';
import { runCommand } from './run-command.ts';

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong use. */
const program = new Command('maru')
  .description('Korea’s open data, held and served without a key.')
  .version('1.0.0', '-V, --version')
  .showHelpAfterError('(see --help)')
  .configureHelp({ sortSubcommands: false });

program.addCommand(serveCommand());
program.addCommand(loadCommand());
program.addCommand(catalogCommand());
program.addCommand(demandCommand());
program.addCommand(snapshotCommand());

await runCommand(program, process.argv);
