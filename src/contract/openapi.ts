import type { TSchema } from 'typebox';
import { adminContract } from './admin.ts';
import type { BilingualText, Language } from './language.ts';
import { exportContract } from './export-routes.ts';
import { interfaceVersion, lookupContract } from './lookup.ts';
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
  /** Codes of the stored axes, listed as the values of parameters with an axis code. */
  readonly axisCodes?: readonly string[];
  readonly baseUrl?: string | null;
  readonly language: Language;
}

/** Makes the OpenAPI 3.1 document of some services from their contracts. */
export function openApi(options: DescriptionOptions): object {
  const { axisCodes = [], baseUrl = null, language } = options;
  const paths: Record<string, Record<string, object>> = {};
  const callers = new Set<Caller>();
  const schemas = new NamedSchemas();
  for (const service of options.services) {
    for (const [name, row] of Object.entries<Route>(services[service])) {
      // Operators and members have actions of the same name.
      const operationId = service === 'operators' ? `operator${capitalised(name)}` : name;
      const description = operationObject(operationId, row, { axisCodes, language, schemas });
      (paths[row.path] ??= {})[row.method.toLowerCase()] = { tags: [service], ...description };
      for (const caller of row.callers ?? []) callers.add(caller);
    }
  }
  const schemes = [...callers].map((caller) => [securitySchemes[caller].id, schemeOf(caller)]);
  return {
    openapi: '3.1.0',
    info: { ...texts[language], version: interfaceVersion, license },
    tags: options.services.map((name) => ({ name, description: tagTexts[name][language] })),
    servers: [{ url: baseUrl ?? '/' }],
    paths,
    components: {
      schemas: { Problem: problemAnswer, ...schemas.byName },
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

const license = { name: 'Apache 2.0', identifier: 'Apache-2.0' } as const;

const tagTexts = {
  lookup: {
    ko: '공공데이터 조회. 인증키 없이 누구나 쓸 수 있습니다.',
    en: 'Lookup of open data, for everyone and without a key.',
  },
  members: {
    ko: '통합 회원: 가입, 여정 이벤트, 단일 로그인.',
    en: 'Central members: registration, events, single sign-on.',
  },
  operators: {
    ko: '운영자 화면의 인터페이스. 별도 포트에서 제공합니다.',
    en: 'Interface of the operators’ pages, on a listener of its own.',
  },
} as const satisfies Record<DescribedService, BilingualText>;

/** Named schemas of bodies, so that generated clients have a type for each. */
class NamedSchemas {
  readonly byName: Record<string, TSchema> = {};
  readonly #names = new Map<TSchema, string>();

  /** Reference to a schema, named at its first use. */
  reference(schema: TSchema, name: string): { readonly $ref: string } {
    let known = this.#names.get(schema);
    if (known === undefined) {
      known = name;
      this.#names.set(schema, known);
      this.byName[known] = schema;
    }
    return { $ref: `#/components/schemas/${known}` };
  }
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

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
  { axisCodes, language, schemas }: OperationOptions,
): object {
  const { callers = [], scope, role, limit, body, examples } = row;
  const typeName = capitalised(operationId);
  return {
    operationId,
    summary: row.purpose[language],
    description: descriptionOf(row, language),
    // An empty list means that no authentication is needed.
    security: callers.map((caller) => ({ [securitySchemes[caller].id]: [] })),
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
    ...(body && {
      requestBody: {
        required: true,
        content: { [jsonType]: { schema: schemas.reference(body, `${typeName}Body`) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        answersOf(row).map(([status, schema]) => [
          status,
          {
            description: row.purpose[language],
            content: contentOf(row, schema, (one) =>
              schemas.reference(one, `${typeName}Answer${status === '200' ? '' : status}`),
            ),
            ...otherTypes(row),
          },
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

interface OperationOptions {
  readonly axisCodes: readonly string[];
  readonly language: Language;
  readonly schemas: NamedSchemas;
}

/** Describes the purpose of a route, its callers and its other formats. */
function descriptionOf(
  { purpose, callers, scope, limit, formats }: Route,
  language: Language,
): string {
  const words = operationWords[language];
  const others = Object.keys(formats ?? {}).slice(1);
  const sentences = [
    `${purpose[language]}.`,
    callers === undefined ? words.open : null,
    scope === undefined ? null : words.scope(scope),
    limit === undefined ? null : words.limit(limit.calls, limit.windowS),
    others.length === 0 ? null : words.formats(others.join(', ')),
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

const operationWords = {
  ko: {
    open: '인증키 없이 누구나 호출할 수 있습니다.',
    scope: (scope: string) => `API 키에 ${scope} 권한이 필요합니다.`,
    limit: (calls: number, windowS: number) => `${windowS}초에 ${calls}회까지 호출할 수 있습니다.`,
    formats: (names: string) => `format으로 고르는 다른 형식: ${names}.`,
  },
  en: {
    open: 'Open to everyone, without a key.',
    scope: (scope: string) => `The API key needs the scope ${scope}.`,
    limit: (calls: number, windowS: number) => `Up to ${calls} calls in ${windowS} seconds.`,
    formats: (names: string) => `Other formats by the parameter format: ${names}.`,
  },
} as const;

/**
 * Content of an answer: JSON by its schema, or the media types of files. The other formats of a JSON answer are in
 * `x-media-types`: with them a generated client would have to distinguish text from JSON at every use.
 */
function contentOf(
  { media }: Route,
  schema: TSchema,
  reference: (schema: TSchema) => object,
): object {
  if (media === undefined) return { [jsonType]: { schema: reference(schema) } };
  return Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }]));
}

function otherTypes({ formats }: Route): object {
  const types = Object.values(formats ?? {}).map((type) => type.split(';')[0]!);
  return types.length < 2 ? {} : { 'x-media-types': types };
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
