import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeDiskCalls } from './disk-calls.ts';

/**
 * Loaded before a program: copies `COPIED_FOLDER` to `COPIES/n` right before the n-th call that changes the disk. A
 * kill at this moment would leave the same files, so that a test can look at every moment of one run.
 */
const folder = process.env['COPIED_FOLDER']!;
const copies = process.env['COPIES']!;
beforeDiskCalls((call) => {
  cpSync(folder, join(copies, String(call)), { recursive: true });
});
