// This file has no schemas, so that commands start without loading the library of schemas.

/** Rights that an API key may have. */
export const scopes = [
  'members:register',
  'events:write',
  'sso:issue',
  'sso:verify',
  'members:read',
  'members:privacy',
  'members:entitle',
  'stats:read',
] as const;

/** Types of the messages to webhooks. */
export const webhookTypes = [
  'member.created',
  'member.linked',
  'membership.moved',
  'tier.changed',
  'entitlement.changed',
  'consent.reminder_due',
  'session.revoked',
  'member.erased',
] as const;

/** Optional abilities of a platform. */
export const capabilities = ['card_issuer'] as const;

/** Roles of operators; each may do what those before it may. */
export const operatorRoles = ['view', 'support', 'privacy', 'owner'] as const;

export type OperatorRole = (typeof operatorRoles)[number];
