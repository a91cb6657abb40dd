import { join } from 'node:path';
import type { MemberContext } from '../../src/members/context.ts';
import { scopes } from '../../src/contract/enumerations.ts';
import { authenticateKey, issueKey, type KeyCaller } from '../../src/members/keys.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import type { SqliteOptions } from '../../src/members/store/sqlite.ts';
import { openTestStore } from '../fixtures/open-test-store.ts';
import type { StorePlace } from '../fixtures/store-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A members service in a temporary folder, with a clock that the test sets. */
export async function membersRig(choice?: SqliteOptions | 'postgres'): Promise<MembersRig> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  const { store, place } = await openTestStore(folder.path, choice);
  const clock = { now: Date.parse('2026-11-18T12:00:00+09:00') };
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: () => clock.now, secret: Buffer.alloc(32, 7) };
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  return {
    context,
    clock,
    place,
    path,
    folder: folder.path,
    async caller(platform) {
      const { secret } = await issueKey(context, { platform, scopes }, operator);
      return authenticateKey(context, secret);
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export interface MembersRig extends AsyncDisposable {
  readonly context: MemberContext;
  readonly clock: { now: number };
  readonly place: StorePlace;
  /** File of the store on SQLite. */
  readonly path: string;
  readonly folder: string;
  /** A caller with every scope: of the platform, or of the operator for null. */
  caller(platform: string | null): Promise<KeyCaller>;
}

export const operator = { actor: 'operator:test', reason: 'a test' };

/** Three trusted platforms, an asserted one, one outside the cookie domain, one in a realm of its own. */
export const configuration = {
  platforms: [
    { code: 'books', origins: ['https://books.example.com'] },
    { code: 'music', origins: ['https://music.example.com'] },
    { code: 'forum', assurance: 'asserted' },
    { code: 'cards', capabilities: ['card_issuer'] },
    { code: 'outside', cookie_domain: false },
    { code: 'island', realm: 'island' },
  ],
};
