import type { AuditRow, AuditSeal } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** Audit chain in PostgreSQL. One process at a time writes, so that rows follow each other without a gap. */
export function auditOf(runner: Runner): MemberTransaction['audit'] {
  return {
    head: () => runner.one(head),
    after: (seq, limit) => runner.many(after, seq, limit),
    latestOf: (actions, from, limit) => runner.many(latestOf, from.seq, from.at, actions, limit),
    lastSeal: () => runner.one(lastSeal),
    sealsAfter: (seq, limit) => runner.many(sealsAfter, seq, limit),
    async append({ seq, at, actor, action, subject, reason, detail, hash }) {
      await runner.run(insert, seq, at, actor, action, subject, reason, detail, hash);
      await runner.run(moveHead, seq, hash);
    },
    insertSeal: ({ seq, hash, endedAt, sealedAt, seal, removal }) =>
      runner.run(insertSeal, seq, hash, endedAt, sealedAt, seal, removal),
    setRemoval: (seq, removal) => runner.run(setRemoval, seq, removal),
    deleteThrough: (seq, limit) => runner.change(deleteThrough, seq, limit),
  };
}

const columns = 'seq, at, actor, action, subject, reason, detail, hash';
const sealColumns = 'seq, hash, ended_at, sealed_at, seal, removal';

const head = statement<{ readonly seq: number; readonly hash: string }>(
  `SELECT seq, hash FROM audit_head WHERE one = 1`,
);
const after = statement<AuditRow>(
  `SELECT ${columns} FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2`,
);
const latestOf = statement<AuditRow>(
  `SELECT ${columns} FROM audit WHERE seq > $1 AND at >= $2 AND action = ANY ($3) ORDER BY seq DESC LIMIT $4`,
);
const lastSeal = statement<AuditSeal>(
  `SELECT ${sealColumns} FROM audit_seals ORDER BY seq DESC LIMIT 1`,
);
const sealsAfter = statement<AuditSeal>(
  `SELECT ${sealColumns} FROM audit_seals WHERE seq > $1 ORDER BY seq LIMIT $2`,
);
const insert = statement(`INSERT INTO audit (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`);
const moveHead = statement(
  `INSERT INTO audit_head VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
);
const insertSeal = statement(
  `INSERT INTO audit_seals (${sealColumns}) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const setRemoval = statement(`UPDATE audit_seals SET removal = $2 WHERE seq = $1`);
const deleteThrough = statement(
  `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE seq <= $1 ORDER BY seq LIMIT $2)`,
);
