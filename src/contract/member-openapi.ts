import type { Language } from '../kernel/http/preferences.ts';
import { memberProblem } from './member-schemas.ts';
import { answersOf, membersContract, problemsOf, type MemberOperation } from './members.ts';

/** The paths of the members service for OpenAPI 3.1. */
export function memberPaths(language: Language): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, row] of Object.entries<MemberOperation>(membersContract)) {
    const path = (paths[row.path] ??= {});
    path[row.method.toLowerCase()] = operation(name, row, language);
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

function operation(name: string, row: MemberOperation, language: Language): object {
  const pathNames = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return {
    operationId: name,
    tags: ['members'],
    summary: row.purpose[language],
    security: row.callers.map((caller) => (caller === 'server' ? { ApiKey: [] } : { Session: [] })),
    ...(row.scope === undefined ? {} : { 'x-scope': row.scope }),
    'x-rate-limit': row.limit,
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
      ...refusals(row),
    },
  };
}

/** The codes of a row's refusals by status. */
function refusals(row: MemberOperation): Record<string, object> {
  const schema = { $ref: '#/components/schemas/MemberProblem' };
  return {
    default: {
      description: problemsOf(row).join(', '),
      content: { 'application/problem+json': { schema } },
    },
  };
}

const text = { type: 'string' };
