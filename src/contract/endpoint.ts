import type { TSchema } from 'typebox';
import type { BilingualText } from './language.ts';
import type { ProblemCode } from './problems.ts';

/** A row of the contract: an endpoint exists when one of these says so. All are GET. */
export interface Endpoint {
  /** With `{name}` for a parameter of the path, which fills the rest of its segment. */
  readonly path: string;
  readonly purpose: BilingualText;
  /** In the order of the reference and of canonical addresses. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** The JSON answer. Checked in tests, not at the time of asking. */
  readonly response: TSchema;
  /** Media types by the value of the parameter `format`; the first is the default. JSON when absent. */
  readonly formats?: Readonly<Record<string, string>>;
  /** Media types of an endpoint whose file name, not `format`, chooses between them. */
  readonly media?: readonly string[];
  readonly problems: readonly ProblemCode[];
  readonly examples: readonly Example[];
  /** The answer depends on the day (in Seoul) besides the data. */
  readonly daily?: true;
}

export interface Example {
  /** Path and query, readable: not percent-encoded. */
  readonly target: string;
  readonly purpose: BilingualText;
}

export type Parameter = IntegerParameter | TextParameter | ChoiceParameter;

/** Clamped to its maximum with a warning; negative or not an integer is refused. */
export interface IntegerParameter {
  readonly kind: 'integer';
  readonly default: number;
  readonly maximum?: number;
  readonly purpose: BilingualText;
}

/** Length of a text parameter after normalisation, in code points as JSON Schema counts. */
export const textLengthMax = 200;

/** NFC, trimmed, inner blanks collapsed. Blank counts as absent. */
export interface TextParameter {
  readonly kind: 'text';
  readonly required?: true;
  /** A part of the path, not of the query. */
  readonly in?: 'path';
  /** Filled in the published description with the codes that are held. */
  readonly codes?: 'axis';
  readonly purpose: BilingualText;
}

/** One of a closed list, upper or lower case. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default?: string;
  readonly purpose: BilingualText;
}

/** What a handler is asked: the values of an endpoint's parameters, checked. */
export type Params<Row extends Endpoint> = {
  readonly [Name in keyof Row['parameters']]:
    | ValueOf<Row['parameters'][Name]>
    | (Row['parameters'][Name] extends { readonly required: true } | { readonly default: unknown }
        ? never
        : undefined);
};

type ValueOf<Row extends Parameter> = Row extends IntegerParameter
  ? number
  : Row extends { readonly kind: 'choice'; readonly values: readonly (infer Value)[] }
    ? Value
    : string;

/** Something that was not quite as asked, said in the answer. */
export interface Warning {
  readonly code: string;
  readonly parameter?: string;
  readonly [detail: string]: unknown;
}
