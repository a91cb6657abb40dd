import { parentPort } from 'node:worker_threads';
import type { AxisReport, AxisTask } from './import-axis.ts';
import { importOutcome } from './import-outcome.ts';
import type { Outcome } from './worker-pool.ts';

/** Body of a worker thread: imports one axis at a time, with at most ten progress messages a second. */
const port = parentPort;
if (port === null)
  throw new Error('worker.ts runs only as a worker thread; start it through WorkerPool.');
port.on('message', (task: AxisTask) => {
  void run(task).then((outcome) => port.postMessage(outcome));
});

async function run(task: AxisTask): Promise<Outcome<AxisReport>> {
  let reportedAt = performance.now();
  let rows = 0;
  const report = (count: number): void => {
    rows += count;
    if (performance.now() - reportedAt < reportEveryMs) return;
    port!.postMessage({ rows });
    reportedAt = performance.now();
    rows = 0;
  };
  const outcome = await importOutcome(task, report);
  port!.postMessage({ rows });
  return outcome;
}

const reportEveryMs = 100;
