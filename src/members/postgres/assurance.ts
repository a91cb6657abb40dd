import type { AssuranceDay } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** Changes of assurance by day and platform, in PostgreSQL. */
export function assuranceOf(runner: Runner): MemberTransaction['assurance'] {
  return {
    since: (day, limit) => runner.many(since, day, limit),
    count: ({ day, platformId, upgrades, sessionsEnded }) =>
      runner.run(count, day, platformId, upgrades, sessionsEnded),
  };
}

const since = statement<AssuranceDay>(
  `SELECT day, platform_id, upgrades, sessions_ended FROM assurance_days WHERE day >= $1
   ORDER BY day DESC, platform_id DESC LIMIT $2`,
);
const count = besideStatement(
  `INSERT INTO assurance_days AS known VALUES ($1, $2, $3, $4) ON CONFLICT (day, platform_id) DO UPDATE SET
     upgrades = known.upgrades + excluded.upgrades, sessions_ended = known.sessions_ended + excluded.sessions_ended`,
);
