import { createHash } from 'node:crypto';
import type { Field } from '../axis.ts';

/**
 * SHA-256 in hex of the fields' names and types, in order: changes when a source adds, drops, renames or
 * retypes a column, and not when only values or labels change.
 */
export function schemaFingerprint(fields: readonly Pick<Field, 'name' | 'type'>[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fields.map(({ name, type }) => [name, type])))
    .digest('hex');
}
