import type { EndedSession, LiveSession, MemberSession } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { memberClaim } from './claims.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** Sessions in PostgreSQL: found by the hash of their token, dead as soon as the epoch of the member or the platform grows. */
export function sessionsOf(runner: Runner): MemberTransaction['sessions'] {
  return {
    async live(tokenHash, now) {
      const row = await runner.one(live, tokenHash, now);
      return row && liveOf(row);
    },
    liveCount: async (memberId, now) => (await runner.one(liveCount, memberId, now))!.count,
    ofMember: (memberId, now, limit) => runner.many(ofMember, memberId, now, limit),
    unexpiredCount: async (now) => (await runner.one(unexpiredCount, now))!.count,
    async insert(session, liveMax) {
      const { tokenHash, id, memberId, membershipId, platformId, verified } = session;
      const { epoch, issuedAt, expiresAt } = session;
      await runner.claim(memberClaim({ id: memberId }));
      await runner.run(deleteDead, memberId, issuedAt, epoch);
      await runner.run(deleteOldest, memberId, liveMax - 1);
      const link = [memberId, membershipId, platformId, verified];
      await runner.run(insert, tokenHash, id, ...link, epoch, issuedAt, expiresAt);
    },
    end: (tokenHash) => runner.one(end, tokenHash),
    async endAll(memberId) {
      await runner.run(nextEpoch, memberId);
      // The epoch has ended them; deleting keeps them out of counts of unexpired sessions.
      await runner.run(endOf, memberId);
    },
    endIssuedBy: (memberId, platformId) => runner.run(endIssuedBy, memberId, platformId),
    endAsserted: (memberId) => runner.change(endAsserted, memberId),
    endThrough: (memberId, membershipId) => runner.change(endThrough, memberId, membershipId),
    endOfPlatform: (platformId, before) =>
      before === null
        ? runner.run(nextPlatformEpoch, platformId)
        : runner.run(endBefore, before, platformId),
    deleteExpired: (now, limit) => runner.change(deleteExpired, now, limit),
  };
}

/** A session with its member, as the statement returns them. */
type LiveRow = Omit<LiveSession, 'member' | 'email'> &
  Omit<LiveSession['member'], 'id' | 'status'> & {
    readonly email: string | null;
    readonly memberId: number;
  };

function liveOf({
  id,
  platformId,
  membershipId,
  verified,
  issuedAt,
  expiresAt,
  email,
  platformsVersion,
  memberId,
  ...member
}: LiveRow): LiveSession {
  const session = { id, platformId, membershipId, verified, issuedAt, expiresAt };
  return {
    ...session,
    email: email ?? '',
    platformsVersion,
    member: { ...member, id: memberId, status: 'active' },
  };
}

/** A session `s` that was not ended with others of its platform `p`. */
const ofPlatform = `s.platform_epoch = p.session_epoch AND s.issued_at >= p.sessions_from`;
const withOwners = `sessions s JOIN members m ON m.id = s.member_id JOIN platforms p ON p.id = s.platform_id`;

const live = statement<LiveRow>(
  `SELECT s.id, s.platform_id, s.membership_id, s.verified, s.issued_at, s.expires_at, m.email, m.id AS member_id,
     m.svc_uid, m.realm, m.tier, m.platforms, m.session_epoch AS epoch, m.created_at, m.merged_into, m.entitled,
     (SELECT version FROM versions WHERE name = 'platforms') AS platforms_version
   FROM ${withOwners}
   WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.epoch = m.session_epoch AND ${ofPlatform}
     AND m.status = 'active'`,
);
const liveCount = statement<{ readonly count: number }>(
  `SELECT count(*) AS count FROM ${withOwners}
   WHERE s.member_id = $1 AND s.expires_at > $2 AND s.epoch = m.session_epoch AND ${ofPlatform}`,
);
const ofMember = statement<MemberSession>(
  `SELECT s.id, s.platform_id, s.verified, s.issued_at, s.expires_at FROM ${withOwners}
   WHERE s.member_id = $1 AND s.expires_at > $2 AND s.epoch = m.session_epoch AND ${ofPlatform}
   ORDER BY s.issued_at DESC LIMIT $3`,
);
const unexpiredCount = statement<{ readonly count: number }>(
  `SELECT count(*) AS count FROM sessions s JOIN platforms p ON p.id = s.platform_id
   WHERE s.expires_at > $1 AND ${ofPlatform}`,
);
const deleteDead = besideStatement(
  `DELETE FROM sessions s WHERE s.member_id = $1 AND (s.expires_at <= $2 OR s.epoch <> $3
     OR NOT EXISTS (SELECT 1 FROM platforms p WHERE p.id = s.platform_id AND ${ofPlatform}))`,
);
const deleteOldest = besideStatement(
  `DELETE FROM sessions WHERE token_hash IN (
     SELECT token_hash FROM sessions WHERE member_id = $1 ORDER BY issued_at DESC LIMIT 1000 OFFSET $2)`,
);
const insert = besideStatement(
  `INSERT INTO sessions (token_hash, id, member_id, membership_id, platform_id, verified, epoch, issued_at, expires_at,
     platform_epoch)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, (SELECT session_epoch FROM platforms WHERE id = $5))`,
);
const end = statement<EndedSession>(
  `DELETE FROM sessions WHERE token_hash = $1 RETURNING id, member_id`,
);
const nextEpoch = statement(`UPDATE members SET session_epoch = session_epoch + 1 WHERE id = $1`);
const endOf = statement(`DELETE FROM sessions WHERE member_id = $1`);
const endIssuedBy = statement(`DELETE FROM sessions WHERE member_id = $1 AND platform_id = $2`);
const endAsserted = besideStatement(`DELETE FROM sessions WHERE member_id = $1 AND NOT verified`);
const endThrough = besideStatement(
  `DELETE FROM sessions WHERE member_id = $1 AND membership_id = $2`,
);
const nextPlatformEpoch = statement(
  `UPDATE platforms SET session_epoch = session_epoch + 1 WHERE id = coalesce($1, id)`,
);
const endBefore = statement(
  `UPDATE platforms SET sessions_from = greatest(sessions_from, $1) WHERE id = coalesce($2, id)`,
);
const deleteExpired = statement(
  `DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE expires_at <= $1 LIMIT $2)`,
);
