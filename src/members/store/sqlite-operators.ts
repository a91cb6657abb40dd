import type { PreparedSql } from './prepared-sql.ts';
import type { StoredOperator } from './operator-entities.ts';
import type { MemberTransaction } from './store.ts';

/** The operators, in SQLite. */
export class SqliteOperators implements Table {
  readonly #byName;
  readonly #all;
  readonly #put;
  readonly #delete;

  constructor(sql: PreparedSql) {
    const columns = `name, role, passphrase, invitation, invitation_ends_at AS invitationEndsAt,
      totp_seed AS totpSeed, totp_step AS totpStep, epoch, created_at AS createdAt`;
    this.#byName = sql.one<StoredOperator>(`SELECT ${columns} FROM operators WHERE name = ?`);
    this.#all = sql.many<StoredOperator>(
      `SELECT ${columns} FROM operators ORDER BY name LIMIT 1000`,
    );
    this.#put = sql.change(
      `INSERT INTO operators VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
         role = excluded.role, passphrase = excluded.passphrase, invitation = excluded.invitation,
         invitation_ends_at = excluded.invitation_ends_at, totp_seed = excluded.totp_seed,
         totp_step = excluded.totp_step, epoch = excluded.epoch`,
    );
    this.#delete = sql.change(`DELETE FROM operators WHERE name = ?`);
  }

  byName(name: string): StoredOperator | null {
    return this.#byName(name);
  }

  all(): readonly StoredOperator[] {
    return this.#all();
  }

  put(operator: StoredOperator): void {
    const { name, role, passphrase, invitation, invitationEndsAt, totpSeed, totpStep } = operator;
    const { epoch, createdAt } = operator;
    this.#put(
      name,
      role,
      passphrase,
      invitation,
      invitationEndsAt,
      totpSeed,
      totpStep,
      epoch,
      createdAt,
    );
  }

  delete(name: string): void {
    this.#delete(name);
  }
}

type Table = MemberTransaction['operators'];
