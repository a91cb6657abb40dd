import type { JobRun } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** The last run of each job, in PostgreSQL. */
export function jobsOf(runner: Runner): MemberTransaction['jobs'] {
  return {
    all: () => runner.many(all),
    put: ({ name, startedAt, finishedAt, removed, failure }) =>
      runner.run(put, name, startedAt, finishedAt, removed, failure),
  };
}

const all = statement<JobRun>(
  `SELECT name, started_at, finished_at, removed, failure FROM jobs ORDER BY name LIMIT 100`,
);
const put = statement(
  `INSERT INTO jobs VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO UPDATE SET
     started_at = excluded.started_at, finished_at = excluded.finished_at, removed = excluded.removed,
     failure = excluded.failure`,
);
