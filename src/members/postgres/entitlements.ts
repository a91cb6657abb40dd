import type { Entitlement, EntitlementPolicy } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { touchPlatforms } from './platforms.ts';
import { statement } from './statement.ts';

/** Entitlements in PostgreSQL. Only the end of a row changes; what is over stays as history. */
export function entitlementsOf(runner: Runner): MemberTransaction['entitlements'] {
  return {
    at: (memberId, at, limit) => runner.many(inForce, memberId, at, limit),
    pending: (memberId, now, limit) => runner.many(pending, memberId, now, limit),
    history: (memberId, limit) => runner.many(history, memberId, limit),
    by: (platformId, memberId, limit) => runner.many(byPlatform, platformId, memberId, limit),
    due: (now, limit) => runner.many(due, now, limit),
    policy: async () => (await runner.one(policy))!,
    async insert({ homeId, memberId, code, platformId, ...times }) {
      const { startsAt, endsAt, overAt, grantedAt, reportAt } = times;
      const owner = [homeId, memberId, code, platformId];
      return (await runner.one(insert, ...owner, startsAt, endsAt, overAt, grantedAt, reportAt))!
        .id;
    },
    end: (id, overAt, reportAt) => runner.run(end, overAt, reportAt, id),
    giveTo: (id, { homeId, memberId }) => runner.run(giveTo, homeId, memberId, id),
    planReport: (id, reportAt) => runner.run(planReport, reportAt, id),
    deleteOldest: (memberId, now, rowsMax) => runner.run(deleteOldest, memberId, now, rowsMax),
    mark: (memberId, now) => runner.run(mark, memberId, now),
    async putPolicy({ codes, tiers }) {
      await runner.run(putPolicy, codes && JSON.stringify(codes), JSON.stringify(tiers));
      await runner.run(touchPlatforms);
    },
  };
}

const columns = `id, home_id, member_id, code, platform_id, starts_at, ends_at, over_at, granted_at, report_at`;

const inForce = statement<Entitlement>(
  `SELECT ${columns} FROM entitlements WHERE member_id = $1 AND over_at > $2 AND starts_at <= $2
   ORDER BY code, id LIMIT $3`,
);
const pending = statement<Entitlement>(
  `SELECT ${columns} FROM entitlements WHERE member_id = $1 AND over_at > $2 ORDER BY id LIMIT $3`,
);
const history = statement<Entitlement>(
  `SELECT ${columns} FROM entitlements WHERE member_id = $1 ORDER BY id DESC LIMIT $2`,
);
const byPlatform = statement<Entitlement>(
  `SELECT ${columns} FROM entitlements WHERE member_id = $2 AND platform_id = $1 ORDER BY id DESC LIMIT $3`,
);
const due = statement<Entitlement>(
  `SELECT ${columns} FROM entitlements WHERE report_at <= $1 ORDER BY report_at LIMIT $2`,
);
const policy = statement<EntitlementPolicy>(
  `SELECT codes, tiers FROM entitlement_policy WHERE one = 1`,
);
const insert = statement<{ readonly id: number }>(
  `INSERT INTO entitlements
     (home_id, member_id, code, platform_id, starts_at, ends_at, over_at, granted_at, report_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
);
const end = statement(`UPDATE entitlements SET over_at = $1, report_at = $2 WHERE id = $3`);
const giveTo = statement(`UPDATE entitlements SET home_id = $1, member_id = $2 WHERE id = $3`);
const planReport = statement(`UPDATE entitlements SET report_at = $1 WHERE id = $2`);
const deleteOldest = statement(
  `DELETE FROM entitlements WHERE over_at <= $2 AND id IN (
     SELECT id FROM entitlements WHERE member_id = $1 ORDER BY id DESC LIMIT 100 OFFSET $3)`,
);
const mark = statement(
  `UPDATE members SET entitled =
     EXISTS (SELECT 1 FROM entitlements WHERE member_id = $1 AND over_at > $2)::integer WHERE id = $1`,
);
const putPolicy = statement(`UPDATE entitlement_policy SET codes = $1, tiers = $2 WHERE one = 1`);
