import { parentPort } from 'node:worker_threads';
import { FileRefused } from '../files/refused.ts';
import { holdAxis, type AxisReport, type AxisTask } from './hold-axis.ts';
import type { Failure, Outcome } from './worker-pool.ts';

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
    const done = await holdAxis(task, tell);
    port!.postMessage({ rows });
    return { done };
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof FileRefused) {
    return { code: error.code, message: error.message, isCrash: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message, isCrash: false };
}

const tellEveryMs = 100;
