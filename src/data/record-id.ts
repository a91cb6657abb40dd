import { hash } from 'node:crypto';
import type { Row } from './axis.ts';

/** Stable id of a record: 16 hexadecimal digits. Records that are equal in every field have the same. */
export function recordId(json: Buffer, keyFields: readonly string[]): string {
  return recordDigest(json, keyFields).toString('hex', 0, idBytes);
}

/** SHA-256 of a record's key fields; of its JSON if the axis has none or all of them are null. */
export function recordDigest(json: Buffer, keyFields: readonly string[]): Buffer {
  if (keyFields.length === 0) return contentDigest(json);
  // A records file contains only rows.
  const row = JSON.parse(json.toString()) as Row;
  const key = keyFields.map((name) => row[name] ?? null);
  if (key.every((value) => value === null)) return contentDigest(json);
  return hash('sha256', JSON.stringify(key), 'buffer');
}

/** SHA-256 of a record's JSON. */
export function contentDigest(json: Buffer): Buffer {
  return hash('sha256', json, 'buffer');
}

const idBytes = 8;
