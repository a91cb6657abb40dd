import { textLengthMax, type Endpoint, type Parameter } from './endpoint.ts';
import type { Language } from './language.ts';
import { problems as problemTable } from './problems.ts';
import { memberComponents, memberPaths } from './member-openapi.ts';
import { exportContract, interfaceVersion, lookupContract } from './lookup.ts';
import { problemAnswer } from './schemas.ts';

export type DescribedService = 'lookup' | 'members';

export interface DescriptionOptions {
  /** The services behind the address. */
  readonly services: readonly DescribedService[];
  /** The codes held now: the values of every parameter that takes one. */
  readonly axisCodes: readonly string[];
  readonly baseUrl: string | null;
  readonly language: Language;
}

/** The interface in OpenAPI 3.1, from the rows of the contract. */
export function openApi(options: DescriptionOptions): object {
  const { services, axisCodes, baseUrl, language } = options;
  const hasMembers = services.includes('members');
  const lookup = { ...lookupContract, ...exportContract };
  const rows = Object.entries<Endpoint>(services.includes('lookup') ? lookup : {});
  return {
    openapi: '3.1.0',
    info: {
      title: language === 'ko' ? '마루' : 'Maru',
      version: interfaceVersion,
      description:
        language === 'ko'
          ? '대한민국 공공데이터를 열쇠 없이 읽는 창구와, 플랫폼들의 통합 회원.'
          : 'Korea’s open data, read without a key, and the central members of platforms.',
    },
    servers: [{ url: baseUrl ?? '/' }],
    paths: {
      ...Object.fromEntries(
        rows.map(([name, row]) => [row.path, { get: operation(name, row, axisCodes, language) }]),
      ),
      ...(hasMembers ? memberPaths(language) : {}),
    },
    components: {
      schemas: { Problem: problemAnswer, ...(hasMembers ? memberComponents.schemas : {}) },
      ...(hasMembers ? { securitySchemes: memberComponents.securitySchemes } : {}),
    },
  };
}

function operation(
  operationId: string,
  row: Endpoint,
  axisCodes: readonly string[],
  language: Language,
): object {
  const [firstType, ...otherTypes] = row.media ?? Object.values(row.formats ?? { json: jsonType });
  const types = otherTypes.map((type) => [
    bareType(type),
    {
      schema: {
        type: bareType(type).endsWith('json') && !type.includes('ndjson') ? 'object' : 'string',
      },
    },
  ]);
  const problems = [...row.problems, ...everywhere];
  const statuses = new Set(problems.map((code) => String(problemTable[code].status)));
  return {
    operationId,
    summary: row.purpose[language],
    parameters: Object.entries(row.parameters).map(([name, parameter]) => ({
      name,
      in: parameter.kind === 'text' && parameter.in === 'path' ? 'path' : 'query',
      required: parameter.kind === 'text' && parameter.required === true,
      description: parameter.purpose[language],
      schema: parameterSchema(parameter, axisCodes),
    })),
    responses: {
      200: {
        description: row.purpose[language],
        content: {
          [bareType(firstType!)]: { schema: row.response },
          ...Object.fromEntries(types),
        },
      },
      304: { description: 'Not Modified' },
      ...Object.fromEntries(
        [...statuses].map((status) => [status, problemResponse({ problems }, status)]),
      ),
    },
    'x-examples': row.examples.map(({ target, purpose }) => ({
      target,
      summary: purpose[language],
    })),
  };
}

/** What any address may answer, whatever it is about. */
const everywhere = [
  'method_not_allowed',
  'uri_too_long',
  'headers_too_large',
  'no_snapshot',
] as const;

function parameterSchema(parameter: Parameter, axisCodes: readonly string[]): object {
  if (parameter.kind === 'integer') {
    const { maximum } = parameter;
    const bound = maximum === undefined ? {} : { maximum };
    return { type: 'integer', minimum: 0, ...bound, default: parameter.default };
  }
  if (parameter.kind === 'choice') {
    const fallback = parameter.default === undefined ? {} : { default: parameter.default };
    return { type: 'string', enum: parameter.values, ...fallback };
  }
  // Search takes any code and warns; only where a code is required is it one of a list.
  const listed = parameter.codes === 'axis' && parameter.required === true && axisCodes.length > 0;
  return {
    type: 'string',
    maxLength: textLengthMax,
    ...(listed ? { enum: axisCodes } : {}),
  };
}

function problemResponse({ problems }: Pick<Endpoint, 'problems'>, status: string): object {
  const codes = problems.filter((code) => String(problemTable[code].status) === status);
  return {
    description: codes.join(', '),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}

const jsonType = 'application/json';

function bareType(type: string): string {
  return type.split(';')[0]!;
}
