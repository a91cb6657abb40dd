import type { EndedSession, LiveSession, MemberSession } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { memberClaim } from './claims.ts';
import { besideStatement, statement } from './statement.ts';
import { tableOver } from './table-over.ts';

/** Sessions in PostgreSQL: found by the hash of their token, dead as soon as the epoch of the member or the platform grows. */
export const sessionsOf = tableOver<MemberTransaction['sessions']>({
  async live(tokenHash, now) {
    const row = await this.runner.one(live, tokenHash, now);
    return row && liveOf(row);
  },
  async liveCount(memberId, now) {
    return (await this.runner.one(liveCount, memberId, now))!.count;
  },
  ofMember(memberId, now, limit) {
    return this.runner.many(ofMember, memberId, now, limit);
  },
  async unexpiredCount(now) {
    return (await this.runner.one(unexpiredCount, now))!.count;
  },
  async insert(session, liveMax) {
    const { tokenHash, id, memberId, membershipId, platformId, verified } = session;
    const { epoch, issuedAt, expiresAt } = session;
    await this.runner.claim(memberClaim({ id: memberId }));
    await this.runner.run(deleteDead, memberId, issuedAt, epoch);
    await this.runner.run(deleteOldest, memberId, liveMax - 1);
    const link = [memberId, membershipId, platformId, verified];
    await this.runner.run(insert, tokenHash, id, ...link, epoch, issuedAt, expiresAt);
  },
  end(tokenHash) {
    return this.runner.one(end, tokenHash);
  },
  async endAll(memberId) {
    await this.runner.run(nextEpoch, memberId);
    // The epoch has ended them; deleting keeps them out of counts of unexpired sessions.
    await this.runner.run(endOf, memberId);
  },
  endIssuedBy(memberId, platformId) {
    return this.runner.run(endIssuedBy, memberId, platformId);
  },
  endAsserted(memberId) {
    return this.runner.change(endAsserted, memberId);
  },
  endThrough(memberId, membershipId) {
    return this.runner.change(endThrough, memberId, membershipId);
  },
  endOfPlatform(platformId, before) {
    return before === null
      ? this.runner.run(nextPlatformEpoch, platformId)
      : this.runner.run(endBefore, before, platformId);
  },
  deleteExpired(now, limit) {
    return this.runner.change(deleteExpired, now, limit);
  },
});

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
   FROM given, ${withOwners}
   WHERE s.token_hash = given.hash AND s.expires_at > given.now AND s.epoch = m.session_epoch AND ${ofPlatform} AND m.status = 'active'`,
  { hash: 'bytea', now: 'bigint' },
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
  `DELETE FROM sessions s USING given
   WHERE s.member_id = given.member AND (s.expires_at <= given.now OR s.epoch <> given.present_epoch
     OR NOT EXISTS (SELECT 1 FROM platforms p WHERE p.id = s.platform_id AND ${ofPlatform}))`,
  { member: 'bigint', now: 'bigint', present_epoch: 'integer' },
  ['member'],
);
const deleteOldest = besideStatement(
  `DELETE FROM sessions WHERE token_hash IN (
     SELECT old.token_hash FROM given CROSS JOIN LATERAL (
       SELECT token_hash FROM sessions WHERE member_id = given.member
       ORDER BY issued_at DESC LIMIT 1000 OFFSET given.kept) old)`,
  { member: 'bigint', kept: 'bigint' },
  ['member'],
);
const insert = besideStatement(
  `INSERT INTO sessions (token_hash, id, member_id, membership_id, platform_id, verified, epoch, issued_at, expires_at,
     platform_epoch)
   SELECT hash, session, member, membership, platform, verified, present_epoch, issued_at, expires_at,
     (SELECT session_epoch FROM platforms WHERE id = platform) FROM given`,
  {
    hash: 'bytea',
    session: 'text',
    member: 'bigint',
    membership: 'bigint',
    platform: 'integer',
    verified: 'boolean',
    present_epoch: 'integer',
    issued_at: 'bigint',
    expires_at: 'bigint',
  },
  ['hash'],
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
