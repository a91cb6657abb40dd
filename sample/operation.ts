import operationLines from './operations.json' with { type: 'json' };

/**
 * Every operation of the sample portal. The list is separate from the collector's definitions, because a misspelt field
 * name would go unnoticed in a shared list.
 */
export const operations: readonly Operation[] = (operationLines as OperationLine[]).map(
  ({ required, optional, fields, ...line }) => ({
    isAuxiliary: false,
    sizeMax: null,
    ...line,
    required: required?.split(' ') ?? [],
    optional: optional?.split(' ') ?? [],
    fields: fields.split('|').map(readField),
  }),
);

export interface Operation {
  /** Code of the axis that is collected from the operation; a name of our own if there is none. */
  readonly code: string;
  /** Number of the dataset on the portal. */
  readonly number: string;
  readonly title: string;
  readonly provider: string;
  /** Host and path, without a scheme. */
  readonly path: string;
  readonly family: FamilyName;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly fields: readonly OperationField[];
  /** True if no axis is collected from the operation: it lists values for requests, or its data is collected from another host. */
  readonly isAuxiliary: boolean;
  /** Largest page if it differs from the family's. */
  readonly sizeMax: number | null;
}

interface OperationField {
  readonly name: string;
  readonly label: string;
  readonly isNumber: boolean;
}

/** Upstream systems, each with a wire format of its own. */
export type FamilyName =
  | 'sbiz'
  | 'kto'
  | 'kma'
  | 'kcisa'
  | 'cltr'
  | 'nmc'
  | 'kasi'
  | 'nec'
  | 'tago'
  | 'std'
  | 'airport'
  | 'mois';

/** The operation at a host and path; undefined if there is none. */
export function operationAt(path: string): Operation | undefined {
  return byPath.get(path);
}

/** The operation of a code. Throws if operations.json has no such code. */
export function operationOf(code: string): Operation {
  const operation = byCode.get(code);
  if (operation === undefined) throw new Error(`No operation has the code ${code}.`);
  return operation;
}

interface OperationLine {
  code: string;
  number: string;
  title: string;
  provider: string;
  path: string;
  family: FamilyName;
  required?: string;
  optional?: string;
  fields: string;
  isAuxiliary?: boolean;
  sizeMax?: number;
}

const byPath = new Map(operations.map((operation) => [operation.path, operation]));
const byCode = new Map(operations.map((operation) => [operation.code, operation]));

/** Reads `name:label`; a third part `n`, as in `lat:위도:n`, marks a number. */
function readField(text: string): OperationField {
  const [name = '', label = '', kind] = text.split(':');
  return { name, label, isNumber: kind === 'n' };
}
