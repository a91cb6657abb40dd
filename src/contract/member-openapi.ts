import type { Language } from './language.ts';
import type { Operation } from './operation.ts';
import { adminContract, adminProblemsOf } from './admin.ts';
import { memberProblem } from './member-schemas.ts';
import { answersOf, membersContract, problemsOf, type MemberOperation } from './members.ts';
import { interfaceVersion } from './lookup.ts';

/** The paths of the members service for OpenAPI 3.1. */
export function memberPaths(language: Language): Paths {
  const rows = Object.entries<MemberOperation>(membersContract);
  return pathsOf(rows, language, (row) => ({
    tags: ['members'],
    security: row.callers.map((caller) => (caller === 'server' ? { ApiKey: [] } : { Session: [] })),
    ...(row.scope === undefined ? {} : { 'x-scope': row.scope }),
    'x-rate-limit': row.limit,
    refusals: problemsOf(row),
  }));
}

/** The operator's interface in OpenAPI 3.1, for its own listener. */
export function adminDescription(language: Language): object {
  const rows = Object.entries<Operation>(adminContract);
  return {
    openapi: '3.1.0',
    info: { title: language === 'ko' ? '마루 운영' : 'Maru operators', version: interfaceVersion },
    servers: [{ url: '/' }],
    paths: pathsOf(rows, language, (row) => ({
      tags: ['operators'],
      security: [{ Operator: [] }],
      refusals: adminProblemsOf(row),
    })),
    components: {
      schemas: memberComponents.schemas,
      securitySchemes: { Operator: { type: 'apiKey', in: 'cookie', name: '__Host-maru_admin' } },
    },
  };
}

type Paths = Record<string, Record<string, object>>;

/** What is said of an operation beside what its row says. */
interface Aside {
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly refusals: readonly string[];
  readonly [extension: `x-${string}`]: unknown;
}

function pathsOf<Row extends Operation>(
  rows: readonly [name: string, row: Row][],
  language: Language,
  asideOf: (row: Row) => Aside,
): Paths {
  const paths: Paths = {};
  for (const [name, row] of rows) {
    const path = (paths[row.path] ??= {});
    path[row.method.toLowerCase()] = operation(name, row, language, asideOf(row));
  }
  return paths;
}

/** What the paths of the members service refer to. */
export const memberComponents = {
  schemas: { MemberProblem: memberProblem },
  securitySchemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    Session: { type: 'apiKey', in: 'cookie', name: 'svc_sso' },
  },
} as const;

function operation(
  operationId: string,
  row: Operation,
  language: Language,
  { refusals, ...aside }: Aside,
): object {
  const pathNames = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return {
    operationId,
    summary: row.purpose[language],
    ...aside,
    parameters: [
      ...pathNames.map((name) => ({ name, in: 'path', required: true, schema: text })),
      ...Object.entries(row.query ?? {}).map(([name, purpose]) => ({
        name,
        in: 'query',
        required: false,
        description: purpose[language],
        schema: text,
      })),
    ],
    ...(row.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: row.body } } } }),
    responses: {
      ...Object.fromEntries(
        answersOf(row).map(([status, schema]) => [
          status,
          {
            description: row.purpose[language],
            content: { 'application/json': { schema } },
          },
        ]),
      ),
      default: refusal(refusals),
    },
  };
}

function refusal(codes: readonly string[]): object {
  const schema = { $ref: '#/components/schemas/MemberProblem' };
  return {
    description: codes.join(', '),
    content: { 'application/problem+json': { schema } },
  };
}

const text = { type: 'string' };
