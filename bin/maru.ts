import { programFor } from './program.ts';
import { runCommand } from './run-command.ts';

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong use, 78 settings it must not start with. */
await runCommand(await programFor(process.argv.slice(2)), process.argv);
