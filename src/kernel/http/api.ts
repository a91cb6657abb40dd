import type { Params, Route, Warning } from '../../contract/route.ts';
import { tagOf } from './entity-tag.ts';
import type { RequestContext } from './request-context.ts';
import type { ServerContext } from './server-context.ts';
import { cacheControl, heldByClient } from './conditional.ts';
import { mediaTypeFor } from './preferences.ts';
import { readParameters, type Values } from './parameters.ts';
import {
  notModifiedHeaders,
  respond,
  respondFromKept,
  respondNotModified,
  type Content,
  type Validity,
} from './respond.ts';
import type { Reply } from './reply.ts';
import { respondFlow, type Flow } from './stream.ts';
import { route, type App } from './route.ts';
import { canonicalUrl } from './canonical-url.ts';

/**
 * Serves a contract: for each row its question is read and checked, answered from what the client or the
 * server holds already where that is possible, and else by the row's handler.
 */
export function api<const Contract extends Record<string, Route>, Data>(
  host: ApiHost<Data>,
  contract: Contract,
  handlers: Handlers<Contract, Data>,
): void {
  host.front.revalidation.follow(host.version);
  for (const [name, endpoint] of Object.entries(contract)) {
    // The mapped type of `handlers` gives each name the handler of its own row.
    const handler = handlers[name] as unknown as Handler<Route, Data>;
    route(host.app, host.front, endpoint.path, (exchange) =>
      serve(host, endpoint, handler, exchange),
    );
  }
}

export type Handlers<Contract extends Record<string, Route>, Data> = {
  readonly [Name in keyof Contract]: Handler<Contract[Name], Data>;
};

/** Checks parameters against the data, and returns what makes the answer if the client does not have it already. */
export type Handler<Row extends Route, Data> = (
  parameters: Params<Row>,
  data: Data,
) => (request: ApiRequest<Data>) => Content | Flow | Promise<Content | Flow>;

export interface ApiRequest<Data> {
  readonly data: Data;
  /** The canonical address of the question, for links to other pages of it. */
  readonly target: (changes?: Values) => string;
  /** What has to be said about the question so far; a handler may add to it. */
  readonly warnings: Warning[];
}

export interface ApiHost<Data> {
  readonly app: App;
  readonly front: ServerContext;
  /** What answers are made from, held until `release`. Throws the problem to show when there is nothing. */
  readonly enter: () => Visit<Data>;
  /** A name for the data that answers are made from now; null when there is none. */
  readonly version: () => string | null;
  readonly normalise: (text: string) => string;
  /** The day on which answers that depend on it are made, such as `2026-11-21`. */
  readonly today: () => string;
}

export interface Visit<Data> {
  readonly data: Data;
  /** Other data, or another program making the answers, has another version. */
  readonly version: string;
  readonly lastModified: string;
  readonly release: () => void;
}

function serve<Data>(
  host: ApiHost<Data>,
  endpoint: Route,
  handler: Handler<Route, Data>,
  exchange: RequestContext,
): Reply | Promise<Reply> {
  const { values, warnings } = ask(host, endpoint, exchange);
  const visit = host.enter();
  let left = false;
  const leave = (): void => {
    if (!left) visit.release();
    left = true;
  };
  try {
    const answerTo = handler(values, visit.data);
    const validity = validityOf(host, endpoint, values, warnings, visit);
    const held = answerFromHeld(host, exchange, validity);
    if (held !== null) {
      leave();
      return held;
    }
    const request: ApiRequest<Data> = {
      data: visit.data,
      target: (changes) => canonicalUrl(endpoint, changes ? { ...values, ...changes } : values),
      warnings,
    };
    return answer(host.front, exchange, validity, answerTo(request), leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function answer(
  front: ServerContext,
  exchange: RequestContext,
  validity: Validity,
  made: Content | Flow | Promise<Content | Flow>,
  leave: () => void,
): Promise<Reply> {
  try {
    const content = made instanceof Promise ? await made : made;
    if ('pieces' in content) return respondFlow(front, exchange, content, validity, leave);
    // The bytes are ours now: the data may go before they are sent.
    leave();
    return await respond(front, exchange, content, validity);
  } catch (error) {
    leave();
    throw error;
  }
}

function ask<Data>(
  host: ApiHost<Data>,
  endpoint: Route,
  exchange: RequestContext,
): { values: Values; warnings: Warning[] } {
  const strict = /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(exchange.header('prefer') ?? '');
  const { values, warnings, given } = readParameters(endpoint, exchange.query, {
    path: exchange.path,
    strict,
    normalise: host.normalise,
  });
  const { formats } = endpoint;
  if (formats === undefined || given.has('format')) return { values, warnings };
  return { values: { ...values, format: formatFor(formats, exchange) }, warnings };
}

/** The format a client names in `Accept`; the first of the endpoint where it names none of them. */
function formatFor(formats: Readonly<Record<string, string>>, exchange: RequestContext): string {
  const names = Object.keys(formats);
  const bare = Object.values(formats).map((type) => type.split(';')[0]!);
  const type = mediaTypeFor(exchange.header('accept'), bare);
  return names[type === null ? 0 : bare.indexOf(type)]!;
}

function validityOf<Data>(
  host: ApiHost<Data>,
  endpoint: Route,
  values: Values,
  warnings: readonly Warning[],
  visit: Visit<Data>,
): Validity {
  const said = warnings.length === 0 ? '' : JSON.stringify(warnings);
  const daily = endpoint.cache === 'day';
  const day = daily ? host.today() : '';
  return {
    tag: tagOf(visit.version, canonicalUrl(endpoint, values), said, day),
    lastModified: daily ? laterOf(visit.lastModified, startOf(day)) : visit.lastModified,
    daily,
    cacheControl,
    vary:
      endpoint.formats === undefined
        ? 'Accept-Encoding, Prefer'
        : 'Accept, Accept-Encoding, Prefer',
  };
}

/** The first moment of a day in Seoul. */
function startOf(day: string): string {
  return new Date(`${day}T00:00:00+09:00`).toUTCString();
}

function laterOf(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}

function answerFromHeld<Data>(
  { front, version }: ApiHost<Data>,
  exchange: RequestContext,
  validity: Validity,
): Reply | null {
  const held = heldByClient(exchange, validity);
  if (held !== null) {
    // Nothing was awaited since the data was entered, so it is that of this moment.
    remember(front, exchange, held, validity, version());
    return respondNotModified(front, exchange, held, validity);
  }
  return respondFromKept(front, exchange, validity);
}

/** An answer that depends on the day is found out anew each time: the day is no part of the version. */
function remember(
  front: ServerContext,
  { connection, route: path, shownPath }: RequestContext,
  held: string,
  validity: Validity,
  version: string | null,
): void {
  if (version === null || validity.daily || connection.incoming === undefined) return;
  const headers = notModifiedHeaders(held, validity);
  front.revalidation.remember(connection.incoming, {
    version,
    route: path,
    path: shownPath,
    headers,
  });
}
