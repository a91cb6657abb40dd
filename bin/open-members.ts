import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileErrorSentence } from '../src/kernel/file-error.ts';
import { silentLog, type Log } from '../src/kernel/log.ts';
import { UnsafeSettingsError, type Settings } from '../src/kernel/settings.ts';
import type { Operator } from '../src/members/audit.ts';
import type { MemberContext } from '../src/members/context.ts';
import {
  declareConsentPurposes,
  readConsentPurposes,
} from '../src/members/consent-configuration.ts';
import {
  declareEntitlements,
  readEntitlementPolicy,
} from '../src/members/entitlement-configuration.ts';
import { noteDatabase, requireNoDatabase } from '../src/members/database-note.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import type { ReplicaOptions } from '../src/members/postgres/replica-counts.ts';
import { PlatformDirectory } from '../src/members/platform-directory.ts';
import { declarePlatforms } from '../src/members/platforms.ts';
import { Problem } from '../src/kernel/problem.ts';
import { fingerprintOf, openSecret, readSecret } from '../src/members/secret.ts';
import { isStorageFailure } from '../src/kernel/storage-failure.ts';
import { ErasureLedger } from '../src/members/store/erasure-ledger.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';
import type { MemberStore } from '../src/members/store/store.ts';

/** The members' store of a data folder, with its platforms and secret. */
export interface OpenedMembers extends AsyncDisposable {
  readonly context: MemberContext;
  readonly folder: string;
  readonly ledger: ErasureLedger;
}

/** Settings of a members' store; all but the data folder are optional. */
type MembersSettings = Pick<Settings, 'MARU_DATA'> &
  Partial<
    Pick<
      Settings,
      'MARU_COOKIE_DOMAIN' | 'MARU_BACKUP_DAYS' | 'DATABASE_URL' | 'DATABASE_REPLICA_URL'
    >
  >;

/** Opens or creates a store. The log of a service gets a line when statistics are put off. */
export async function openMembers(
  settings: MembersSettings,
  log: Log = silentLog,
): Promise<OpenedMembers> {
  const { MARU_DATA, MARU_COOKIE_DOMAIN: cookieDomain = null } = settings;
  const { MARU_BACKUP_DAYS: backupDays = 0 } = settings;
  const folder = join(MARU_DATA, 'members');
  const ledger = new ErasureLedger(join(folder, 'erasures.ndjson'));
  const { store, secret } = await openStore(folder, ledger, databaseOf(settings, log));
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, cookieDomain, now: Date.now, secret, backupDays };
  return { context, folder, ledger, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Opens an existing store. A mistyped folder is an error: no empty store is created. */
export async function openExistingMembers(settings: MembersSettings): Promise<OpenedMembers> {
  const folder = join(settings.MARU_DATA, 'members');
  if ((settings.DATABASE_URL ?? null) !== null) return openMembers(settings);
  requireNoDatabase(folder);
  if (existsSync(join(folder, 'members.db'))) return openMembers(settings);
  throw new Error(
    `There is no members’ store in ${folder}. Set MARU_DATA to the data folder of the service.`,
  );
}

/** A PostgreSQL database with the replica for its statistics. */
interface Database {
  readonly url: string;
  readonly replica?: ReplicaOptions;
}

/** The database of the settings; null for the SQLite file. */
function databaseOf(settings: MembersSettings, log: Log): Database | null {
  const { DATABASE_URL: url = null, DATABASE_REPLICA_URL: replicaUrl = null } = settings;
  if (replicaUrl === null) return url === null ? null : { url };
  if (url !== null) return { url, replica: { url: replicaUrl, log } };
  throw new UnsafeSettingsError(
    'DATABASE_REPLICA_URL is set without DATABASE_URL. Set DATABASE_URL to the address of the primary, or remove DATABASE_REPLICA_URL.',
  );
}

interface OpenedStore {
  readonly store: MemberStore;
  readonly secret: Uint8Array;
}

/** Opens the store of a folder, or the database of an address. */
async function openStore(
  folder: string,
  ledger: ErasureLedger,
  database: Database | null,
): Promise<OpenedStore> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return database === null
      ? openFile(folder, ledger)
      : await openDatabase(folder, ledger, database);
  } catch (cause) {
    throw isNotWritable(cause) ? notWritableError(folder, cause) : cause;
  }
}

function openFile(folder: string, ledger: ErasureLedger): OpenedStore {
  requireNoDatabase(folder);
  const path = join(folder, 'members.db');
  // The secret is written first: a process that starts meanwhile and finds the store must also find the secret.
  const secret = existsSync(path) ? readSecret(folder) : openSecret(folder);
  makePrivate(path);
  return { store: new SqliteMemberStore(path, { ledger }), secret };
}

/** Opens a database, whose driver is loaded with it. All machines that use it need the same secret. */
async function openDatabase(
  folder: string,
  ledger: ErasureLedger,
  { url, ...options }: Database,
): Promise<OpenedStore> {
  const { PostgresMemberStore } = await import('../src/members/postgres/store.ts');
  const store = await PostgresMemberStore.open(url, { ledger, ...options });
  try {
    const expected = await store.secretFingerprint();
    if (expected !== null && !existsSync(join(folder, 'members.secret'))) throw otherSecret(folder);
    const secret = openSecret(folder);
    const fingerprint = fingerprintOf(secret);
    if (fingerprint !== (expected ?? (await store.noteSecretFingerprint(fingerprint))))
      throw otherSecret(folder);
    noteDatabase(folder, url);
    return { store, secret };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

function otherSecret(folder: string): Error {
  return new Error(
    `${join(folder, 'members.secret')} is not the secret of this database. Copy the file from a machine that uses the database, or restore it from a backup: erased addresses and the audit chain are checked with it.`,
  );
}

/** Makes the store readable by its owner alone. SQLite gives new -wal and -shm files the mode of the database. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file) && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

/** True if the operating system or SQLite refused to write. */
function isNotWritable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return isStorageFailure(error) || ('code' in error && systemCodes.has(String(error.code)));
}

const systemCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

function notWritableError(folder: string, cause: Error): Error {
  return new Error(
    `The members’ store in ${folder} cannot be written: ${cause.message}. Allow this user to write there, make room on the disk, or set MARU_DATA to another folder.`,
    { cause },
  );
}

/**
 * Declares the platforms, entitlements and consent purposes that a file defines, and returns the number of
 * platforms. Throws an `Error` that names the file and its fault.
 */
export async function declarePlatformFile(
  context: MemberContext,
  path: string,
  operator: Operator,
): Promise<number> {
  try {
    const configuration: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const platforms = readPlatformConfiguration(configuration);
    const policy = readEntitlementPolicy(configuration);
    const purposes = readConsentPurposes(configuration);
    await declarePlatforms(context, platforms, operator);
    await declareEntitlements(context, policy, operator);
    await declareConsentPurposes(context, purposes, operator);
    return platforms.length;
  } catch (cause) {
    // The problem `validation_failed` is a fault of the file; all other problems come from the store.
    const isFileFault = !(cause instanceof Problem) || cause.code === 'validation_failed';
    if (!(cause instanceof Error) || !isFileFault) throw cause;
    const sentence = fileErrorSentence(cause) ?? `${path} cannot be used: ${cause.message}`;
    throw new Error(sentence, { cause });
  }
}
