import { failureOf } from './failure.ts';
import { importAxis, type AxisReport, type AxisTask } from './import-axis.ts';
import type { Outcome } from './worker-pool.ts';

/** Imports an axis. An error becomes the outcome of its task, so that the other tasks go on. */
export async function importOutcome(
  task: AxisTask,
  onRows: (rows: number) => void,
): Promise<Outcome<AxisReport>> {
  try {
    return { done: await importAxis(task, onRows) };
  } catch (error) {
    return { failed: failureOf(error) };
  }
}
