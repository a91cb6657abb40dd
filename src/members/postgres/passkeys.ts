import type { StoredPasskey } from '../store/operator-entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** The passkeys of operators, in PostgreSQL. */
export function passkeysOf(runner: Runner): MemberTransaction['passkeys'] {
  return {
    byCredential: (credentialId) => runner.one(byCredential, credentialId),
    of: (operator) => runner.many(ofOperator, operator),
    put({ id, operator, name, credentialId, publicKey, signCount, transports, ...rest }) {
      const { isBackupEligible, isBackedUp, createdAt, usedAt } = rest;
      const key = [id, operator, name, credentialId, publicKey, signCount, transports];
      return runner.run(put, ...key, isBackupEligible, isBackedUp, createdAt, usedAt);
    },
    delete: (id) => runner.run(remove, id),
    deleteAll: (operator) => runner.run(removeAll, operator),
  };
}

const columns = `id, operator, name, credential_id, public_key, sign_count, transports, is_backup_eligible, is_backed_up,
  created_at, used_at`;

const byCredential = statement<StoredPasskey>(
  `SELECT ${columns} FROM passkeys WHERE credential_id = $1`,
);
const ofOperator = statement<StoredPasskey>(
  `SELECT ${columns} FROM passkeys WHERE operator = $1 ORDER BY created_at LIMIT 100`,
);
const put = statement(
  `INSERT INTO passkeys (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, sign_count = excluded.sign_count,
     is_backed_up = excluded.is_backed_up, used_at = excluded.used_at`,
);
const remove = statement(`DELETE FROM passkeys WHERE id = $1`);
const removeAll = statement(`DELETE FROM passkeys WHERE operator = $1`);
