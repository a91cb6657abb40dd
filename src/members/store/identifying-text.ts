import { digestOf } from '../checked-secret.ts';

/** SQL for as many zeros as a text column has bytes, so that the row keeps its size and is overwritten in place. */
export function zeros(column: string): string {
  return `substr(hex(zeroblob(octet_length(${column}))), 1, octet_length(${column}))`;
}

/** Index key of local ids: unlike the ids, hashes leave no personal data in unused parts of index pages. */
export function localHash(localUserId: string): Buffer {
  return digestOf(localUserId).subarray(0, 16);
}

/** SQL of a condition on local users `l`: the id is in use. It names the zero hash as its index does. */
export const isActiveRow = `l.local_hash <> x'${'00'.repeat(16)}'`;

/** SQL of a condition on local users `l`: hash and text of an id in use. */
export const isActiveId = `l.local_hash = ? AND ${isActiveRow} AND l.local_user_id = ?`;

/** SQL for the address of a member from its row `a` of addresses: the changed one, if there is one. */
export const currentEmail = `ifnull((SELECT c.email FROM changed_addresses c WHERE c.member_id = a.member_id), a.email)`;

/** SQL statements that overwrite the addresses of a member. */
export const overwriteAddresses = [
  `UPDATE addresses SET email = ${zeros('email')} WHERE member_id = ?`,
  `UPDATE changed_addresses SET member_id = NULL, email = ${zeros('email')} WHERE member_id = ?`,
] as const;
