import { parentPort } from 'node:worker_threads';
import { failureOf } from './failure.ts';
import { importAxis, type AxisReport, type AxisTask } from './import-axis.ts';
import type { Outcome } from './worker-pool.ts';

/** The thread that reads files: one task at a time, rows told at most ten times a second. */
const port = parentPort;
if (port === null) throw new Error('This file is the body of a thread.');
port.on('message', (task: AxisTask) => {
  void answer(task).then((outcome) => port.postMessage(outcome));
});

async function answer(task: AxisTask): Promise<Outcome<AxisReport>> {
  let told = performance.now();
  let rows = 0;
  const tell = (more: number): void => {
    rows += more;
    if (performance.now() - told < tellEveryMs) return;
    port!.postMessage({ rows });
    told = performance.now();
    rows = 0;
  };
  try {
    const done = await importAxis(task, tell);
    port!.postMessage({ rows });
    return { done };
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

const tellEveryMs = 100;
