import type { TSchema } from 'typebox';
import { adminContract } from './admin.ts';
import type { Language } from './language.ts';
import { exportContract, interfaceVersion, lookupContract } from './lookup.ts';
import { membersContract } from './members.ts';
import { problems, type ProblemCode } from './problems.ts';
import {
  answersOf,
  problemsOf,
  textLengthMax,
  type Caller,
  type Parameter,
  type Route,
} from './route.ts';
import { problemAnswer } from './schemas.ts';

export type DescribedService = keyof typeof services;

interface DescriptionOptions {
  readonly services: readonly DescribedService[];
  /** Codes of the stored axes, the values of parameters that take one. */
  readonly axisCodes?: readonly string[];
  readonly baseUrl?: string | null;
  readonly language: Language;
}

/** Makes the OpenAPI 3.1 document of some services from their contracts. */
export function openApi(options: DescriptionOptions): object {
  const { axisCodes = [], baseUrl = null, language } = options;
  const paths: Record<string, Record<string, object>> = {};
  const callers = new Set<Caller>();
  for (const service of options.services) {
    for (const [name, row] of Object.entries<Route>(services[service])) {
      const description = operationObject(name, row, axisCodes, language);
      (paths[row.path] ??= {})[row.method.toLowerCase()] = { tags: [service], ...description };
      for (const caller of row.callers ?? []) callers.add(caller);
    }
  }
  const schemes = [...callers].map((caller) => [securitySchemes[caller].id, schemeOf(caller)]);
  return {
    openapi: '3.1.0',
    info: { ...texts[language], version: interfaceVersion },
    servers: [{ url: baseUrl ?? '/' }],
    paths,
    components: {
      schemas: { Problem: problemAnswer },
      ...(schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) }),
    },
  };
}

const services = {
  lookup: { ...lookupContract, ...exportContract },
  members: membersContract,
  operators: adminContract,
} as const satisfies Record<string, Readonly<Record<string, Route>>>;

const texts = {
  ko: {
    title: '마루',
    description: '인증키 없이 쓰는 대한민국 공공데이터와 플랫폼의 통합 회원 서비스.',
  },
  en: {
    title: 'Maru',
    description: 'Korea’s open data without a service key, and central members for platforms.',
  },
} as const;

const securitySchemes = {
  server: { id: 'ApiKey', in: 'header', name: 'x-api-key' },
  browser: { id: 'Session', in: 'cookie', name: 'svc_sso' },
  operator: { id: 'Operator', in: 'cookie', name: '__Host-maru_admin' },
} as const satisfies Record<Caller, object>;

function schemeOf(caller: Caller): object {
  const { id: _id, ...scheme } = securitySchemes[caller];
  return { type: 'apiKey', ...scheme };
}

function operationObject(
  operationId: string,
  row: Route,
  axisCodes: readonly string[],
  language: Language,
): object {
  const { callers, scope, role, limit, body, examples } = row;
  return {
    operationId,
    summary: row.purpose[language],
    ...(callers && { security: callers.map((caller) => ({ [securitySchemes[caller].id]: [] })) }),
    ...(scope && { 'x-scope': scope }),
    ...(role && { 'x-role': role }),
    ...(limit && { 'x-rate-limit': limit }),
    parameters: Object.entries(row.parameters).map(([name, parameter]) => ({
      name,
      in: parameter.kind === 'path' ? 'path' : 'query',
      required: 'required' in parameter,
      description: parameter.purpose[language],
      schema: parameterSchema(parameter, axisCodes),
    })),
    ...(body && { requestBody: { required: true, content: { [jsonType]: { schema: body } } } }),
    responses: {
      ...Object.fromEntries(
        answersOf(row).map(([status, schema]) => [
          status,
          { description: row.purpose[language], content: contentOf(row, schema) },
        ]),
      ),
      ...(row.cache && { 304: { description: 'Not Modified' } }),
      ...problemResponses(problemsOf(row)),
    },
    ...(examples && {
      'x-examples': examples.map(({ target, purpose }) => ({ target, summary: purpose[language] })),
    }),
  };
}

/** Content of an answer by media type; the schema describes the first one. */
function contentOf(row: Route, schema: TSchema): object {
  const [first = jsonType, ...others] = (row.media ?? Object.values(row.formats ?? {})).map(
    (type) => type.split(';')[0]!,
  );
  return {
    [first]: { schema },
    ...Object.fromEntries(
      others.map((type) => [type, { schema: { type: isObjectType(type) ? 'object' : 'string' } }]),
    ),
  };
}

function isObjectType(type: string): boolean {
  return type.endsWith('json') && !type.includes('ndjson');
}

function parameterSchema(parameter: Parameter, axisCodes: readonly string[]): object {
  switch (parameter.kind) {
    case 'integer': {
      const { maximum, default: fallback } = parameter;
      return {
        type: 'integer',
        minimum: 0,
        ...(maximum && { maximum }),
        ...(fallback === undefined ? {} : { default: fallback }),
      };
    }
    case 'choice': {
      const { values, default: fallback } = parameter;
      return { type: 'string', enum: values, ...(fallback && { default: fallback }) };
    }
    case 'text': {
      // Search accepts an unknown code with a warning, so only required codes are a closed list.
      const isListed = parameter.codes === 'axis' && parameter.required === true;
      const codes = isListed && axisCodes.length > 0 ? { enum: axisCodes } : {};
      return { type: 'string', maxLength: parameter.lengthMax ?? textLengthMax, ...codes };
    }
    default:
      return { type: 'string' };
  }
}

function problemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => String(problems[code].status));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );
}

const jsonType = 'application/json';
