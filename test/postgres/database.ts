import { randomBytes } from 'node:crypto';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { runSql, sharedPostgres } from './server.ts';

/** Address of a new, empty database of members. The first of a process applies the migrations; the others copy it. */
export async function emptyDatabase(): Promise<string> {
  const template = await (migrated ??= makeMigrated());
  return createDatabase(`TEMPLATE ${template} STRATEGY FILE_COPY`);
}

/** Address of a new database of the shared server. */
export async function createDatabase(options = ''): Promise<string> {
  const server = await sharedPostgres();
  const name = `maru_${randomBytes(8).toString('hex')}`;
  await runSql(server, `CREATE DATABASE ${name} ${options}`);
  return addressOf(server, name);
}

/** Options of a store in tests that refuse nothing: a write waits as long as an overloaded machine needs. */
export const patient = { bounds: { waitMs: 60_000 } };

let migrated: Promise<string> | undefined;

async function makeMigrated(): Promise<string> {
  const url = await createDatabase();
  await (await PostgresMemberStore.open(url))[Symbol.asyncDispose]();
  return new URL(url).pathname.slice(1);
}

function addressOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}
