import type { ServerContext } from '../../kernel/http/server-context.ts';
import type { App } from '../../kernel/http/route.ts';
import { operatorOf, type Operator } from '../../members/audit.ts';
import type { Body } from '../../members/body.ts';
import type { MemberContext } from '../../members/context.ts';
import type { Operators } from './operators.ts';

/** What every route of the admin listener works with. */
export interface AdminHost {
  readonly app: App;
  readonly front: ServerContext;
  readonly context: MemberContext;
  readonly operators: Operators;
  readonly data: string;
  /** What the limits are multiplied by; 0 lifts them. */
  readonly rateScale: number;
  readonly collections: Collections;
}

/** The latest run of each axis of the lookup side, as whoever may read its job store tells it. */
export type Collections = () => readonly object[];

/** A request of an operator who is signed in. */
export interface AdminCall {
  readonly context: MemberContext;
  /** The folder of all data, for what the lookup side holds. */
  readonly data: string;
  readonly rateScale: number;
  readonly collections: Collections;
  /** The operator's name. */
  readonly name: string;
  readonly body: Body;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export type AdminHandler = (call: AdminCall) => Promise<object>;

/** Who does it and why; 422 without a reason. */
export function actingOperator({ name, body }: AdminCall): Operator {
  return operatorOf(`operator:${name}`, body['reason']);
}
