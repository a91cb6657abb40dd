import type { PreparedSql } from './prepared-sql.ts';
import type { AssuranceDay } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Changes of assurance by day and platform, in SQLite. */
export class SqliteAssurance implements Table {
  readonly #since;
  readonly #count;

  constructor(sql: PreparedSql) {
    this.#since = sql.many<AssuranceDay>(
      `SELECT day, platform_id AS platformId, upgrades, sessions_ended AS sessionsEnded
       FROM assurance_days WHERE day >= ? ORDER BY day DESC, platform_id DESC LIMIT ?`,
    );
    this.#count = sql.change(
      `INSERT INTO assurance_days VALUES (?, ?, ?, ?) ON CONFLICT (day, platform_id) DO UPDATE SET
         upgrades = upgrades + excluded.upgrades, sessions_ended = sessions_ended + excluded.sessions_ended`,
    );
  }

  since(day: number, limit: number): readonly AssuranceDay[] {
    return this.#since(day, limit);
  }

  count({ day, platformId, upgrades, sessionsEnded }: AssuranceDay): void {
    this.#count(day, platformId, upgrades, sessionsEnded);
  }
}

type Table = MemberTransaction['assurance'];
