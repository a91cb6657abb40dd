import type { StoredPasskey } from './operator-entities.ts';
import type { PreparedSql } from './prepared-sql.ts';
import type { MemberTransaction } from './store.ts';

/** The passkeys of operators, in SQLite. */
export class SqlitePasskeys implements Table {
  readonly #byCredential;
  readonly #of;
  readonly #put;
  readonly #delete;
  readonly #deleteAll;

  constructor(sql: PreparedSql) {
    const columns = `id, operator, name, credential_id AS credentialId, public_key AS publicKey,
      sign_count AS signCount, transports, backup_eligible AS backupEligible,
      backed_up AS backedUp, created_at AS createdAt, used_at AS usedAt`;
    this.#byCredential = sql.one<PasskeyRow>(
      `SELECT ${columns} FROM passkeys WHERE credential_id = ?`,
    );
    this.#of = sql.many<PasskeyRow>(
      `SELECT ${columns} FROM passkeys WHERE operator = ? ORDER BY created_at LIMIT 100`,
    );
    this.#put = sql.change(
      `INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
         name = excluded.name, sign_count = excluded.sign_count, backed_up = excluded.backed_up,
         used_at = excluded.used_at`,
    );
    this.#delete = sql.change(`DELETE FROM passkeys WHERE id = ?`);
    this.#deleteAll = sql.change(`DELETE FROM passkeys WHERE operator = ?`);
  }

  byCredential(credentialId: string): StoredPasskey | null {
    const row = this.#byCredential(credentialId);
    return row === null ? null : passkeyOf(row);
  }

  of(operator: string): readonly StoredPasskey[] {
    return this.#of(operator).map(passkeyOf);
  }

  put(passkey: StoredPasskey): void {
    const { id, operator, name, credentialId, publicKey, signCount, transports } = passkey;
    this.#put(
      id,
      operator,
      name,
      credentialId,
      publicKey,
      signCount,
      transports.join(' '),
      Number(passkey.isBackupEligible),
      Number(passkey.isBackedUp),
      passkey.createdAt,
      passkey.usedAt,
    );
  }

  delete(id: string): void {
    this.#delete(id);
  }

  deleteAll(operator: string): void {
    this.#deleteAll(operator);
  }
}

type PasskeyRow = Omit<StoredPasskey, 'transports' | 'isBackupEligible' | 'isBackedUp'> & {
  readonly transports: string;
  readonly backupEligible: number;
  readonly backedUp: number;
};

function passkeyOf({ transports, backupEligible, backedUp, ...row }: PasskeyRow): StoredPasskey {
  return {
    ...row,
    transports: transports.split(' ').filter(Boolean),
    isBackupEligible: backupEligible === 1,
    isBackedUp: backedUp === 1,
  };
}

type Table = MemberTransaction['passkeys'];
