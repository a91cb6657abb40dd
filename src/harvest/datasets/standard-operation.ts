import { readFileSync } from 'node:fs';

/** An operation of the standard data (`tn_pubr_*`): one table for all providers of the country. */
interface StandardOperation {
  /** The dataset's number on the portal. */
  readonly number: string;
  readonly operation: string;
  readonly title: string;
  readonly numberConfidence: Confidence;
  readonly operationConfidence: Confidence;
  /** Korean headers of the dataset's file by response key, where they differ from `standardNames`. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Origin of a fact: `read` in a public source, from `general` knowledge, or `unsure`, a guess. */
type Confidence = 'read' | 'general' | 'unsure';

/** The operations of standard data whose dataset is known; the portal has some 300 operations. */
export const standardOperations: readonly StandardOperation[] = JSON.parse(
  readFileSync(new URL('standard-operations.json', import.meta.url), 'utf8'),
  // A test checks the file's shape.
) as StandardOperation[];

/** The operation of a dataset; undefined if none is known. */
export function standardOperation(number: string): StandardOperation | undefined {
  return byNumber.get(number);
}

const byNumber: ReadonlyMap<string, StandardOperation> = new Map(
  standardOperations.map((operation) => [operation.number, operation]),
);
