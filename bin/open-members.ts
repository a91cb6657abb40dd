import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../src/kernel/settings.ts';
import type { MemberContext } from '../src/members/context.ts';
import { ConfigurationRefused } from '../src/members/http/cookie-domain.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { declarePlatforms, PlatformDirectory } from '../src/members/platforms.ts';
import { openSecret, readSecret } from '../src/members/secret.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';

/** The members' store of a data folder with what works on it, made when absent. */
export interface OpenedMembers extends AsyncDisposable {
  readonly context: MemberContext;
  readonly folder: string;
}

export function openMembers({ MARU_DATA: data }: Pick<Settings, 'MARU_DATA'>): OpenedMembers {
  const folder = join(data, 'members');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'members.db');
  // The secret first: a process that starts beside this one finds it wherever it finds a store.
  const secret = existsSync(path) ? readSecret(folder) : openSecret(folder);
  const store = new SqliteMemberStore(path);
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret };
  return { context, folder, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
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
