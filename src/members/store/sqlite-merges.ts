import type { PreparedSql } from './prepared-sql.ts';
import type { Merge } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Merges in SQLite. Only references change, so that a split restores everything. */
export class SqliteMerges implements Table {
  readonly #byId;
  readonly #into;
  readonly #homesIn;
  readonly #moveMemberships;
  readonly #moveEntitlements;
  readonly #redirect;
  readonly #insert;
  readonly #end;

  constructor(sql: PreparedSql) {
    this.#byId = sql.one<MergeRow>(`SELECT ${columns} FROM merges WHERE id = ?`);
    this.#into = sql.many<MergeRow>(
      `SELECT ${columns} FROM merges WHERE into_id = ? AND split_at IS NULL ORDER BY id DESC LIMIT ?`,
    );
    this.#homesIn = sql.many<{ id: number }>(
      `SELECT id FROM members WHERE merged_into = ? LIMIT ?`,
    );
    this.#moveMemberships = sql.change(`UPDATE memberships SET member_id = ? WHERE home_id = ?`);
    this.#moveEntitlements = sql.change(`UPDATE entitlements SET member_id = ? WHERE home_id = ?`);
    this.#redirect = sql.change(`UPDATE members SET merged_into = ? WHERE id = ?`);
    this.#insert = sql.insertion(
      `INSERT INTO merges (from_id, into_id, homes, merged_at) VALUES (?, ?, ?, ?)`,
    );
    this.#end = sql.change(`UPDATE merges SET split_at = ? WHERE id = ?`);
  }

  byId(id: number): Merge | null {
    const row = this.#byId(id);
    return row && mergeOf(row);
  }

  into(memberId: number, limit: number): readonly Merge[] {
    return this.#into(memberId, limit).map(mergeOf);
  }

  homesIn(memberId: number, limit: number): readonly number[] {
    return this.#homesIn(memberId, limit).map(({ id }) => id);
  }

  moveHome(home: number, to: number | null): void {
    this.#moveMemberships(to ?? home, home);
    this.#moveEntitlements(to ?? home, home);
    this.#redirect(to, home);
  }

  insert({ fromId, intoId, homes, mergedAt }: Omit<Merge, 'id' | 'splitAt'>): number {
    return this.#insert(fromId, intoId, JSON.stringify(homes), mergedAt);
  }

  end(id: number, at: number): void {
    this.#end(at, id);
  }
}

type MergeRow = Omit<Merge, 'homes'> & { readonly homes: string };

function mergeOf(row: MergeRow): Merge {
  // Written by `insert` from numbers.
  return { ...row, homes: JSON.parse(row.homes) as number[] };
}

const columns = `id, from_id AS fromId, into_id AS intoId, homes, merged_at AS mergedAt, split_at AS splitAt`;

type Table = MemberTransaction['merges'];
