import type { Static, TSchema } from 'typebox';
import type { OperatorRole } from './enumerations.ts';
import type { BilingualText } from './language.ts';
import type { ProblemCode } from './problems.ts';

/** A route: a row of a contract. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments that are parameters are written `{name}`. */
  readonly path: string;
  readonly purpose: BilingualText;
  /** Parameters of the path and the query, in the order of the reference and of canonical URLs. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly body?: TSchema;
  readonly bodyBytesMax?: number;
  /** Properties of the body whose nesting is not limited; the handler drops too deep ones with a warning. */
  readonly uncheckedNames?: readonly string[];
  /** Bodies of the successful answers, by status. Checked in tests. */
  readonly answers: Readonly<Record<number, TSchema>>;
  /** Media types by the value of the parameter `format`; the first is the default. JSON when absent. */
  readonly formats?: Readonly<Record<string, string>>;
  /** Media types if the path, not `format`, chooses one. */
  readonly media?: readonly string[];
  /** Problem codes of this route, beside `sharedProblems`. */
  readonly problems: readonly ProblemCode[];
  readonly examples?: readonly Example[];
  /** Caches keep an answer until the data changes and, with `day`, until midnight in Seoul. Not cached when absent. */
  readonly cache?: 'data' | 'day';
  /** Callers that may use the route; open to all when absent. */
  readonly callers?: readonly Caller[];
  /** Scope that the key of a server needs. */
  readonly scope?: string;
  /** Lowest role of an operator that may call the route. */
  readonly role?: OperatorRole;
  /** A browser needs a live session unless this is set. */
  readonly session?: 'optional';
  readonly limit?: RateLimit;
}

/** A route for callers that authenticate. */
export type GuardedRoute = Route & Required<Pick<Route, 'callers' | 'limit'>>;

/** Kind of caller. A server authenticates with an API key, a browser or an operator with a session. */
export type Caller = 'server' | 'browser' | 'operator';

interface Example {
  /** Path and query, readable: not percent-encoded. */
  readonly target: string;
  readonly purpose: BilingualText;
}

/** Number of calls in a window of time, which may all come at once. */
export interface RateLimit {
  readonly name: string;
  readonly calls: number;
  readonly windowS: number;
}

export type Parameter =
  IntegerParameter | TextParameter | ChoiceParameter | PathParameter | RawParameter;

/** An integer from 0. A larger value is reduced to the maximum with a warning; other text is refused. */
export interface IntegerParameter {
  readonly kind: 'integer';
  readonly default?: number;
  /** Name of a parameter whose value, if given, is the default; its maximum is not larger. */
  readonly defaultOf?: string;
  readonly maximum?: number;
  readonly purpose: BilingualText;
}

/** Text, normalised to NFC, trimmed, with inner blanks collapsed. Blank text counts as absent. */
export interface TextParameter {
  readonly kind: 'text';
  readonly required?: true;
  /** In code points; `textLengthMax` when absent. */
  readonly lengthMax?: number;
  /** True if the text is not normalised: its blanks count, and errors give positions in it. */
  readonly isVerbatim?: true;
  /** The published description lists the codes of the stored axes as its values. */
  readonly codes?: 'axis';
  /** Properties that the items of the answer have; the value names those to return. */
  readonly properties?: readonly string[];
  readonly purpose: BilingualText;
}

/** Length of a text parameter after normalisation, unless its row has another; in code points as JSON Schema counts. */
export const textLengthMax = 200;

/** One of a closed list of values, in upper or lower case. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default?: string;
  readonly purpose: BilingualText;
}

/** A segment of the path, percent-decoded. */
export interface PathParameter {
  readonly kind: 'path';
  readonly required: true;
  readonly purpose: BilingualText;
}

/** A query parameter as it was sent; its handler checks it. */
export interface RawParameter {
  readonly kind: 'raw';
  readonly purpose: BilingualText;
}

/** The checked parameters of a route, by name. */
export type RouteParameters<Row extends Route> = {
  readonly [Name in keyof Row['parameters']]:
    | ValueOf<Row['parameters'][Name]>
    | (Row['parameters'][Name] extends { readonly required: true } | { readonly default: unknown }
        ? never
        : undefined);
};

/** A route, or only the schema of a body. */
export type BodyRow = Route | { readonly body: TSchema };

/** The checked body of a route. */
export type Body<Row extends BodyRow> = Row extends { readonly body: infer Schema extends TSchema }
  ? Value<Schema>
  : Readonly<Record<string, never>>;

/** The successful answers of a route. */
export type Answer<Row extends Route> = Value<Row['answers'][keyof Row['answers'] & number]>;

/** The values of a schema. */
export type Value<Schema extends TSchema> = Immutable<Static<Schema>>;

/** Something in an answer that is not quite as requested. */
export interface Warning {
  readonly code: string;
  readonly parameter?: string;
  readonly [detail: string]: unknown;
}

type ValueOf<Row extends Parameter> = Row extends IntegerParameter
  ? number
  : Row extends { readonly kind: 'choice'; readonly values: readonly (infer Choice)[] }
    ? Choice
    : string;

type Immutable<Type> = Type extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Type extends object
    ? { readonly [Name in keyof Type]: Immutable<Type[Name]> }
    : Type;

/** Problem codes that many routes share, by the property of a route that adds them. */
export const sharedProblems = {
  every: ['bad_request', 'method_not_allowed', 'uri_too_long', 'headers_too_large'],
  cache: ['no_snapshot'],
  snapshot: ['snapshot_gone'],
  body: ['malformed_json', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
  limit: ['rate_limited', 'overloaded', 'storage_unavailable', 'outcome_unknown'],
  server: [
    'browser_call_refused',
    'missing_api_key',
    'invalid_api_key',
    'expired_api_key',
    'revoked_api_key',
    'insufficient_scope',
    'platform_disabled',
  ],
  browser: ['csrf_rejected', 'session_required', 'ambiguous_session'],
  operator: ['csrf_rejected', 'session_required', 'insufficient_role'],
} as const satisfies Record<string, readonly ProblemCode[]>;

/** Every code that a route may answer. */
export function problemsOf(row: Route): readonly ProblemCode[] {
  const { callers = [], body, limit, cache, problems } = row;
  const codes: readonly ProblemCode[] = [
    ...problems,
    ...callers.flatMap((caller) => sharedProblems[caller]),
    ...(body === undefined ? [] : sharedProblems.body),
    ...(cache === undefined ? [] : sharedProblems.cache),
    ...('snapshot' in row.parameters && cache !== undefined ? sharedProblems.snapshot : []),
    ...(limit === undefined ? [] : sharedProblems.limit),
    ...sharedProblems.every,
  ];
  return [...new Set(codes)];
}

/** Schemas of the successful answers of a route. */
export function answersOf(row: Route): readonly [status: string, schema: TSchema][] {
  return Object.entries(row.answers);
}
