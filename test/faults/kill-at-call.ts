import { beforeDiskCalls } from './disk-calls.ts';

/**
 * Loaded before a program: ends it with SIGKILL right before its n-th call that changes the disk
 * (`KILL_AT_CALL=n`), as a loss of power would, so that a test can try every moment there is.
 */
const killAt = Number(process.env['KILL_AT_CALL']);
beforeDiskCalls((call) => {
  if (call === killAt) process.kill(process.pid, 'SIGKILL');
});
