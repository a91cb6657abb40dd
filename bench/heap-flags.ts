/** The flags that `maru` and `npm start` run with, for benchmarks that start a process of their own. */
export const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=100'] as const;
