import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Calls `act` with the number of the call, from 1, right before each call of this process that changes the disk. */
export function beforeDiskCalls(act: (call: number) => void): void {
  let calls = 0;
  let isActing = false;
  const count = (): void => {
    if (isActing) return;
    isActing = true;
    act(++calls);
    isActing = false;
  };
  intercept(fs, changingCalls, count);
  intercept(DatabaseSync.prototype, ['exec'], count);
  intercept(StatementSync.prototype, ['run'], count);
  syncBuiltinESMExports();
}

const changingCalls = [
  'writeSync',
  'fsyncSync',
  'renameSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'rmSync',
  'writeFileSync',
] as const;

function intercept<Target extends object>(
  target: Target,
  names: readonly (keyof Target)[],
  count: () => void,
): void {
  for (const name of names) {
    const original = target[name] as (this: unknown, ...args: unknown[]) => unknown;
    Object.assign(target, {
      [name](this: unknown, ...args: unknown[]) {
        count();
        return original.apply(this, args);
      },
    });
  }
}
