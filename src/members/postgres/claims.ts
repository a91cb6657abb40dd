/** Claim of a member: it covers its memberships, consents, sessions and everything else that belongs to it. */
export function memberClaim({ id }: { readonly id: number }): string {
  return `member ${id}`;
}

/** Claim of an address, also of one that no member has. */
export function addressClaim(realm: string, emailHash: Uint8Array): string {
  return `address ${realm} ${Buffer.from(emailHash).toString('latin1')}`;
}

/** Claim of a platform’s local id, also of one that no link has. */
export function localUserClaim(platformId: number, localUserId: string): string {
  return `local user ${platformId} ${localUserId}`;
}
