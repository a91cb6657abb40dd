import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { audit, operatorOf } from '../src/members/audit.ts';
import type { MemberContext } from '../src/members/context.ts';
import {
  moveStore,
  type MovedRows,
  type MoveSource,
  type MoveTarget,
} from '../src/members/move/move-store.ts';
import { PlatformDirectory } from '../src/members/platform-directory.ts';
import { forgetDatabase, noteDatabase } from '../src/members/database-note.ts';
import { fingerprintOf, readSecret } from '../src/members/secret.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';
import type { MemberStore, MemberTransaction } from '../src/members/store/store.ts';
import { verifyAudit, type AuditVerdict } from '../src/members/verify-audit.ts';
import { openExistingMembers } from './open-members.ts';
import { commandLine } from './platform.ts';
import { markFailed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, print, printJson, ProgressLine, withNoun } from './terminal.ts';

interface Options {
  readonly to: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function membersCommand(): Command {
  const command = new Command('members');
  command
    .command('move')
    .description(
      'Copies the members’ store into another one, compares all rows, and leaves the source as it is. The source is ' +
        'the database of DATABASE_URL, or the SQLite store in MARU_DATA without it. Stop the services first: a store ' +
        'that is in use is refused, and the source accepts no writes meanwhile. An interrupted move is resumed by the ' +
        'same command. Everything comes along but sign-ins of operators; members.secret and erasures.ndjson stay in ' +
        'MARU_DATA, and are copied into another data folder.',
    )
    .requiredOption(
      '--to <address>',
      'an empty database such as postgres://maru@db.example.com/maru, with its password in PGPASSWORD, or sqlite:FOLDER, a data folder without members',
    )
    .option('--reason <text>', 'reason, for the audit log of the new store', 'moved')
    .option('--json', 'as JSON')
    .action(move);
  return command;
}

async function move(options: Options, command: Command): Promise<void> {
  const settings = readSettings(process.env);
  const { to, json } = options;
  const place = placeOf(to);
  if (place === null) {
    command.error('error: --to must begin with postgres:// or sqlite:', { exitCode: 2 });
  }
  if ((place.url === null) === (settings.DATABASE_URL === null)) {
    throw new Error(
      place.url === null
        ? 'The store is an SQLite file already. ./maru backup copies it.'
        : 'The store is in PostgreSQL already. Use the tools of PostgreSQL to copy a database.',
    );
  }
  const operator = operatorOf(commandLine, options.reason);
  const tables = await copyStore(settings, place);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const engine = place.url === null ? 'sqlite' : 'postgres';
  // The chain is verified where it is from now on.
  const verdict = await endMove(settings, place, async (context, tx) =>
    audit(context, tx, operator, {
      action: 'store_moved',
      subject: 'store',
      detail: { to: engine, rows },
    }),
  );
  if (!verdict.intact) markFailed();
  if (json) return printJson({ to: engine, rows, tables, audit: verdict });
  print(`Moved ${withNoun(rows, 'row')} in ${tables.length} tables; all are equal in both stores.`);
  print(
    verdict.intact
      ? `The audit log is intact: ${withNoun(verdict.rows, 'row')}.`
      : `The audit log is broken at row ${verdict.faultAt}, as it is in the source.`,
  );
  print(
    place.url === null
      ? `Start the services without DATABASE_URL and with MARU_DATA=${place.data}.`
      : 'Start the services with DATABASE_URL set to the database. The file stays as it is: remove it when you need no way back.',
  );
}

/** A place that a store moves to: the address of a database, or a data folder. */
interface Place {
  readonly url: string | null;
  readonly data: string | null;
}

function placeOf(to: string): Place | null {
  if (/^postgres(?:ql)?:\/\//.test(to)) return { url: to, data: null };
  const folder = /^sqlite:(.+)$/.exec(to)?.[1];
  return folder === undefined ? null : { url: null, data: folder };
}

function copyStore(settings: Settings, place: Place) {
  const folder = join(settings.MARU_DATA, 'members');
  return place.url === null
    ? toSqlite(settings, folder, join(place.data!, 'members'))
    : toPostgres(settings, folder, place.url);
}

async function toPostgres({ MARU_DATA }: Settings, folder: string, url: string) {
  const { PostgresMove } = await import('../src/members/move/postgres-move.ts');
  const { SqliteMove } = await import('../src/members/move/sqlite-move.ts');
  const path = join(folder, 'members.db');
  if (!existsSync(path)) {
    throw new Error(
      `There is no members’ store in ${folder}. Set MARU_DATA to the data folder of the service, not ${MARU_DATA}.`,
    );
  }
  const fingerprint = fingerprintOf(readSecret(folder));
  await using source = SqliteMove.source(path);
  await using target = await PostgresMove.target(url, fingerprint);
  return await withProgress(source, target);
}

/** Verifies the audit log of a filled store, adds an entry about the move, and lets services open the store. */
async function endMove(
  { MARU_DATA }: Settings,
  { url, data }: Place,
  addEntry: (context: MemberContext, tx: MemberTransaction) => Promise<void>,
): Promise<AuditVerdict> {
  const folder = join(data ?? MARU_DATA, 'members');
  const secret = readSecret(folder);
  const contextOf = (store: MemberStore): MemberContext => {
    return { store, platforms: new PlatformDirectory(store), now: Date.now, secret };
  };
  if (url !== null) {
    const { PostgresMemberStore } = await import('../src/members/postgres/store.ts');
    await using store = await PostgresMemberStore.open(url, { isMove: true });
    const context = contextOf(store);
    const verdict = await verifyAudit(context);
    await store.endMove(fingerprintOf(secret), (tx) => addEntry(context, tx));
    noteDatabase(folder, url);
    return verdict;
  }
  const path = join(folder, 'members.db');
  const verdict = await (async () => {
    await using store = new SqliteMemberStore(draftOf(path));
    const context = contextOf(store);
    const found = await verifyAudit(context);
    await store.write((tx) => addEntry(context, tx));
    return found;
  })();
  renameSync(draftOf(path), path);
  forgetDatabase(folder);
  return verdict;
}

/** File that a move fills. It gets the place of the store at the end. */
function draftOf(path: string): string {
  return `${path}.moving`;
}

async function toSqlite(settings: Settings, folder: string, targetFolder: string) {
  const { PostgresMove } = await import('../src/members/move/postgres-move.ts');
  const { SqliteMove } = await import('../src/members/move/sqlite-move.ts');
  const path = join(targetFolder, 'members.db');
  if (existsSync(path)) {
    throw new Error(`${path} exists already. Name another folder, or move the file away first.`);
  }
  // Checks that the secret is that of the database.
  await (await openExistingMembers(settings))[Symbol.asyncDispose]();
  mkdirSync(targetFolder, { recursive: true, mode: 0o700 });
  if (resolve(folder) !== resolve(targetFolder)) copyCompanions(folder, targetFolder);
  const draft = draftOf(path);
  closeSync(openSync(draft, 'a', 0o600));
  await new SqliteMemberStore(draft)[Symbol.asyncDispose]();
  await using source = await PostgresMove.source(settings.DATABASE_URL!);
  await using target = SqliteMove.target(draft);
  return await withProgress(source, target);
}

/**
 * Copies the secret and the ledger of erasures into another data folder. The files of another store there stay; those
 * of an interrupted move begin as these do.
 */
function copyCompanions(folder: string, targetFolder: string): void {
  for (const name of ['members.secret', 'erasures.ndjson']) {
    const source = join(folder, name);
    const target = join(targetFolder, name);
    const known = contentOf(target);
    if (!contentOf(source).subarray(0, known.length).equals(known)) {
      throw new Error(
        `${target} belongs to another store. Name another folder, or move the file away first.`,
      );
    }
    if (existsSync(source)) copyFileSync(source, target);
  }
}

/** Content of a file; empty if there is none. */
function contentOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

async function withProgress(source: MoveSource, target: MoveTarget): Promise<readonly MovedRows[]> {
  using progress = new ProgressLine();
  using stop = stopSignal('Stopped. Run the same command again: it goes on from here.');
  return moveStore(source, target, ({ step, table, rows }) => {
    stop.signal.throwIfAborted();
    progress.update(
      () => `${step === 'copy' ? 'Copying' : 'Comparing'} ${table}: ${formatCount(rows)} rows`,
    );
  });
}
