import type { membersContract } from '../../contract/members.ts';
import type { Answer, Body, Caller, RouteParameters, Route } from '../../contract/route.ts';
import type { Language } from '../../contract/language.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import { requirePlatform, type KeyCaller } from '../keys.ts';
import type { SessionMatch } from '../session.ts';
import type { LiveSession, Platform } from '../store/entities.ts';
import type { MembersHost } from './host.ts';

/** A server, authenticated by its key. */
export interface ServerCaller {
  readonly kind: 'server';
  readonly key: KeyCaller;
}

/** A page, with the session that the cookies of its user lead to. */
export interface BrowserCaller {
  readonly kind: 'browser';
  /** Origin of the page; null if unknown. If the request may change data, it is a registered origin. */
  readonly origin: string | null;
  readonly tokens: readonly string[];
  readonly match: SessionMatch;
}

/** The checked parameters and body of a request. */
export interface Input {
  readonly parameters: Values;
  readonly body: object;
}

/** A request of a server whose key has the scope of the route. */
export interface ServerCall<Row extends Route = Route> {
  readonly host: MembersHost;
  readonly language: Language;
  readonly caller: KeyCaller;
  readonly body: Body<Row>;
  readonly parameters: RouteParameters<Row>;
}

/** A request of a page after the checks against other sites. */
interface BrowserCall<Row extends Route = Route> extends Omit<BrowserCaller, 'kind'> {
  readonly host: MembersHost;
  readonly language: Language;
  readonly body: Body<Row>;
}

/** A request of a page with a live session. */
interface SessionCall<Row extends Route = Route> extends BrowserCall<Row> {
  readonly session: LiveSession;
}

/** A successful answer of a route. */
export interface Success<Row extends Route = Route> {
  readonly status: number;
  readonly body: Answer<Row>;
  readonly cookies?: readonly string[];
}

/** A handler for each route of servers. */
export type ServerHandlers = {
  readonly [Name in RouteNames<'server'>]: (
    call: ServerCall<Rows[Name]>,
  ) => Promise<Success<Rows[Name]>>;
};

/** A handler for each route of pages that needs no session. */
export type OpenHandlers = {
  readonly [Name in OpenNames]: (call: BrowserCall<Rows[Name]>) => Promise<Success<Rows[Name]>>;
};

/** A handler for each route of pages that needs a session. */
export type SessionHandlers = {
  readonly [Name in Exclude<RouteNames<'browser'>, OpenNames>]: (
    call: SessionCall<Rows[Name]>,
  ) => Promise<Success<Rows[Name]>>;
};

/** The platform that a request names, which must be the platform of the key; by default the platform of the key. */
export async function platformOf(
  { caller, host }: Pick<ServerCall, 'caller' | 'host'>,
  code: string | undefined,
): Promise<Platform> {
  if (code === undefined && caller.platform !== null) return caller.platform;
  return requirePlatform(host.context, caller, code);
}

type Rows = typeof membersContract;

type RouteNames<Kind extends Caller> = {
  [Name in keyof Rows]: Kind extends Rows[Name]['callers'][number] ? Name : never;
}[keyof Rows];

type OpenNames = {
  [Name in keyof Rows]: Rows[Name] extends { readonly session: 'optional' } ? Name : never;
}[keyof Rows];
