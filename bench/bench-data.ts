import { resolve } from 'node:path';

/** Folder in which `bench/load.ts` leaves its snapshot for the other benchmarks. */
export const benchData = resolve(import.meta.dirname, '..', 'var-bench');
