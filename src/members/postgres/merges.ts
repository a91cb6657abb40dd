import type { Merge } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** Merges in PostgreSQL. Only references change, so that a split restores everything. */
export function mergesOf(runner: Runner): MemberTransaction['merges'] {
  return {
    byId: (id) => runner.one(byId, id),
    into: (memberId, limit) => runner.many(into, memberId, limit),
    async homesIn(memberId, limit) {
      return (await runner.many(homesIn, memberId, limit)).map(({ id }) => id);
    },
    async moveHome(home, to) {
      await runner.run(moveMemberships, to ?? home, home);
      await runner.run(moveEntitlements, to ?? home, home);
      await runner.run(redirect, to, home);
    },
    async insert({ fromId, intoId, homes, mergedAt }) {
      return (await runner.one(insert, fromId, intoId, homes, mergedAt))!.id;
    },
    end: (id, at) => runner.run(end, at, id),
  };
}

const columns = 'id, from_id, into_id, homes, merged_at, split_at';

const byId = statement<Merge>(`SELECT ${columns} FROM merges WHERE id = $1`);
const into = statement<Merge>(
  `SELECT ${columns} FROM merges WHERE into_id = $1 AND split_at IS NULL ORDER BY id DESC LIMIT $2`,
);
const homesIn = statement<{ readonly id: number }>(
  `SELECT id FROM members WHERE merged_into = $1 LIMIT $2`,
);
const moveMemberships = statement(`UPDATE memberships SET member_id = $1 WHERE home_id = $2`);
const moveEntitlements = statement(`UPDATE entitlements SET member_id = $1 WHERE home_id = $2`);
const redirect = statement(`UPDATE members SET merged_into = $1 WHERE id = $2`);
const insert = statement<{ readonly id: number }>(
  `INSERT INTO merges (from_id, into_id, homes, merged_at) VALUES ($1, $2, $3, $4) RETURNING id`,
);
const end = statement(`UPDATE merges SET split_at = $1 WHERE id = $2`);
