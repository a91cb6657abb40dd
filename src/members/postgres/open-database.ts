import { PostgresConnection } from './connection.ts';
import { isUntrusted, sqlState } from './failure.ts';
import { migrate } from './migrate.ts';
import { statement } from './statement.ts';

/**
 * Checks a database and migrates its schema. Throws an `Error` with one sentence about its fault and the remedy. Only a
 * move (`isMove`) may open a database that a move has not filled to the end.
 */
export async function openDatabase(url: string, { isMove = false } = {}): Promise<void> {
  try {
    requireKnownMode(url);
    const connection = await PostgresConnection.open(url);
    try {
      await requireUsable(connection);
      await migrate(url, connection);
      await requireRights(connection);
      if (!isMove) await requireMoved(connection);
    } finally {
      connection.destroy();
    }
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const sentence = sentenceOf(cause);
    if (sentence === null) throw cause;
    throw new Error(`${placeOf(url)} cannot be used: ${sentence}`, { cause });
  }
}

/** The driver takes an unknown mode for another one. */
function requireKnownMode(url: string): void {
  const parameters = URL.parse(url)?.searchParams;
  const mode = parameters?.get('sslmode') ?? null;
  if (mode === null) return;
  if (!['disable', 'require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new UnusableDatabase(
      'its address has an unknown sslmode. Use verify-full, verify-ca, require or disable.',
    );
  }
  if (mode === 'verify-ca' && !parameters!.has('sslrootcert')) {
    throw new UnusableDatabase(
      'sslmode=verify-ca needs sslrootcert, the file of the authority. Add it, or use verify-full.',
    );
  }
}

async function requireUsable(connection: PostgresConnection): Promise<void> {
  const [server] = (await connection.run(facts, [])).rows;
  const { version, isReadOnly, encoding } = server!;
  if (version < oldestVersion) {
    throw new UnusableDatabase(
      `it is PostgreSQL ${Math.floor(version / 10_000)}. Use PostgreSQL ${oldestVersion / 10_000} or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `its encoding is ${encoding}. Create the database with the encoding UTF8.`,
    );
  }
  if (isReadOnly) {
    throw new UnusableDatabase(
      'it is read-only, as a standby is. Give the address that leads to the primary.',
    );
  }
}

/** The tables may belong to another user, such as the one that restored them. Others’ tables in the schema do not count. */
async function requireRights(connection: PostgresConnection): Promise<void> {
  const [denied] = (await connection.run(deniedTable, [])).rows;
  if (denied === undefined) return;
  throw new UnusableDatabase(
    `its user may not change the table ${denied.name}. Make the user the owner of all tables, or GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public.`,
  );
}

const deniedTable = statement<{ readonly name: string }>(
  `SELECT tablename AS name FROM pg_tables, format('%I.%I', schemaname, tablename) AS path
   WHERE schemaname = current_schema()
     AND tablename IN ('members', 'events', 'audit', 'operators', 'operator_sessions') AND NOT (has_table_privilege(path, 'SELECT')
     AND has_table_privilege(path, 'INSERT') AND has_table_privilege(path, 'UPDATE')
     AND has_table_privilege(path, 'DELETE')) LIMIT 1`,
);

async function requireMoved(connection: PostgresConnection): Promise<void> {
  if ((await connection.run(unfinishedMove, [])).rows.length === 0) return;
  throw new UnusableDatabase(
    'a move of a store into it has not ended. Run ./maru members move again, or create another database.',
  );
}

const unfinishedMove = statement<object>('SELECT 1 FROM unfinished_move LIMIT 1');

const oldestVersion = 140_000;

const facts = statement<{
  readonly version: number;
  readonly isReadOnly: boolean;
  readonly encoding: string;
}>(
  `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding,
     pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only`,
);

/** A database that the service cannot work with; the message is the end of a sentence. */
class UnusableDatabase extends Error {}

function sentenceOf(error: Error): string | null {
  if (error instanceof UnusableDatabase) return error.message;
  const state = sqlState(error);
  if (state === '28000' && error.message.endsWith('no encryption')) {
    return 'it takes connections with TLS only. Add ?sslmode=verify-full to its address.';
  }
  const known = Object.keys(remedies).find((prefix) => state?.startsWith(prefix));
  if (known !== undefined) return `${error.message}. ${remedies[known]}`;
  if (state !== null) return null;
  if (isUntrusted(error)) return `its certificate is refused: ${error.message}. ${trustRemedy}`;
  if (error.message === 'The server does not support SSL connections') {
    return 'it offers no TLS, which sslmode requires. Set ssl = on in postgresql.conf, or check the address.';
  }
  if ('code' in error && error.code === 'ENOENT' && 'path' in error) {
    return `the file ${String(error.path)} in its address does not exist.`;
  }
  return 'code' in error || /timeout|terminated/i.test(error.message)
    ? `${error.message || 'no connection'}. Check the address in DATABASE_URL and that the server runs.`
    : null;
}

const trustRemedy =
  'Give the name in the certificate as the host, and the file of its authority as sslrootcert.';

/** Remedies by the beginning of the server's error code. */
const remedies: Readonly<Record<string, string>> = {
  '28': 'Check the user and the password in DATABASE_URL.',
  '3D000': 'Create the database first: createdb.',
  '42501':
    'Give the user the right to create tables: GRANT CREATE ON SCHEMA public, or make it the owner.',
  '53100': 'Make room on the disk of the server.',
  '53300': 'Raise max_connections; each process needs six.',
  '55P03':
    'Its tables must be changed for this release, and others use them for too long. Start the service again in a moment.',
  '57P03': 'The server is starting or stopping. Start the service again in a moment.',
};

/** The address without its password. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = URL.parse(url) ?? {};
  return `The database ${pathname?.slice(1) ?? ''} at ${hostname || 'this machine'}${port ? `:${port}` : ''}`;
}
