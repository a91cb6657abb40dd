import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { Body } from '../body.ts';
import { requirePlatform, type KeyCaller } from '../keys.ts';
import type { SessionMatch } from '../session.ts';
import type { LiveSession, Platform } from '../store/entities.ts';
import type { Answer } from './answer.ts';
import type { MembersHost } from './host.ts';

/** A request of a server that showed a key with the right of the route. */
export interface ServerCall {
  readonly host: MembersHost;
  readonly request: RequestContext;
  readonly caller: KeyCaller;
  /** Empty where the route takes none. */
  readonly body: Body;
  /** Of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A request of a page, past the checks against other sites. */
export interface BrowserCall {
  readonly host: MembersHost;
  readonly request: RequestContext;
  /** The page's; null for a request that changes nothing. */
  readonly origin: string | null;
  readonly body: Body;
  readonly tokens: readonly string[];
  readonly finding: SessionMatch;
}

/** A request of a page with a live session. */
export interface SessionCall extends BrowserCall {
  readonly session: LiveSession;
}

export type ServerHandler = (call: ServerCall) => Promise<Answer>;
export type BrowserHandler = (call: BrowserCall) => Promise<Answer>;
export type SessionHandler = (call: SessionCall) => Promise<Answer>;

/** The platform a call is about: the one it names, which must be the key's, else the key's own. */
export async function platformOf(call: ServerCall, named: unknown): Promise<Platform> {
  const { caller, host } = call;
  if (named === undefined && caller.platform !== null) return caller.platform;
  return requirePlatform(host.context, caller, named);
}
