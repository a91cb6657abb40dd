import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before a program: ends it with SIGKILL right before its n-th call that changes the disk
 * (`KILL_AT_CALL=n`), as a loss of power would, so that a test can try every moment there is.
 */
const killAt = Number(process.env['KILL_AT_CALL']);
let calls = 0;
const changing = [
  'writeSync',
  'fsyncSync',
  'renameSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'rmSync',
  'writeFileSync',
] as const;
for (const name of changing) {
  const original = fs[name] as (...given: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...given: unknown[]) => {
      if (++calls === killAt) process.kill(process.pid, 'SIGKILL');
      return original(...given);
    },
  });
}
syncBuiltinESMExports();
