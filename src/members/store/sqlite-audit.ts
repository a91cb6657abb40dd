import type { PreparedSql } from './prepared-sql.ts';
import type { AuditRow, AuditSeal } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Audit chain in SQLite. Rows are inserted and read; only rows of sealed segments are removed. */
export class SqliteAudit implements Table {
  readonly #head;
  readonly #after;
  readonly #latestOf;
  readonly #insert;
  readonly #moveHead;
  readonly #lastSeal;
  readonly #sealsAfter;
  readonly #insertSeal;
  readonly #setRemoval;
  readonly #deleteThrough;

  constructor(sql: PreparedSql) {
    this.#head = sql.one<{ seq: number; hash: string }>(
      `SELECT seq, hash FROM audit_head WHERE one = 1`,
    );
    this.#after = sql.many<AuditRow>(
      `SELECT ${columns} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#latestOf = sql.many<AuditRow>(
      `SELECT ${columns} FROM audit
       WHERE seq > ? AND at >= ? AND action IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?`,
    );
    this.#insert = sql.change(`INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#moveHead = sql.change(
      `INSERT INTO audit_head VALUES (1, ?, ?)
       ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
    );
    this.#lastSeal = sql.one<AuditSeal>(
      `SELECT ${sealColumns} FROM audit_seals ORDER BY seq DESC LIMIT 1`,
    );
    this.#sealsAfter = sql.many<AuditSeal>(
      `SELECT ${sealColumns} FROM audit_seals WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#insertSeal = sql.change(
      `INSERT INTO audit_seals (seq, hash, ended_at, sealed_at, seal, removal) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#setRemoval = sql.change(`UPDATE audit_seals SET removal = ?2 WHERE seq = ?1`);
    this.#deleteThrough = sql.change(
      `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?)`,
    );
  }

  head(): { readonly seq: number; readonly hash: string } | null {
    return this.#head();
  }

  after(seq: number, limit: number): readonly AuditRow[] {
    return this.#after(seq, limit);
  }

  latestOf(
    actions: readonly string[],
    from: { readonly seq: number; readonly at: number },
    limit: number,
  ): readonly AuditRow[] {
    return this.#latestOf(from.seq, from.at, JSON.stringify(actions), limit);
  }

  append(row: AuditRow): void {
    this.#insert(
      row.seq,
      row.at,
      row.actor,
      row.action,
      row.subject,
      row.reason,
      row.detail,
      row.hash,
    );
    this.#moveHead(row.seq, row.hash);
  }

  lastSeal(): AuditSeal | null {
    return this.#lastSeal();
  }

  sealsAfter(seq: number, limit: number): readonly AuditSeal[] {
    return this.#sealsAfter(seq, limit);
  }

  insertSeal({ seq, hash, endedAt, sealedAt, seal, removal }: AuditSeal): void {
    this.#insertSeal(seq, hash, endedAt, sealedAt, seal, removal);
  }

  setRemoval(seq: number, removal: string): void {
    this.#setRemoval(seq, removal);
  }

  deleteThrough(seq: number, limit: number): number {
    return this.#deleteThrough(seq, limit);
  }
}

const columns = 'seq, at, actor, action, subject, reason, detail, hash';
const sealColumns = 'seq, hash, ended_at AS endedAt, sealed_at AS sealedAt, seal, removal';

type Table = MemberTransaction['audit'];
