import type { AxisDefinition } from '../operations/definition.ts';
import type { CollectionTime } from '../operations/choices.ts';
import { plannedRequests } from '../operations/plan.ts';
import { dayMs } from '../../data/korean-time.ts';
import { attemptAxis, type Attempt, type AttemptOptions } from './attempt.ts';
import { durationMs } from './due.ts';
import type { Run } from './runs.ts';

/** What is collected in runs of its own: an operation of the portal, or a dataset by its number. */
export interface Collectable {
  readonly code: string;
  readonly title: string;
  readonly keeps: 'accumulate' | 'mirror';
  /** How many calls it may take, and how old a run may be that is gone on with. */
  plan(time: CollectionTime): { readonly requests: number; readonly resumableMs: number };
  /** Asks what is not stored, builds the axis and inspects it. Throws `PortalError` or `FileRefused`. */
  attempt(run: Run, options: AttemptOptions): Promise<Attempt>;
}

/** One of the portal's operations as something to collect. */
export function operationOf(axis: AxisDefinition): Collectable {
  const { code, title, keeps } = axis;
  return {
    code,
    title,
    keeps,
    plan(time) {
      const { requests, days } = plannedRequests(axis, time);
      return { requests, resumableMs: Math.max(durationMs(axis.schedule), (days + 1) * dayMs) };
    },
    attempt: (run, options) => attemptAxis(axis, run, options),
  };
}
