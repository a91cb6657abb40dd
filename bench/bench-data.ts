import { resolve } from 'node:path';

/** Where `bench/load.ts` leaves its snapshot and the other benchmarks find it. */
export const benchData = resolve(import.meta.dirname, '..', 'var-bench');
