import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { catalogCommand } from './catalog.ts';
import { collectCommand } from './collect.ts';
import { demandCommand } from './demand.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommand } from './key.ts';
import { loadCommand } from './load.ts';
import { memberCommand } from './member.ts';
import { platformCommand } from './platform.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';

/** The command line as data: what is run, and what the documents are made from. */
export function createProgram(): Command {
  const program = new Command('maru')
    .description('Korea’s open data, served without a key; and the central members of platforms.')
    .version(packageFile.version, '-V, --version')
    .showHelpAfterError('(see --help)');
  program.addCommand(serveCommand());
  program.addCommand(loadCommand());
  program.addCommand(collectCommand());
  program.addCommand(catalogCommand());
  program.addCommand(demandCommand());
  program.addCommand(snapshotCommand());
  program.addCommand(platformCommand());
  program.addCommand(keyCommand());
  program.addCommand(memberCommand());
  program.addCommand(auditCommand());
  program.addCommand(doctorCommand());
  program.addCommand(backupCommand());
  return program;
}
