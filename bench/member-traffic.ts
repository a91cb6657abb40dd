import type { MemberContext } from '../src/members/context.ts';
import { recordEvent, recordEvents } from '../src/members/events.ts';
import type { KeyCaller } from '../src/members/keys.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { PlatformDirectory } from '../src/members/platform-directory.ts';
import { declarePlatforms } from '../src/members/platforms.ts';
import { register } from '../src/members/register.ts';
import { checkSession } from '../src/members/session.ts';
import { issueSso } from '../src/members/sso.ts';
import type { MemberStore } from '../src/members/store/store.ts';

/** One kind of call, made by several callers at once. */
export interface Traffic {
  readonly name: string;
  /** Calls of a round. */
  readonly calls: number;
  readonly callers: number;
  /** Events of a call. */
  readonly each: number;
  readonly call: (n: number) => Promise<void>;
}

/** Kinds of calls on a store, without HTTP. Later kinds use the members and sessions of the ones before. */
export async function memberTraffic(store: MemberStore): Promise<readonly Traffic[]> {
  const { context, caller } = await platformsIn(store);
  const uids: string[] = [];
  const tokens: string[] = [];
  const visit = (n: number) => ({
    svc_uid: uids[(n * 7_919) % uids.length]!,
    platform: 'p0',
    event: 'visit',
    meta: { page: '/books/42' },
  });
  return [
    kind('registrations', 5_000, async (n) => {
      uids.push((await register(context, caller, user(n))).svc_uid);
    }),
    kind('registrations again', 10_000, async (n) => {
      await register(context, caller, user(n % uids.length));
    }),
    kind('events one by one', 5_000, async (n) => {
      await recordEvent(context, caller, visit(n));
    }),
    kind(
      'events in batches of 100, 8 at once',
      150,
      async (n) => {
        const bodies = Array.from({ length: 100 }, (_, at) => visit(n * 100 + at));
        await recordEvents(context, caller, bodies);
      },
      { callers: 8, each: 100 },
    ),
    kind('sessions issued', 5_000, async (n) => {
      tokens.push((await issueSso(context, caller, user(n % uids.length))).token);
    }),
    kind('session checks', 20_000, async (n) => {
      const session = await checkSession(context, tokens[(n * 7_919) % tokens.length]!);
      if (session === null) throw new Error('A live session was not found.');
    }),
  ];
}

/** The context of a store with nine platforms, and a caller of the first. */
export async function platformsIn(
  store: MemberStore,
): Promise<{ readonly context: MemberContext; readonly caller: KeyCaller }> {
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 1) };
  const codes = Array.from({ length: 9 }, (_, at) => ({ code: `p${at}` }));
  const operator = { actor: 'system', reason: 'a benchmark' };
  await declarePlatforms(context, readPlatformConfiguration({ platforms: codes }), operator);
  return { context, caller: { kid: 'bench', platform: await platforms.byCode('p0'), scopes: [] } };
}

function user(n: number) {
  return { email: `u${n}@example.com`, platform: 'p0', local_user_id: `${n}` };
}

function kind(
  name: string,
  calls: number,
  call: (n: number) => Promise<void>,
  { callers = 64, each = 1 } = {},
): Traffic {
  return { name, calls, callers, each, call };
}
