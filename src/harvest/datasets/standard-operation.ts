import { readFileSync } from 'node:fs';

/** An operation of the standard data (`tn_pubr_*`): one table for all providers of the country. */
interface StandardOperation {
  /** The dataset's number on the portal. */
  readonly number: string;
  readonly operation: string;
  readonly title: string;
  /** `read` in a public source, `general` knowledge, or `unsure`. */
  readonly numberConfidence: Confidence;
  readonly operationConfidence: Confidence;
  /** Korean headers of its file, by key, where they differ from the usual ones. */
  readonly names?: Readonly<Record<string, string>>;
}

type Confidence = 'read' | 'general' | 'unsure';

/** The operations whose dataset is known; the portal has some 300. */
export const standardOperations: readonly StandardOperation[] = JSON.parse(
  readFileSync(new URL('standard-operations.json', import.meta.url), 'utf8'),
  // A test checks the file's shape.
) as StandardOperation[];

/** The operation of a dataset, or undefined. */
export function standardOperation(number: string): StandardOperation | undefined {
  return byNumber.get(number);
}

const byNumber: ReadonlyMap<string, StandardOperation> = new Map(
  standardOperations.map((operation) => [operation.number, operation]),
);
