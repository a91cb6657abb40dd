import type { Consent, ConsentPurpose, GivenConsent } from '../store/consent-entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { touchPlatforms } from './platforms.ts';
import { besideStatement, statement } from './statement.ts';

/** Consents in PostgreSQL. A statement stays as it is; only its last repetition and the mark of the latest one change. */
export function consentsOf(runner: Runner): MemberTransaction['consents'] {
  return {
    of: (membershipId, limit) => runner.many(ofMembership, membershipId, limit),
    latest: (membershipId, limit) => runner.many(latest, membershipId, limit),
    givenBefore: (purpose, moment, after, limit) =>
      runner.many(givenBefore, purpose, moment, after.givenAt, after.id, limit),
    unreported: (purpose, moment, limit) => runner.many(unreported, purpose, moment, limit),
    async purposes() {
      return (await runner.many(purposes)).map(({ purpose }) => purpose);
    },
    async insert({ membershipId, purpose, granted, textVersion, givenAt, reminded }) {
      await runner.run(supersede, membershipId, purpose, givenAt);
      const values = [membershipId, purpose, granted, textVersion, givenAt, reminded];
      return (await runner.one(insert, ...values))!.id;
    },
    markReported: (id) => runner.run(markReported, id),
    repeat: (id, repeatedAt) => runner.run(repeat, repeatedAt, id),
    async putPurpose(purpose) {
      await runner.run(putPurpose, purpose.code, JSON.stringify(purpose));
      await runner.run(touchPlatforms);
    },
  };
}

const columns = `c.id, c.membership_id, c.purpose, c.granted, c.text_version, c.given_at, c.repeated_at, c.reminded`;
const givenColumns = `${columns}, m.svc_uid, ms.platform_id, ms.local_user_id`;
const givenTables = `consents c JOIN memberships ms ON ms.id = c.membership_id JOIN members m ON m.id = ms.member_id`;

const ofMembership = besideStatement<Consent>(
  `SELECT found.* FROM given CROSS JOIN LATERAL (
     SELECT ${columns} FROM consents c WHERE c.membership_id = given.membership ORDER BY c.id LIMIT given.most) found`,
  { membership: 'bigint', most: 'bigint' },
);
const latest = besideStatement<Consent>(
  `SELECT found.* FROM given CROSS JOIN LATERAL (
     SELECT ${columns} FROM consents c WHERE c.membership_id = given.membership AND c.is_latest
     ORDER BY c.purpose LIMIT given.most) found`,
  { membership: 'bigint', most: 'bigint' },
);
const givenBefore = statement<GivenConsent>(
  `SELECT ${givenColumns} FROM ${givenTables}
   WHERE c.purpose = $1 AND c.is_latest AND c.granted AND c.given_at <= $2 AND (c.given_at, c.id) > ($3, $4)
   ORDER BY c.given_at, c.id LIMIT $5`,
);
const unreported = statement<GivenConsent>(
  `SELECT ${givenColumns} FROM ${givenTables}
   WHERE c.purpose = $1 AND c.is_latest AND c.granted AND NOT c.due_reported AND c.given_at <= $2
   ORDER BY c.given_at LIMIT $3`,
);
const markReported = statement(`UPDATE consents SET due_reported = true WHERE id = $1`);
const purposes = statement<{ readonly purpose: ConsentPurpose }>(
  `SELECT purpose FROM consent_purposes ORDER BY code LIMIT 100`,
);
const supersede = besideStatement(
  `UPDATE consents SET is_latest = false
   FROM given WHERE membership_id = given.membership AND purpose = given.about AND is_latest AND repeated_at <= given.moment`,
  { membership: 'bigint', about: 'text', moment: 'bigint' },
  ['membership', 'about'],
);
const insert = besideStatement<{ readonly id: number }>(
  `INSERT INTO consents (membership_id, purpose, granted, text_version, given_at, repeated_at, reminded, is_latest)
   SELECT membership, about, granted, text_version, moment, moment, reminded, 0 = (
     SELECT count(*) FROM consents c WHERE c.membership_id = membership AND c.purpose = about AND c.is_latest)
   FROM given
   RETURNING membership_id, purpose, id`,
  {
    membership: 'bigint',
    about: 'text',
    granted: 'boolean',
    text_version: 'text',
    moment: 'bigint',
    reminded: 'boolean',
  },
  ['membership', 'about'],
);
const repeat = besideStatement(
  `UPDATE consents SET repeated_at = greatest(repeated_at, $1) WHERE id = $2`,
);
const putPurpose = statement(
  `INSERT INTO consent_purposes VALUES ($1, $2) ON CONFLICT (code) DO UPDATE SET purpose = excluded.purpose`,
);
