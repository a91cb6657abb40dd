import type { StoredOperator } from '../store/operator-entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** The operators, in PostgreSQL. */
export function operatorsOf(runner: Runner): MemberTransaction['operators'] {
  return {
    byName: (name) => runner.one(byName, name),
    all: () => runner.many(all),
    put({ name, role, passphrase, invitation, invitationEndsAt, ...rest }) {
      const { totpSeed, totpStep, epoch, createdAt } = rest;
      const credentials = [passphrase, invitation, invitationEndsAt, totpSeed, totpStep];
      return runner.run(put, name, role, ...credentials, epoch, createdAt);
    },
    delete: (name) => runner.run(remove, name),
  };
}

const columns = `name, role, passphrase, invitation, invitation_ends_at, totp_seed, totp_step, epoch, created_at`;

const byName = statement<StoredOperator>(`SELECT ${columns} FROM operators WHERE name = $1`);
const all = statement<StoredOperator>(`SELECT ${columns} FROM operators ORDER BY name LIMIT 1000`);
const put = statement(
  `INSERT INTO operators (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (name) DO UPDATE SET role = excluded.role, passphrase = excluded.passphrase,
     invitation = excluded.invitation, invitation_ends_at = excluded.invitation_ends_at,
     totp_seed = excluded.totp_seed, totp_step = excluded.totp_step, epoch = excluded.epoch`,
);
const remove = statement(`DELETE FROM operators WHERE name = $1`);
