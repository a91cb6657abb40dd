import type { PreparedSql } from './prepared-sql.ts';
import type { Consent, ConsentPurpose, GivenConsent, NewConsent } from './consent-entities.ts';
import type { MemberTransaction } from './store.ts';

/** Consents in SQLite. A statement stays as it is; only its last repetition and the mark of the latest one change. */
export class SqliteConsents implements Table {
  readonly #of;
  readonly #latest;
  readonly #givenBefore;
  readonly #unreported;
  readonly #markReported;
  readonly #purposes;
  readonly #supersede;
  readonly #insert;
  readonly #repeat;
  readonly #putPurpose;
  readonly #touch;

  constructor(sql: PreparedSql) {
    this.#of = sql.many<ConsentRow>(
      `SELECT ${columns} FROM consents c WHERE membership_id = ? ORDER BY id LIMIT ?`,
    );
    this.#latest = sql.many<ConsentRow>(
      `SELECT ${columns} FROM consents c WHERE membership_id = ? AND is_latest = 1 ORDER BY purpose LIMIT ?`,
    );
    this.#givenBefore = sql.many<GivenRow>(
      `SELECT ${givenColumns} FROM ${givenTables}
       WHERE c.purpose = ?1 AND c.is_latest = 1 AND c.granted = 1 AND c.given_at <= ?2
         AND (c.given_at, c.id) > (?3, ?4)
       ORDER BY c.given_at, c.id LIMIT ?5`,
    );
    this.#unreported = sql.many<GivenRow>(
      `SELECT ${givenColumns} FROM ${givenTables}
       WHERE c.purpose = ? AND c.is_latest = 1 AND c.granted = 1 AND c.due_reported = 0 AND c.given_at <= ?
       ORDER BY c.given_at LIMIT ?`,
    );
    this.#markReported = sql.change(`UPDATE consents SET due_reported = 1 WHERE id = ?`);
    this.#purposes = sql.many<{ purpose: string }>(
      `SELECT purpose FROM consent_purposes ORDER BY code LIMIT 100`,
    );
    this.#supersede = sql.change(
      `UPDATE consents SET is_latest = 0
       WHERE membership_id = ? AND purpose = ? AND is_latest = 1 AND repeated_at <= ?`,
    );
    this.#insert = sql.insertion(
      `INSERT INTO consents (membership_id, purpose, granted, text_version, given_at, repeated_at, reminded, is_latest)
       VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, NOT EXISTS (
         SELECT 1 FROM consents WHERE membership_id = ?1 AND purpose = ?2 AND is_latest = 1))`,
    );
    this.#repeat = sql.change(`UPDATE consents SET repeated_at = max(repeated_at, ?) WHERE id = ?`);
    this.#putPurpose = sql.change(
      `INSERT INTO consent_purposes VALUES (?, ?)
       ON CONFLICT (code) DO UPDATE SET purpose = excluded.purpose`,
    );
    this.#touch = sql.change(`UPDATE versions SET version = version + 1 WHERE name = 'platforms'`);
  }

  of(membershipId: number, limit: number): readonly Consent[] {
    return this.#of(membershipId, limit).map(consentOf);
  }

  latest(membershipId: number, limit: number): readonly Consent[] {
    return this.#latest(membershipId, limit).map(consentOf);
  }

  givenBefore(
    purpose: string,
    moment: number,
    after: { readonly givenAt: number; readonly id: number },
    limit: number,
  ): readonly GivenConsent[] {
    return this.#givenBefore(purpose, moment, after.givenAt, after.id, limit).map(givenOf);
  }

  unreported(purpose: string, moment: number, limit: number): readonly GivenConsent[] {
    return this.#unreported(purpose, moment, limit).map(givenOf);
  }

  purposes(): readonly ConsentPurpose[] {
    // Written by `putPurpose` from this type.
    return this.#purposes().map(({ purpose }) => JSON.parse(purpose) as ConsentPurpose);
  }

  insert(consent: NewConsent): number {
    const { membershipId, purpose, granted, textVersion, givenAt, reminded } = consent;
    this.#supersede(membershipId, purpose, givenAt);
    return this.#insert(
      membershipId,
      purpose,
      Number(granted),
      textVersion,
      givenAt,
      Number(reminded),
    );
  }

  markReported(id: number): void {
    this.#markReported(id);
  }

  repeat(id: number, repeatedAt: number): void {
    this.#repeat(repeatedAt, id);
  }

  putPurpose(purpose: ConsentPurpose): void {
    this.#putPurpose(purpose.code, JSON.stringify(purpose));
    this.#touch();
  }
}

function consentOf({ granted, reminded, ...row }: ConsentRow): Consent {
  return { ...row, granted: granted === 1, reminded: reminded === 1 };
}

function givenOf(row: GivenRow): GivenConsent {
  return { ...row, ...consentOf(row) };
}

interface ConsentRow extends Omit<Consent, 'granted' | 'reminded'> {
  readonly granted: number;
  readonly reminded: number;
}

interface GivenRow extends Omit<GivenConsent, 'granted' | 'reminded'> {
  readonly granted: number;
  readonly reminded: number;
}

const columns = `c.id, c.membership_id AS membershipId, c.purpose, c.granted, c.text_version AS textVersion,
  c.given_at AS givenAt, c.repeated_at AS repeatedAt, c.reminded`;

const givenColumns = `${columns}, m.svc_uid AS svcUid, ms.platform_id AS platformId, l.local_user_id AS localUserId`;
const givenTables = `consents c JOIN memberships ms ON ms.id = c.membership_id JOIN members m ON m.id = ms.member_id
  JOIN local_users l ON l.membership_id = ms.id`;

type Table = MemberTransaction['consents'];
