import type { RouteParameters, Route, Warning } from '../contract/route.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import { cachedContent, briefCaching } from '../kernel/http/conditional.ts';
import { tagOf } from '../kernel/http/entity-tag.ts';
import { readParameters, type CheckedParameters, type Values } from '../kernel/http/parameters.ts';
import { mediaTypeFor } from '../kernel/http/preferences.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Content, Result, Validity } from '../kernel/http/result.ts';
import type { Operation, Router } from '../kernel/http/router.ts';
import type { Revalidations } from './revalidations.ts';
import { selectedProperties, withProperties } from './selected-properties.ts';

/** Serves every row of a contract: parameters, data, the conditional request, then the handler of the row. */
export function serveLookup<const Contract extends Record<string, Route>, Data>(
  router: Router,
  source: DataSource<Data>,
  contract: Contract,
  handlers: Handlers<Contract, Data>,
): void {
  for (const [name, route] of Object.entries(contract)) {
    // The mapped type of `handlers` gives each name the handler of its own row.
    const handler = handlers[name] as unknown as Handler<Route, Data>;
    const formats = formatsOf(route);
    const operation: Operation<null, Content | CheckedParameters> = {
      read: (request) =>
        source.revalidations.find(request) ?? readInput(source, route, formats, request),
      handle: (request, _caller, input) =>
        'body' in input ? input : answerRequest(source, route, handler, request, input),
    };
    router.add(route.path, operation);
  }
}

type Handlers<Contract extends Record<string, Route>, Data> = {
  readonly [Name in keyof Contract]: Handler<Contract[Name], Data>;
};

/** Checks parameters against the data, may change the warnings, and returns the function that answers; a 304 does not call it. */
type Handler<Row extends Route, Data> = (
  parameters: RouteParameters<Row>,
  data: Data,
  given: CheckedParameters,
) => (request: ApiRequest<Data>) => Result | Promise<Result>;

export interface ApiRequest<Data> {
  readonly data: Data;
  /** The canonical URL of the request, for links to its other pages. */
  readonly target: (changes?: Values) => string;
  /** True once the client has closed the connection. */
  readonly isAbandoned: () => boolean;
  /** Warnings collected so far; handlers may append. */
  readonly warnings: Warning[];
}

/** The data that answers are made from. */
export interface DataSource<Data> {
  /** Leases the data of a snapshot, or the current for null, until `release`. Throws a problem if there are none. */
  readonly lease: (snapshot: string | null) => Promise<DataLease<Data>>;
  readonly revalidations: Revalidations;
  readonly normalise: (text: string) => string;
  /** The current day, such as `2026-11-21`, for answers that change daily. */
  readonly today: () => string;
}

export interface DataLease<Data> {
  readonly data: Data;
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** A text that differs between data, and between releases of the program. */
  readonly version: string;
  readonly lastModified: string;
  readonly release: () => void;
}

function readInput<Data>(
  { normalise }: DataSource<Data>,
  route: Route,
  formats: Formats | null,
  request: RequestContext,
): CheckedParameters {
  const { path, query } = request;
  const isStrict = /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(request.header('prefer') ?? '');
  const input = readParameters(route, query, { path, isStrict, normalise });
  if (formats === null || input.queryNames.has('format')) return input;
  const format = formatFor(formats, request);
  // Mostly the default, which is there already: then the values of all parameters need no copy.
  if (format === input.values['format']) return input;
  return { ...input, values: { ...input.values, format } };
}

/** Formats of a route and their media types, in one order. */
interface Formats {
  readonly names: readonly string[];
  readonly types: readonly string[];
}

function formatsOf({ formats }: Route): Formats | null {
  if (formats === undefined) return null;
  const types = Object.values(formats).map((type) => type.split(';')[0]!);
  return { names: Object.keys(formats), types };
}

/** The format that a client names in `Accept`; the first of the route where it names none of them. */
function formatFor({ names, types }: Formats, request: RequestContext): string {
  const type = mediaTypeFor(request.header('accept'), types);
  return names[type === null ? 0 : types.indexOf(type)]!;
}

/** Answers a request; the data stays leased until the content is made or the last piece of a stream is read. */
async function answerRequest<Data>(
  source: DataSource<Data>,
  route: Route,
  handler: Handler<Route, Data>,
  request: RequestContext,
  given: CheckedParameters,
): Promise<Result> {
  const { values, warnings } = given;
  const pinned = values['snapshot'];
  const lease = await source.lease(pinned === undefined ? null : String(pinned));
  request.responseHeaders[snapshotHeader] = lease.snapshot;
  let isStream = false;
  try {
    const properties = selectedProperties(route, values);
    const respond = handler(values, lease.data, given);
    const validity = validityOf(source, route, values, warnings, lease);
    const cached = cachedContent(request, validity);
    if (cached !== null) {
      // A daily answer also depends on the day, which is not in the version.
      if (cached.status === 304 && !validity.isDaily) {
        const headers = { ...cached.headers, [snapshotHeader]: lease.snapshot };
        source.revalidations.store(request, { ...cached, headers });
      }
      return cached;
    }
    const target = (changes?: Values): string =>
      canonicalUrl(route, changes ? { ...values, ...changes } : values);
    const whole = await respond({
      data: lease.data,
      target,
      isAbandoned: () => request.outgoing.destroyed,
      warnings,
    });
    const result = properties === null ? whole : withProperties(whole, properties);
    isStream = 'pieces' in result || 'read' in result || 'write' in result;
    const { release } = lease;
    if (isStream) return { ...result, validity: { ...validity, vary: varyOf(result) }, release };
    return { ...result, validity };
  } finally {
    if (!isStream) lease.release();
  }
}

/** Request headers that can change a file; `Prefer` changes its warnings. */
function varyOf(result: Result): string {
  const isCompressible = 'isCompressible' in result && result.isCompressible;
  return isCompressible ? 'Accept-Encoding, Prefer' : 'Prefer';
}

function validityOf<Data>(
  { today }: DataSource<Data>,
  route: Route,
  values: Values,
  warnings: readonly Warning[],
  { version, lastModified }: Pick<DataLease<Data>, 'version' | 'lastModified'>,
): Validity {
  const isDaily = route.cache === 'day';
  const day = isDaily ? today() : '';
  const shownWarnings = warnings.length === 0 ? '' : JSON.stringify(warnings);
  const vary = 'Accept-Encoding, Prefer';
  return {
    tag: tagOf(version, canonicalUrl(route, values), shownWarnings, day),
    lastModified: isDaily ? laterOf(lastModified, startOf(day)) : lastModified,
    isDaily,
    cacheControl: values['snapshot'] === undefined || isDaily ? briefCaching : pinnedCaching,
    vary: route.formats === undefined ? vary : `Accept, ${vary}`,
  };
}

/** Names the snapshot that an answer was made from. */
export const snapshotHeader = 'X-Maru-Snapshot';
/** Answers from a given snapshot change with the version of the program alone. */
const pinnedCaching = 'public, max-age=86400, stale-while-revalidate=600';

/** The first moment of a day in Seoul. */
function startOf(day: string): string {
  return new Date(`${day}T00:00:00+09:00`).toUTCString();
}

function laterOf(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}
