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
    this.#presented = sql.values<PresentedValues>(
      `SELECT platform_id, scopes, secret_hash, expires_at, revoked_at, last_used_day,
         (SELECT version FROM versions WHERE name = 'platforms')
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
      `UPDATE api_keys SET label = ?, scopes = ?, expires_at = ?, revoked_at = ?, leaked_at = ?, replaced_by = ?
       WHERE kid = ?`,
    );
    this.#markUsed = sql.change(`UPDATE api_keys SET last_used_day = ? WHERE kid = ?`);
    this.#markSeen = sql.change(`UPDATE api_keys SET browser_seen_day = ? WHERE kid = ?`);
  }

  byId(kid: string): ApiKey | null {
    const row = this.#byId(kid);
    return row && keyOf(row);
  }

  presented(kid: string): PresentedKey | null {
    const values = this.#presented(kid);
    return values && presentedOf(values);
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
      key.replacedBy,
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
  return { ...row, scopes: scopesOf(row.scopes) };
}

function presentedOf([
  platformId,
  scopes,
  secretHash,
  expiresAt,
  revokedAt,
  lastUsedDay,
  platformsVersion,
]: PresentedValues): PresentedKey {
  return {
    platformId,
    scopes: scopesOf(scopes),
    secretHash,
    expiresAt,
    revokedAt,
    lastUsedDay,
    platformsVersion,
  };
}

/** Columns of the query, in their order. */
type PresentedValues = readonly [
  platformId: number | null,
  scopes: string,
  secretHash: Uint8Array,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedDay: number | null,
  platformsVersion: number,
];

function scopesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

const columns = `kid, platform_id AS platformId, environment, label, scopes, secret_hash AS secretHash,
  created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, leaked_at AS leakedAt,
  last_used_day AS lastUsedDay, browser_seen_day AS browserSeenDay, replaced_by AS replacedBy`;

type Table = MemberTransaction['keys'];
