import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong use, 78 unsafe settings. */
// Compiled modules are stored beside the program, because other users could write to a folder outside of it.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { programFor } = await import('./program.ts');
const { runCommand } = await import('./run-command.ts');
await runCommand(await programFor(process.argv.slice(2)), process.argv);
