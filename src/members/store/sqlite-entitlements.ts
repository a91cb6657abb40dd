import type { PreparedSql } from './prepared-sql.ts';
import type { Entitlement, EntitlementPolicy, NewEntitlement } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Entitlements in SQLite. Only the end of a row changes; what is over stays as history. */
export class SqliteEntitlements implements Table {
  readonly #at;
  readonly #pending;
  readonly #history;
  readonly #by;
  readonly #due;
  readonly #policy;
  readonly #insert;
  readonly #end;
  readonly #giveTo;
  readonly #planReport;
  readonly #deleteOldest;
  readonly #mark;
  readonly #putPolicy;
  readonly #touchPolicy;

  constructor(sql: PreparedSql) {
    this.#at = sql.many<Entitlement>(
      `SELECT ${columns} FROM entitlements WHERE member_id = ?1 AND over_at > ?2 AND starts_at <= ?2
       ORDER BY code, id LIMIT ?3`,
    );
    this.#pending = sql.many<Entitlement>(
      `SELECT ${columns} FROM entitlements WHERE member_id = ? AND over_at > ? ORDER BY id LIMIT ?`,
    );
    this.#history = sql.many<Entitlement>(
      `SELECT ${columns} FROM entitlements WHERE member_id = ? ORDER BY id DESC LIMIT ?`,
    );
    this.#by = sql.many<Entitlement>(
      `SELECT ${columns} FROM entitlements WHERE member_id = ?2 AND platform_id = ?1 ORDER BY id DESC LIMIT ?3`,
    );
    this.#due = sql.many<Entitlement>(
      `SELECT ${columns} FROM entitlements WHERE report_at <= ? ORDER BY report_at LIMIT ?`,
    );
    this.#policy = sql.one<PolicyRow>(`SELECT codes, tiers FROM entitlement_policy WHERE one = 1`);
    this.#insert = sql.insertion(
      `INSERT INTO entitlements
         (home_id, member_id, code, platform_id, starts_at, ends_at, over_at, granted_at, report_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#end = sql.change(`UPDATE entitlements SET over_at = ?, report_at = ? WHERE id = ?`);
    this.#giveTo = sql.change(`UPDATE entitlements SET home_id = ?, member_id = ? WHERE id = ?`);
    this.#planReport = sql.change(`UPDATE entitlements SET report_at = ? WHERE id = ?`);
    this.#deleteOldest = sql.change(
      `DELETE FROM entitlements WHERE over_at <= ?2 AND id IN (
         SELECT id FROM entitlements WHERE member_id = ?1 ORDER BY id DESC LIMIT 100 OFFSET ?3)`,
    );
    this.#mark = sql.change(
      `UPDATE members SET entitled =
         EXISTS (SELECT 1 FROM entitlements WHERE member_id = ?1 AND over_at > ?2) WHERE id = ?1`,
    );
    this.#putPolicy = sql.change(
      `UPDATE entitlement_policy SET codes = ?, tiers = ? WHERE one = 1`,
    );
    this.#touchPolicy = sql.change(
      `UPDATE versions SET version = version + 1 WHERE name = 'platforms'`,
    );
  }

  at(memberId: number, at: number, limit: number): readonly Entitlement[] {
    return this.#at(memberId, at, limit);
  }

  pending(memberId: number, now: number, limit: number): readonly Entitlement[] {
    return this.#pending(memberId, now, limit);
  }

  history(memberId: number, limit: number): readonly Entitlement[] {
    return this.#history(memberId, limit);
  }

  by(platformId: number, memberId: number, limit: number): readonly Entitlement[] {
    return this.#by(platformId, memberId, limit);
  }

  due(now: number, limit: number): readonly Entitlement[] {
    return this.#due(now, limit);
  }

  policy(): EntitlementPolicy {
    const { codes, tiers } = this.#policy()!;
    return {
      // Written by `putPolicy` from these types.
      codes: codes === null ? null : (JSON.parse(codes) as string[]),
      tiers: JSON.parse(tiers) as EntitlementPolicy['tiers'],
    };
  }

  insert(entitlement: NewEntitlement): number {
    const { homeId, memberId, code, platformId } = entitlement;
    const { startsAt, endsAt, overAt, grantedAt, reportAt } = entitlement;
    return this.#insert(
      homeId,
      memberId,
      code,
      platformId,
      startsAt,
      endsAt,
      overAt,
      grantedAt,
      reportAt,
    );
  }

  end(id: number, overAt: number, reportAt: number | null): void {
    this.#end(overAt, reportAt, id);
  }

  giveTo(id: number, { homeId, memberId }: Pick<Entitlement, 'homeId' | 'memberId'>): void {
    this.#giveTo(homeId, memberId, id);
  }

  planReport(id: number, reportAt: number | null): void {
    this.#planReport(reportAt, id);
  }

  deleteOldest(memberId: number, now: number, rowsMax: number): void {
    this.#deleteOldest(memberId, now, rowsMax);
  }

  mark(memberId: number, now: number): void {
    this.#mark(memberId, now);
  }

  putPolicy({ codes, tiers }: EntitlementPolicy): void {
    this.#putPolicy(codes === null ? null : JSON.stringify(codes), JSON.stringify(tiers));
    this.#touchPolicy();
  }
}

interface PolicyRow {
  readonly codes: string | null;
  readonly tiers: string;
}

const columns = `id, home_id AS homeId, member_id AS memberId, code, platform_id AS platformId, starts_at AS startsAt,
  ends_at AS endsAt, over_at AS overAt, granted_at AS grantedAt, report_at AS reportAt`;

type Table = MemberTransaction['entitlements'];
