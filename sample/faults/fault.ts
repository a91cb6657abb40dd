import type { Family } from '../family.ts';
import type { GatewayShape } from '../gateway-error.ts';
import type { Page } from '../envelope.ts';
import type { Listing, Row } from '../listing.ts';
import type { Operation } from '../operation.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';

/** A failure of the portal. Each function changes one stage of a response; an absent one leaves it unchanged. */
export interface Fault {
  /** One sentence for the table in the README. */
  readonly summary: string;
  /** True for a fault that lasts until it is switched off; any other is temporary. */
  readonly isLasting?: boolean;
  /** Number of attempts of a request that a temporary fault affects; one if absent. */
  readonly attempts?: number;
  /** True if the fault affects only requests from page `fromPage` on. */
  readonly startsAtPage?: boolean;
  /** True if the fault ends at midnight in Seoul. */
  readonly untilMidnight?: boolean;
  /** Changes the request before it is answered. */
  readonly rewrite?: (request: PortalRequest, operation: Operation | null) => PortalRequest;
  /** Replaces the response; null if the fault does not concern the request. */
  readonly replace?: (request: PortalRequest, facts: RequestFacts) => Reply | null;
  readonly listing?: (listing: Listing<Row>) => Listing<Row>;
  readonly page?: (
    page: Page,
    listing: Listing<Row>,
    operation: Operation,
    /** Number of the attempt, from 0. */
    attempt: number,
  ) => Page;
  /** Changes to the wire format of the family. */
  readonly family?: (family: Family) => Partial<Family>;
  readonly reply?: (reply: Reply, request: PortalRequest) => Reply;
}

/** A temporary fault affects only the first attempts of a request; a lasting one must be switched off. */
export type FaultDuration = 'temporary' | 'lasting';

/** Facts about a request that decide the format of an error. */
export interface RequestFacts {
  readonly json: boolean;
  /** The format of errors of the gateway in front of this service. */
  readonly shape: GatewayShape;
  /** Number of the attempt, from 0. */
  readonly attempt: number;
}
