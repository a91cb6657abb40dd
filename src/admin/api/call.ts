import type { adminContract } from '../../contract/admin.ts';
import type { Answer, Body, RouteParameters, Route } from '../../contract/route.ts';
import type { Router } from '../../kernel/http/router.ts';
import { operatorOf, type Operator } from '../../members/audit.ts';
import type { MemberContext } from '../../members/context.ts';
import type { PlatformTraffic } from '../../members/http/platform-traffic.ts';
import type { SuspectedSession } from '../../members/http/session-sightings.ts';
import type { AccessOrigin } from '../operators/access-log.ts';
import type { Operators, SignedInOperator } from '../operators/operators.ts';
import type { RelyingParty } from '../operators/webauthn.ts';

/** Dependencies of the operator's routes. */
export interface AdminHost {
  readonly router: Router;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** Origin of the pages, where passkeys work; null for the listener's origin on `localhost`. */
  readonly origin: string | null;
  /** The folder of all data. */
  readonly data: string;
  /** Factor of the rate limits; 0 lifts them. */
  readonly rateScale: number;
  readonly collections: Collections;
  readonly quotas: Quotas;
  readonly suspectedSessions: () => readonly SuspectedSession[];
  readonly traffic: PlatformTraffic;
}

/** Reads the latest run of each axis from the lookup side's job store. */
export type Collections = () => Answer<typeof adminContract.collections>['items'];

/** Reads the quotas of today from the same store. */
export type Quotas = () => Answer<typeof adminContract.quotas>['items'];

/** A request of an operator who is signed in. */
export interface AdminCall<Row extends Route = Route> extends Pick<
  AdminHost,
  | 'context'
  | 'operators'
  | 'data'
  | 'rateScale'
  | 'collections'
  | 'quotas'
  | 'suspectedSessions'
  | 'traffic'
> {
  readonly operator: SignedInOperator;
  /** Address that the request comes from. */
  readonly address: string;
  /** The site that passkeys belong to. */
  readonly party: RelyingParty;
  readonly body: Body<Row>;
  readonly parameters: RouteParameters<Row>;
}

/** A handler for each route. */
export type AdminHandlers = {
  readonly [Name in AdminRouteName]: (
    call: AdminCall<(typeof adminContract)[Name]>,
  ) => Promise<Answer<(typeof adminContract)[Name]>>;
};

export type AdminRouteName = keyof typeof adminContract;

/** The operator and their reason, for the audit log; 422 for a reason that cannot be recorded. */
export function actingOperator({
  operator,
  body: { reason },
}: Pick<AdminCall, 'operator'> & { readonly body: { readonly reason?: unknown } }): Operator {
  return operatorOf(`operator:${operator.name}`, reason);
}

/** The operator, address and browser of a call, for the access log. */
export function originOf({
  operator,
  address,
}: Pick<AdminCall, 'operator' | 'address'>): AccessOrigin {
  return { operator: operator.name, address, device: operator.device };
}

/** Reads a row number, such as a cursor, from the query; `fallback` if it is absent or not a number. */
export function rowNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : fallback;
}
