import type { Router } from '../../kernel/http/router.ts';
import { operatorOf, type Operator } from '../../members/audit.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import type { MemberContext } from '../../members/context.ts';
import { invalid } from '../../members/problem.ts';
import type { Operators } from './operators.ts';

/** Dependencies of the operator's routes. */
export interface AdminHost {
  readonly router: Router;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** The folder of all data. */
  readonly data: string;
  /** Factor of the rate limits; 0 lifts them. */
  readonly rateScale: number;
  readonly collections: Collections;
}

/** Reads the latest run of each axis from the lookup side's job store. */
export type Collections = () => readonly CollectionRun[];

export interface CollectionRun {
  readonly axis: string;
  readonly origin: string;
  readonly state: string;
  readonly asked_at: string;
  readonly finished_at: string | null;
  readonly rows: number | null;
  /** Sent and planned: `3/10`. */
  readonly requests: string;
  readonly message: string | null;
}

/** A request of an operator who is signed in. */
export interface AdminCall extends Pick<
  AdminHost,
  'context' | 'data' | 'rateScale' | 'collections'
> {
  readonly operatorName: string;
  readonly body: JsonObject;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export type AdminHandler<Answer extends object = object> = (call: AdminCall) => Promise<Answer>;

/** The operator and their reason, for the audit log; 422 without a reason. */
export function actingOperator({ operatorName, body }: AdminCall): Operator {
  return operatorOf(`operator:${operatorName}`, body['reason']);
}

/** A non-empty string of the body; 422 without it. */
export function requiredText(body: JsonObject, name: string): string {
  const text = body[name];
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw invalid(
    'validation_failed',
    `/${name}`,
    { ko: `${name} 값이 없습니다.`, en: `The ${name} is missing.` },
    { ko: `${name} 값을 입력하세요.`, en: `Give the ${name}.` },
  );
}

/** Number of a row in the query, such as a cursor; `otherwise` for anything else. */
export function rowNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}
