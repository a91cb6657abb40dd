import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationRefused, type Settings } from '../src/kernel/settings.ts';
import type { MemberContext } from '../src/members/context.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { declarePlatforms, PlatformDirectory } from '../src/members/platforms.ts';
import { openSecret, readSecret } from '../src/members/secret.ts';
import { isStorageFailure } from '../src/members/store/storage-failure.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';

/** The members' store of a data folder with what works on it, made when absent. */
export interface OpenedMembers extends AsyncDisposable {
  readonly context: MemberContext;
  readonly folder: string;
}

export function openMembers({ MARU_DATA: data }: Pick<Settings, 'MARU_DATA'>): OpenedMembers {
  const folder = join(data, 'members');
  try {
    return open(folder);
  } catch (cause) {
    throw isNotWritable(cause) ? notWritable(folder, cause) : cause;
  }
}

function open(folder: string): OpenedMembers {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'members.db');
  // The secret first: a process that starts beside this one finds it wherever it finds a store.
  const secret = existsSync(path) ? readSecret(folder) : openSecret(folder);
  const store = new SqliteMemberStore(path);
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret };
  return { context, folder, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Whether the system, or SQLite for it, refused to write. */
function isNotWritable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return isStorageFailure(error) || ('code' in error && systemCodes.has(String(error.code)));
}

const systemCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

function notWritable(folder: string, cause: Error): Error {
  return new Error(
    `The members’ store in ${folder} cannot be written: ${cause.message}. Let this user write there, make room on the disk, or choose another folder by MARU_DATA.`,
    { cause },
  );
}

/** Makes platforms what the file says; what is wrong with it is a reason not to start. */
export async function declareFromFile(context: MemberContext, path: string): Promise<number> {
  const operator = { actor: 'system', reason: 'declared in the configuration' };
  try {
    const declared = readPlatformConfiguration(JSON.parse(readFileSync(path, 'utf8')));
    await declarePlatforms(context, declared, operator);
    return declared.length;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationRefused(`MARU_MEMBERS_CONFIG ${path} cannot be used: ${reason}`);
  }
}
