import { failureOf } from './failure.ts';
import { importAxis, type AxisReport, type AxisTask } from './import-axis.ts';
import type { Outcome } from './worker-pool.ts';

/** Imports an axis; an error is the outcome of its task and ends no other. */
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
