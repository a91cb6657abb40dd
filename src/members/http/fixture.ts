import { join } from 'node:path';
import { Hono } from 'hono';
import type { Connection } from '../../kernel/http/exchange.ts';
import { createFront } from '../../kernel/http/front.ts';
import { refuseOtherPaths, type App } from '../../kernel/http/route.ts';
import { createLog, type Log } from '../../kernel/log.ts';
import type { MemberContext } from '../context.ts';
import { issueKey, scopes, type Scope } from '../keys.ts';
import { readPlatformConfiguration } from '../platform-configuration.ts';
import { declarePlatforms, PlatformDirectory } from '../platforms.ts';
import { openSecret } from '../secret.ts';
import { SqliteMemberStore } from '../store/sqlite.ts';
import { addMembers, type MembersAppOptions } from './app.ts';

/** A members service with five platforms and their keys, for tests; its store lies in `folder`. */
export interface MembersFixture extends AsyncDisposable {
  readonly app: App;
  readonly context: MemberContext;
  readonly front: ReturnType<typeof createFront>;
  readonly log: Log;
  /** Everything that was logged. */
  readonly logged: () => string;
  /** A key of a platform with every scope; `operator` for the operator's. */
  readonly keys: Readonly<Record<PlatformCode | 'operator', string>>;
  readonly issue: (platform: PlatformCode | null, scopes: readonly Scope[]) => Promise<string>;
  readonly clock: { now: number };
}

export type PlatformCode = 'books' | 'cards' | 'weak' | 'outside' | 'island';

export const fixtureSettings: MembersAppOptions['settings'] = {
  MARU_MEMBERS_URL: 'https://id.example.com',
  MARU_COOKIE_DOMAIN: 'example.com',
  MARU_PREVIOUS_COOKIE_DOMAINS: [],
  MARU_TRUSTED_PROXIES: [],
  MARU_RATE_SCALE: 1,
  PORT: 0,
};

const fixturePlatforms = [
  { code: 'books', origins: ['https://books.example.com'] },
  { code: 'cards', origins: ['https://cards.example.com'], capabilities: ['card_issuer'] },
  { code: 'weak', assurance: 'asserted', origins: ['https://weak.example.com'] },
  { code: 'outside', cookie_domain: false, origins: ['https://outside.example.net'] },
  { code: 'island', realm: 'island', origins: ['https://island.example.com'] },
];

export async function openFixture(
  folder: string,
  settings: Partial<MembersAppOptions['settings']> = {},
): Promise<MembersFixture> {
  const store = new SqliteMemberStore(join(folder, 'members.db'));
  const clock = { now: Date.parse('2026-11-20T03:00:00Z') };
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: () => clock.now, secret: openSecret(folder) };
  const operator = { actor: 'operator:test', reason: 'the fixture' };
  const declared = readPlatformConfiguration({ platforms: fixturePlatforms });
  await declarePlatforms(context, declared, operator);
  const issue = async (platform: PlatformCode | null, scopes: readonly Scope[]) =>
    (await issueKey(context, { platform, scopes }, operator)).secret;
  let text = '';
  const write = (lines: string): void => {
    text += lines;
  };
  const log = createLog({ level: 'debug', pretty: false, write });
  const front = createFront(log);
  const app: App = new Hono<{ Bindings: Connection }>();
  addMembers({ app, front, context, settings: { ...fixtureSettings, ...settings } });
  refuseOtherPaths(app, front);
  return {
    app,
    context,
    front,
    log,
    logged: () => {
      log.flush();
      return text;
    },
    keys: {
      books: await issue('books', scopes),
      cards: await issue('cards', scopes),
      weak: await issue('weak', scopes),
      outside: await issue('outside', scopes),
      island: await issue('island', scopes),
      operator: await issue(null, scopes),
    },
    issue,
    clock,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  /** Tests read what they need of it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Asks in-process, as a server with a key does. */
export function askAsServer(
  fixture: Pick<MembersFixture, 'app'>,
  method: string,
  path: string,
  key: string | null,
  body?: unknown,
): Promise<Asked> {
  const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key };
  return ask(fixture, method, path, headers, body);
}

/** Asks in-process, as a page of an origin does. */
export function askAsPage(
  fixture: Pick<MembersFixture, 'app'>,
  method: string,
  path: string,
  page: { readonly origin: string; readonly cookie?: string },
  body?: unknown,
): Promise<Asked> {
  const headers: Record<string, string> = {
    origin: page.origin,
    'sec-fetch-site': 'same-site',
    'sec-fetch-mode': 'cors',
    'x-svc-client': 'test',
  };
  if (page.cookie !== undefined) headers['cookie'] = page.cookie;
  return ask(fixture, method, path, headers, body);
}

export async function ask(
  { app }: Pick<MembersFixture, 'app'>,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Asked> {
  const carried =
    body === undefined
      ? { headers }
      : {
          headers: { 'Content-Type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        };
  const response = await app.request(path, { method, ...carried });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  // Every JSON answer of the service is an object.
  const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body: parsed, text };
}

/** The value of the session cookie an answer sets. */
export function sessionCookie({ headers }: Asked): string {
  const pair = headers.getSetCookie().find((cookie) => cookie.startsWith('svc_sso='));
  return pair?.split(';')[0] ?? '';
}
