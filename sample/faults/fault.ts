import type { Family } from '../family.ts';
import type { GatewayShape } from '../gateway-error.ts';
import type { Page } from '../envelope.ts';
import type { Listing, Row } from '../listing.ts';
import type { Operation } from '../operation.ts';
import type { Question } from '../question.ts';
import type { Reply } from '../reply.ts';

/** One way in which the portal goes wrong. A hook that is absent leaves that stage alone. */
export interface Fault {
  /** One sentence for the table in the README. */
  readonly what: string;
  /** False: the next attempt of the same request is answered properly. True: it stays until switched off. */
  readonly stays: boolean;
  /** How many attempts of a request it spoils; one when absent. */
  readonly attempts?: number;
  /** Only requests from this page on, counted by `pageNo`. */
  readonly byPage?: boolean;
  /** It is over when the next day begins in Seoul. */
  readonly untilMidnight?: boolean;
  /** Changes what was asked before it is answered. */
  readonly asks?: (question: Question, operation: Operation | null) => Question;
  /** Answers without asking a door; null where the fault is none of this question's. */
  readonly instead?: (question: Question, asked: Asked) => Reply | null;
  readonly listing?: (listing: Listing<Row>) => Listing<Row>;
  readonly page?: (page: Page, listing: Listing<Row>, operation: Operation) => Page;
  /** Habits that the family has for once. */
  readonly family?: (family: Family) => Partial<Family>;
  readonly reply?: (reply: Reply, question: Question) => Reply;
}

/** What is known of a request before it is answered. */
export interface Asked {
  readonly json: boolean;
  /** How the gateway in front of this service words its errors. */
  readonly shape: GatewayShape;
  /** Counted from 0. */
  readonly attempt: number;
}
