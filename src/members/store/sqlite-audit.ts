import type { PreparedSql } from './prepared-sql.ts';
import type { AuditRow } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Audit chain in SQLite. Rows are only inserted and read. */
export class SqliteAudit implements Table {
  readonly #last;
  readonly #head;
  readonly #after;
  readonly #insert;
  readonly #moveHead;

  constructor(sql: PreparedSql) {
    this.#last = sql.one<AuditRow>(`SELECT ${columns} FROM audit ORDER BY seq DESC LIMIT 1`);
    this.#head = sql.one<{ seq: number; hash: string }>(
      `SELECT seq, hash FROM audit_head WHERE one = 1`,
    );
    this.#after = sql.many<AuditRow>(
      `SELECT ${columns} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#insert = sql.change(`INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#moveHead = sql.change(
      `INSERT INTO audit_head VALUES (1, ?, ?)
       ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
    );
  }

  last(): AuditRow | null {
    return this.#last();
  }

  head(): { readonly seq: number; readonly hash: string } | null {
    return this.#head();
  }

  after(seq: number, limit: number): readonly AuditRow[] {
    return this.#after(seq, limit);
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
}

const columns = 'seq, at, actor, action, subject, reason, detail, hash';

type Table = MemberTransaction['audit'];
