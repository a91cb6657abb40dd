import type { Static, TSchema } from 'typebox';
import type { RouteParameters, Route, Warning } from '../contract/route.ts';
import { parameterText } from '../data/korean/normalise.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import { readParameters, type CheckedParameters, type Values } from '../kernel/http/parameters.ts';
import type { Content, Result } from '../kernel/http/result.ts';
import type { ApiRequest } from '../lookup/serve.ts';
import type { LookupStore } from '../lookup/store/store.ts';

/** The data that a tool reads, and facts of the request. */
export interface ToolContext {
  readonly store: LookupStore;
  /** Address of the lookup service, without a slash at the end. */
  readonly baseUrl: string;
  /** The current day in Seoul, such as `2026-11-21`. */
  readonly today: string;
  /** True once the client no longer waits for the answer. */
  readonly isAbandoned: () => boolean;
}

type Handler<Row extends Route, Answer extends Result> = (
  parameters: RouteParameters<Row>,
  store: LookupStore,
  given: CheckedParameters,
) => (request: ApiRequest<LookupStore>) => Answer | Promise<Answer>;

type JsonRoute = Route & { readonly answers: { readonly 200: TSchema } };

/** Calls the handler of an endpoint in this process, and returns the parsed JSON of its answer. */
export async function callEndpoint<const Row extends JsonRoute>(
  route: Row,
  handler: Handler<Row, Content>,
  values: Values,
  context: ToolContext,
): Promise<
  Omit<Static<Row['answers'][200]>, 'warnings'> & { readonly warnings?: readonly Warning[] }
> {
  const { body } = await runHandler(route, handler, values, context);
  // Tests check the JSON of every endpoint against the schema of its route.
  return JSON.parse(String(body)) as Awaited<ReturnType<typeof callEndpoint<Row>>>;
}

/** Calls the handler of an endpoint, after the endpoint's checks of its parameters. */
export async function runHandler<const Row extends Route, Answer extends Result>(
  route: Row,
  handler: Handler<Row, Answer>,
  values: Values,
  { store, isAbandoned }: ToolContext,
): Promise<Answer> {
  const target = canonicalUrl(route, values);
  const [path = '', query = ''] = target.split('?');
  const given = readParameters(route, query, { path, isStrict: true, normalise: parameterText });
  const { warnings } = given;
  // `readParameters` returns the values that the route describes.
  const respond = handler(given.values as RouteParameters<Row>, store, given);
  return respond({
    data: store,
    target: (changes) => canonicalUrl(route, { ...given.values, ...changes }),
    isAbandoned,
    warnings,
  });
}
