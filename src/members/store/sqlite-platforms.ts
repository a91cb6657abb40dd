import type { PreparedSql } from './prepared-sql.ts';
import type { Platform } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Platforms in SQLite. */
export class SqlitePlatforms implements Table {
  readonly #version;
  readonly #all;
  readonly #put;
  readonly #touch;

  constructor(sql: PreparedSql) {
    this.#version = sql.one<{ version: number }>(
      `SELECT version FROM versions WHERE name = 'platforms'`,
    );
    this.#all = sql.many<PlatformRow>(
      `SELECT id, code, name, realm, assurance, origins, capabilities, cookie_domain AS cookieDomain,
         page_stats AS pageStats, company, disabled
       FROM platforms ORDER BY id LIMIT 30`,
    );
    this.#put = sql.change(
      `INSERT INTO platforms
         (id, code, name, realm, assurance, origins, capabilities, cookie_domain, page_stats, company, disabled)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, assurance = excluded.assurance,
         origins = excluded.origins, capabilities = excluded.capabilities,
         cookie_domain = excluded.cookie_domain, page_stats = excluded.page_stats, company = excluded.company,
         disabled = excluded.disabled`,
    );
    this.#touch = sql.change(`UPDATE versions SET version = version + 1 WHERE name = 'platforms'`);
  }

  version(): number {
    return this.#version()!.version;
  }

  all(): readonly Platform[] {
    return this.#all().map((row) => ({
      ...row,
      // Written by `put` from these types.
      origins: JSON.parse(row.origins) as string[],
      capabilities: JSON.parse(row.capabilities) as string[],
      cookieDomain: row.cookieDomain === 1,
      pageStats: row.pageStats === 1,
      disabled: row.disabled === 1,
    }));
  }

  put(platform: Platform): void {
    this.#put(
      platform.id,
      platform.code,
      platform.name,
      platform.realm,
      platform.assurance,
      JSON.stringify(platform.origins),
      JSON.stringify(platform.capabilities),
      Number(platform.cookieDomain),
      Number(platform.pageStats),
      platform.company,
      Number(platform.disabled),
    );
    this.#touch();
  }
}

interface PlatformRow {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly realm: string;
  readonly assurance: Platform['assurance'];
  readonly origins: string;
  readonly capabilities: string;
  readonly cookieDomain: number;
  readonly pageStats: number;
  readonly company: string | null;
  readonly disabled: number;
}

type Table = MemberTransaction['platforms'];
