import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong use, 78 settings it must not start with. */
// Compiled modules are stored beside the program: a folder that other users may write to could not be trusted.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { programFor } = await import('./program.ts');
const { runCommand } = await import('./run-command.ts');
await runCommand(await programFor(process.argv.slice(2)), process.argv);
