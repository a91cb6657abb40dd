import type { PreparedSql } from './prepared-sql.ts';
import type { ApiKey, PresentedKey } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** API keys in SQLite, with the hash of each secret only. */
export class SqliteKeys implements Table {
  readonly #byId;
  readonly #presented;
  readonly #live;
  readonly #list;
  readonly #insert;
  readonly #update;
  readonly #markUsed;
  readonly #markSeen;

  constructor(sql: PreparedSql) {
    this.#byId = sql.one<KeyRow>(`SELECT ${columns} FROM api_keys WHERE kid = ?`);
    this.#presented = sql.one<KeyRow & Pick<PresentedKey, 'platformsVersion'>>(
      `SELECT ${columns}, (SELECT version FROM versions WHERE name = 'platforms') AS platformsVersion
       FROM api_keys WHERE kid = ?`,
    );
    this.#live = sql.many<KeyRow>(
      `SELECT ${columns} FROM api_keys WHERE platform_id IS ? AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ?) ORDER BY created_at DESC LIMIT ?`,
    );
    this.#list = sql.many<KeyRow>(
      `SELECT ${columns} FROM api_keys WHERE (created_at, kid) < (?, ?)
       ORDER BY created_at DESC, kid DESC LIMIT ?`,
    );
    this.#insert = sql.change(
      `INSERT INTO api_keys (kid, platform_id, environment, label, scopes, secret_hash, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = sql.change(
      `UPDATE api_keys SET label = ?, scopes = ?, expires_at = ?, revoked_at = ?, leaked_at = ? WHERE kid = ?`,
    );
    this.#markUsed = sql.change(`UPDATE api_keys SET last_used_day = ? WHERE kid = ?`);
    this.#markSeen = sql.change(`UPDATE api_keys SET browser_seen_day = ? WHERE kid = ?`);
  }

  byId(kid: string): ApiKey | null {
    const row = this.#byId(kid);
    return row && keyOf(row);
  }

  presented(kid: string): PresentedKey | null {
    const row = this.#presented(kid);
    return row && { ...row, scopes: scopesOf(row) };
  }

  live(platformId: number | null, now: number, limit: number): readonly ApiKey[] {
    return this.#live(platformId, now, limit).map(keyOf);
  }

  list(after: Pick<ApiKey, 'kid' | 'createdAt'> | null, limit: number): readonly ApiKey[] {
    const { createdAt, kid } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, kid: '' };
    return this.#list(createdAt, kid, limit).map(keyOf);
  }

  insert(key: ApiKey): void {
    this.#insert(
      key.kid,
      key.platformId,
      key.environment,
      key.label,
      key.scopes.join(' '),
      key.secretHash,
      key.createdAt,
      key.expiresAt,
    );
  }

  update(key: ApiKey): void {
    this.#update(
      key.label,
      key.scopes.join(' '),
      key.expiresAt,
      key.revokedAt,
      key.leakedAt,
      key.kid,
    );
  }

  markUsed(kid: string, day: number): void {
    this.#markUsed(day, kid);
  }

  markSeenInBrowser(kid: string, day: number): void {
    this.#markSeen(day, kid);
  }
}

type KeyRow = Omit<ApiKey, 'scopes'> & { readonly scopes: string };

function keyOf(row: KeyRow): ApiKey {
  return { ...row, scopes: scopesOf(row) };
}

function scopesOf({ scopes }: KeyRow): readonly string[] {
  return scopes === '' ? [] : scopes.split(' ');
}

const columns = `kid, platform_id AS platformId, environment, label, scopes, secret_hash AS secretHash,
  created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, leaked_at AS leakedAt,
  last_used_day AS lastUsedDay, browser_seen_day AS browserSeenDay`;

type Table = MemberTransaction['keys'];
