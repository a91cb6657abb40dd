import { createHash } from 'node:crypto';
import { Problem } from '../kernel/problem.ts';

/** Cursor of a position in a sorted list. It belongs to one snapshot and one query, and any change of it shows. */
export function cursorAt(position: number, query: string): string {
  const bytes = Buffer.alloc(positionBytes);
  bytes.writeUIntBE(position, 0, positionBytes);
  return Buffer.concat([bytes, seal(bytes, query)]).toString('base64url');
}

/** Position of a cursor; 400 `stale_cursor` if it was changed or belongs elsewhere. */
export function positionOf(cursor: string, query: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, positionBytes);
  const isSound =
    bytes.length === positionBytes + sealBytes &&
    bytes.toString('base64url') === cursor &&
    seal(position, query).equals(bytes.subarray(positionBytes));
  if (isSound) return position.readUIntBE(0, positionBytes);
  const detail = {
    ko: '커서가 바뀌었거나 다른 스냅샷 또는 다른 조건의 것입니다. cursor 없이 첫 쪽부터 다시 조회하세요.',
    en: 'The cursor was changed, or belongs to another snapshot or query. Start again without cursor.',
  };
  const reason = {
    ko: '이 조건의 커서가 아닙니다.',
    en: 'It is no cursor of this query.',
  };
  throw new Problem('stale_cursor', detail, { errors: [{ parameter: 'cursor', reason }] });
}

const positionBytes = 6;
const sealBytes = 10;

function seal(position: Buffer, query: string): Buffer {
  return createHash('sha256').update(position).update(query).digest().subarray(0, sealBytes);
}
