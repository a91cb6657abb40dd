import type { TProperties, TSchema } from 'typebox';
import * as schemas from './admin-schemas.ts';
import type { OperatorRole } from './enumerations.ts';
import type { BilingualText } from './language.ts';
import type { ProblemCode } from './problems.ts';
import type { RawParameter, PathParameter, Route } from './route.ts';
import { Type } from './type.ts';

type PathParameterName<Path extends string> = Path extends `${string}{${infer Name}}${string}`
  ? Name
  : never;

/** Restricts a route to operators with at least this role. */
export function withRole<Row extends Route>(role: OperatorRole, route: Row) {
  return { ...route, role };
}

/** A route that reads. */
export function get<
  const Path extends string,
  Answer extends TSchema,
  const Names extends string = never,
>(
  path: Path,
  purpose: BilingualText,
  answer: Answer,
  {
    query,
    problems,
  }: {
    readonly query?: Readonly<Record<Names, BilingualText>>;
    readonly problems?: readonly ProblemCode[];
  } = {},
) {
  const entries = Object.entries<BilingualText>(query ?? {}).map(([name, purpose]) => [
    name,
    { kind: 'raw', purpose },
  ]);
  // `Object.fromEntries` loses the type of the names.
  const inQuery = Object.fromEntries(entries) as Readonly<Record<NoInfer<Names>, RawParameter>>;
  const route = row(path, purpose, answer, problems);
  return {
    ...route,
    method: 'GET' as const,
    role: 'view' as OperatorRole,
    parameters: { ...route.parameters, ...inQuery },
  };
}

/** A route with a body; `support` may call it unless `withRole` sets another role. */
export function post<const Path extends string, Body extends TSchema, Answer extends TSchema>(
  path: Path,
  purpose: BilingualText,
  body: Body,
  answer: Answer,
  problems?: readonly ProblemCode[],
) {
  return {
    ...row(path, purpose, answer, problems),
    method: 'POST' as const,
    role: 'support' as OperatorRole,
    body,
  };
}

/** A route with a body that changes or reveals data; the body has a reason for the audit log. */
export function action<
  const Path extends string,
  Properties extends TProperties = {},
  Answer extends TSchema = typeof schemas.okAnswer,
>(
  path: Path,
  purpose: BilingualText,
  {
    body,
    answer,
    problems,
  }: {
    readonly body?: Properties;
    readonly answer?: Answer;
    readonly problems?: readonly ProblemCode[];
  } = {},
) {
  // An absent option has the default of its type parameter.
  const schema = Type.Object({ ...(body as Properties), reason: schemas.reason });
  return post(path, purpose, schema, (answer ?? schemas.okAnswer) as Answer, problems);
}

function row<const Path extends string, Answer extends TSchema>(
  path: Path,
  purpose: BilingualText,
  answer: Answer,
  problems: readonly ProblemCode[] = [],
) {
  const names = Array.from(
    path.matchAll(/\{(\w+)\}/g),
    ([, name]) => name as keyof typeof pathParameters,
  );
  const parameters = names.map((name) => {
    const { ko, en } = pathParameters[name];
    return [name, { kind: 'path', required: true, purpose: { ko, en } }];
  });
  return {
    path,
    purpose,
    // The type takes the same names from the path.
    parameters: Object.fromEntries(parameters) as Readonly<
      Record<PathParameterName<Path>, PathParameter>
    >,
    answers: { 200: answer },
    problems: [...names.map((name) => pathParameters[name].unknown), ...problems],
    callers: ['operator'] as const,
    limit: { name: 'admin', calls: 600, windowS: 60 },
  };
}

export const cursor = { ko: '이전 페이지의 next_cursor', en: 'next_cursor of the previous page' };

/** Parameters in the paths of the operator's interface, with the problem code of an unknown value. */
const pathParameters = {
  svc_uid: { ko: '통합 회원 번호', en: 'The member’s id', unknown: 'member_not_found' },
  merge_id: { ko: '병합 번호', en: 'The merge’s number', unknown: 'member_not_found' },
  code: { ko: '플랫폼 코드', en: 'The platform’s code', unknown: 'unknown_platform' },
  kid: { ko: '키 번호', en: 'The key’s id', unknown: 'not_found' },
  id: { ko: '번호', en: 'The id', unknown: 'not_found' },
  passkey_id: { ko: '패스키 번호', en: 'The passkey’s id', unknown: 'passkey_not_found' },
  snapshot_id: {
    ko: '스냅샷 번호, 예: 20261121-0001',
    en: 'The snapshot’s id, such as 20261121-0001',
    unknown: 'unknown_snapshot',
  },
  name: { ko: '운영자 이름', en: 'Name of the operator', unknown: 'operator_not_found' },
} as const satisfies Record<string, BilingualText & { readonly unknown: ProblemCode }>;
