import type { AccessRow, NewAccess } from './operator-entities.ts';
import type { PreparedSql } from './prepared-sql.ts';
import type { MemberTransaction } from './store.ts';

/** The access log, in SQLite. */
export class SqliteAccessLog implements Table {
  readonly #list;
  readonly #ofOperator;
  readonly #ofMember;
  readonly #insert;
  readonly #insertMember;
  readonly #setSeal;
  readonly #deleteBefore;

  constructor(sql: PreparedSql) {
    const columns = `seq, at, operator, address, device, action, seal,
      (SELECT group_concat(concerned.svc_uid, ' ') FROM access_log_members AS concerned
       WHERE concerned.seq = access_log.seq) AS members`;
    this.#list = sql.many<ListedRow>(
      `SELECT ${columns} FROM access_log WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    );
    this.#ofOperator = sql.many<ListedRow>(
      `SELECT ${columns} FROM access_log WHERE operator = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    );
    this.#ofMember = sql.many<ListedRow>(
      `SELECT ${columns} FROM access_log_members AS one JOIN access_log USING (seq)
       WHERE one.svc_uid = ?1 AND one.seq < ?3 AND (?2 IS NULL OR operator = ?2)
       ORDER BY one.seq DESC LIMIT ?4`,
    );
    this.#insert = sql.insertion(
      `INSERT INTO access_log (at, operator, address, device, action, seal)
       VALUES (?, ?, ?, ?, ?, '')`,
    );
    this.#insertMember = sql.change(`INSERT OR IGNORE INTO access_log_members VALUES (?, ?)`);
    this.#setSeal = sql.change(`UPDATE access_log SET seal = ?2 WHERE seq = ?1`);
    this.#deleteBefore = sql.change(
      `DELETE FROM access_log WHERE seq IN (
         SELECT seq FROM access_log WHERE at < ? ORDER BY at LIMIT ?)`,
    );
  }

  list(before: number, limit: number): readonly AccessRow[] {
    return this.#list(before, limit).map(accessRow);
  }

  ofOperator(name: string, before: number, limit: number): readonly AccessRow[] {
    return this.#ofOperator(name, before, limit).map(accessRow);
  }

  ofMember(
    svcUid: string,
    operator: string | null,
    before: number,
    limit: number,
  ): readonly AccessRow[] {
    return this.#ofMember(svcUid, operator, before, limit).map(accessRow);
  }

  insert(
    { at, operator, address, device, action, members }: NewAccess,
    sealOf: (seq: number) => string,
  ): void {
    const seq = this.#insert(at, operator, address, device, action);
    for (const svcUid of members) this.#insertMember(seq, svcUid);
    this.#setSeal(seq, sealOf(seq));
  }

  deleteBefore(at: number, limit: number): number {
    return this.#deleteBefore(at, limit);
  }
}

type ListedRow = Omit<AccessRow, 'members'> & { readonly members: string | null };

function accessRow({ members, ...row }: ListedRow): AccessRow {
  return { ...row, members: members === null ? [] : members.split(' ').sort() };
}

type Table = MemberTransaction['accessLog'];
