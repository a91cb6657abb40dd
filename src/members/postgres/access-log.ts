import type { AccessRow } from '../store/operator-entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { statement } from './statement.ts';

/** The access log, in PostgreSQL. */
export function accessLogOf(runner: Runner): MemberTransaction['accessLog'] {
  return {
    list: (before, limit) => runner.many(list, before, limit),
    ofOperator: (name, before, limit) => runner.many(ofOperator, name, before, limit),
    ofMember: (svcUid, operator, before, limit) =>
      runner.many(ofMember, svcUid, operator, before, limit),
    async insert({ at, operator, address, device, action, members }, sealOf) {
      const { seq } = (await runner.one(nextSeq))!;
      await runner.run(insert, seq, at, operator, address, device, action, sealOf(seq));
      await runner.run(insertMembers, seq, members);
    },
    deleteBefore: (at, limit) => runner.change(deleteBefore, at, limit),
  };
}

const columns = `seq, at, operator, address, device, action, seal,
  ARRAY(SELECT svc_uid FROM access_log_members concerned WHERE concerned.seq = access_log.seq ORDER BY svc_uid) AS members`;

const list = statement<AccessRow>(
  `SELECT ${columns} FROM access_log WHERE seq < $1 ORDER BY seq DESC LIMIT $2`,
);
const ofOperator = statement<AccessRow>(
  `SELECT ${columns} FROM access_log WHERE operator = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
);
const ofMember = statement<AccessRow>(
  `SELECT ${columns} FROM access_log_members AS one JOIN access_log USING (seq)
   WHERE one.svc_uid = $1 AND one.seq < $3 AND ($2::text IS NULL OR operator = $2)
   ORDER BY one.seq DESC LIMIT $4`,
);
// Without a gap, so that a missing row shows.
const nextSeq = statement<{ readonly seq: number }>(
  `UPDATE versions SET version = version + 1 WHERE name = 'access_log' RETURNING version AS seq`,
);
const insert = statement(`INSERT INTO access_log VALUES ($1, $2, $3, $4, $5, $6, $7)`);
const insertMembers = statement(
  `INSERT INTO access_log_members SELECT $1, svc_uid FROM unnest($2::text[]) AS svc_uid ON CONFLICT DO NOTHING`,
);
const deleteBefore = statement(
  `DELETE FROM access_log WHERE seq IN (SELECT seq FROM access_log WHERE at < $1 ORDER BY at LIMIT $2)`,
);
