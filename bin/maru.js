#!/usr/bin/env node
// Starts the command line for npx and on Windows, where the script ./maru does not run. Plain JavaScript, since the Node
// that runs it may be too old for TypeScript; the program runs on the one that npm installed.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const name = process.platform === 'win32' ? 'node.exe' : 'node';
const packageFile = createRequire(import.meta.url).resolve('node/package.json');
const program = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  join(folder, 'maru.ts'),
  ...process.argv.slice(2),
];
const child = spawn(join(dirname(packageFile), 'bin', name), program, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // Ctrl-C in a terminal reaches both; the program decides when to end.
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
}
child.once('error', (error) => {
  process.stderr.write(`${error.message}\nRun npm ci in ${join(folder, '..')}.\n`);
  process.exitCode = 1;
});
child.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
