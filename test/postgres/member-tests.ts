import { globSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Tests of members that run on PostgreSQL too: in the long form all that are about rules and callers, every threat to
 * the store among them, else a few.
 */
export function memberTestsOnPostgres(isLong: boolean): readonly string[] {
  const callers =
    'assurance,authorisation,clients,fuzz,operators,page-statistics,passkeys,processes,sessions,threats,traces,' +
    'two-processes,unread-responses';
  const every = [`src/members/*.test.ts`, `test/members/{${callers}}.test.ts`];
  const some = ['src/members/{keys,membership,register}.test.ts'];
  return globSync(isLong ? every : some, { cwd: resolve(import.meta.dirname, '../..') });
}
