import type { Platform } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** Platforms in PostgreSQL. */
export function platformsOf(runner: Runner): MemberTransaction['platforms'] {
  return {
    version: async () => (await runner.one(version))!.version,
    all: () => runner.many(all),
    async put(platform) {
      const { id, code, name, realm, assurance, origins, capabilities } = platform;
      const { cookieDomain, pageStats, company, disabled } = platform;
      const rights = [cookieDomain, pageStats, company, disabled];
      await runner.run(put, id, code, name, realm, assurance, origins, capabilities, ...rights);
      await runner.run(touchPlatforms);
    },
  };
}

const version = besideStatement<{ readonly version: number }>(
  `SELECT version FROM versions WHERE name = 'platforms'`,
  {},
);
const all = besideStatement<Platform>(
  `SELECT id, code, name, realm, assurance, origins, capabilities, cookie_domain, page_stats, company, disabled
   FROM platforms ORDER BY id LIMIT 30`,
  {},
);
const put = statement(
  `INSERT INTO platforms (id, code, name, realm, assurance, origins, capabilities, cookie_domain, page_stats, company, disabled)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, assurance = excluded.assurance, origins = excluded.origins,
     capabilities = excluded.capabilities, cookie_domain = excluded.cookie_domain, page_stats = excluded.page_stats,
     company = excluded.company, disabled = excluded.disabled`,
);

/** Every process reads the platforms, the policy of entitlements and the purposes of consents again. */
export const touchPlatforms = statement(
  `UPDATE versions SET version = version + 1 WHERE name = 'platforms'`,
);
