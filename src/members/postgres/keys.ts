import type { ApiKey, PresentedKey } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** API keys in PostgreSQL, with the hash of each secret only. */
export function keysOf(runner: Runner): MemberTransaction['keys'] {
  return {
    byId: (kid) => runner.one(byId, kid),
    presented: (kid) => runner.one(presented, kid),
    live: (platformId, now, limit) => runner.many(live, platformId, now, limit),
    list(after, limit) {
      const { createdAt, kid } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, kid: '' };
      return runner.many(list, createdAt, kid, limit);
    },
    insert({ kid, platformId, environment, label, scopes, secretHash, createdAt, expiresAt }) {
      const rights = [platformId, environment, label, scopes];
      return runner.run(insert, kid, ...rights, secretHash, createdAt, expiresAt);
    },
    update: ({ kid, label, scopes, expiresAt, revokedAt, leakedAt, replacedBy }) =>
      runner.run(update, label, scopes, expiresAt, revokedAt, leakedAt, replacedBy, kid),
    markUsed: (kid, day) => runner.run(markUsed, day, kid),
    markSeenInBrowser: (kid, day) => runner.run(markSeen, day, kid),
  };
}

const columns = `kid, platform_id, environment, label, scopes, secret_hash, created_at, expires_at, revoked_at, leaked_at,
  last_used_day, browser_seen_day, replaced_by`;

const byId = statement<ApiKey>(`SELECT ${columns} FROM api_keys WHERE kid = $1`);
const presented = statement<PresentedKey>(
  `SELECT platform_id, scopes, secret_hash, expires_at, revoked_at, last_used_day,
     (SELECT version FROM versions WHERE name = 'platforms') AS platforms_version
   FROM given JOIN api_keys ON kid = given.key`,
  { key: 'text' },
);
const live = statement<ApiKey>(
  `SELECT ${columns} FROM api_keys WHERE (platform_id = $1 OR $1::integer IS NULL AND platform_id IS NULL)
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC LIMIT $3`,
);
const list = statement<ApiKey>(
  `SELECT ${columns} FROM api_keys WHERE (created_at, kid) < ($1, $2) ORDER BY created_at DESC, kid DESC LIMIT $3`,
);
const insert = statement(
  `INSERT INTO api_keys (kid, platform_id, environment, label, scopes, secret_hash, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const update = statement(
  `UPDATE api_keys SET label = $1, scopes = $2, expires_at = $3, revoked_at = $4, leaked_at = $5, replaced_by = $6
   WHERE kid = $7`,
);
const markUsed = besideStatement(`UPDATE api_keys SET last_used_day = $1 WHERE kid = $2`);
const markSeen = besideStatement(`UPDATE api_keys SET browser_seen_day = $1 WHERE kid = $2`);
