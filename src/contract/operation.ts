import type { TSchema } from 'typebox';
import type { BilingualText } from './language.ts';

/** A row of a contract of a service that is written to: a method on a path, what it takes and what it answers. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With `{name}` for a segment that is a parameter. */
  readonly path: string;
  readonly purpose: BilingualText;
  /** Optional parameters of the query. */
  readonly query?: Readonly<Record<string, BilingualText>>;
  readonly body?: TSchema;
  readonly bodyBytesMax?: number;
  /** Properties of the body whose nesting is not the sender's fault: the handler drops them with a warning. */
  readonly unchecked?: readonly string[];
  /** Good answers by status. Checked in tests. */
  readonly answers: Readonly<Record<number, TSchema>>;
  /** Codes of its refusals beside those every row shares. */
  readonly problems: readonly string[];
  readonly limit: RateLimit;
}

/** So many calls a window, spent evenly or at once. */
export interface RateLimit {
  readonly name: string;
  readonly calls: number;
  readonly windowS: number;
}
