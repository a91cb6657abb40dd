import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

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
intercept(fs, changing);
intercept(DatabaseSync.prototype, ['exec']);
intercept(StatementSync.prototype, ['run']);
syncBuiltinESMExports();

function intercept<Target extends object>(target: Target, names: readonly (keyof Target)[]): void {
  for (const name of names) {
    const original = target[name] as (this: unknown, ...given: unknown[]) => unknown;
    Object.assign(target, {
      [name](this: unknown, ...given: unknown[]) {
        if (++calls === killAt) process.kill(process.pid, 'SIGKILL');
        return original.apply(this, given);
      },
    });
  }
}
