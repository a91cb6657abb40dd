import type { TSchema } from 'typebox';
import { anyObject, lenient, nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** Bodies and answers of the members service, as JSON Schema. Keys may be added within a major version. */
export const localUserId = Type.Union([
  Type.String({ minLength: 1, maxLength: 128 }),
  Type.Number(),
]);

export const registration = lenient({
  email: Type.String(),
  platform: Type.String(),
  local_user_id: localUserId,
  extra: Type.Optional(anyObject),
  email_verified: Type.Optional(Type.Boolean()),
  requested_at: Type.Optional(Type.String()),
  consents: Type.Optional(
    Type.Array(
      Type.Object({
        purpose: Type.String(),
        granted: Type.Boolean(),
        version: Type.Optional(Type.String()),
        given_at: Type.Optional(Type.String()),
      }),
    ),
  ),
});

export const registerAnswer = Type.Object({
  svc_uid: Type.String(),
  created: Type.Boolean(),
  tier: Type.String(),
  linked: Type.Boolean(),
  platform: Type.String(),
  email_assurance: oneOf(['verified', 'asserted']),
  warnings: Type.Array(
    Type.Object({ code: Type.String(), pointer: Type.String(), message: Type.String() }),
  ),
});

export const event = lenient({
  svc_uid: Type.Optional(Type.String()),
  platform: Type.String(),
  event: oneOf(['visit', 'login', 'purchase', 'referral']),
  meta: Type.Optional(anyObject),
  event_id: Type.Optional(Type.String()),
  occurred_at: Type.Optional(Type.String()),
  sent_at: Type.Optional(Type.String()),
});

export const eventAnswer = Type.Object({
  event_id: Type.String(),
  accepted: Type.Boolean(),
  duplicate: Type.Boolean(),
});

/** A fault of a body. */
export const bodyError = Type.Object({
  pointer: Type.String(),
  code: Type.String(),
  message: Type.String(),
  fix: Type.String(),
});

/** Results in the order of the items, each an answer or a problem. */
export function batchAnswer<Answer extends TSchema>(answer: Answer) {
  return Type.Object({
    results: Type.Array(
      Type.Union([
        Type.Intersect([Type.Object({ status: Type.Integer() }), answer]),
        Type.Object({
          status: Type.Integer(),
          code: Type.String(),
          detail: Type.String(),
          errors: Type.Array(bodyError),
          retryable: Type.Boolean(),
        }),
      ]),
    ),
    accepted: Type.Integer(),
    refused: Type.Integer(),
  });
}

export const issueAnswer = Type.Object({
  svc_uid: Type.String(),
  session_id: Type.String(),
  expires_at: Type.String(),
  max_age: Type.Integer(),
  cookie_domain: Type.Union([Type.String(), Type.Null()]),
  relay_required: Type.Literal(true),
});

export const verifyAnswer = Type.Object({
  active: Type.Boolean(),
  svc_uid: nullable(Type.String()),
  session_id: nullable(Type.String()),
  tier: nullable(Type.String()),
  sign_in_allowed: Type.Boolean(),
  reason: nullable(
    oneOf(['session_ended', 'no_membership', 'email_unverified', 'consent_required']),
  ),
  membership: nullable(
    Type.Object({ platform: Type.String(), local_user_id: nullable(Type.String()) }),
  ),
  entitlements: Type.Array(Type.String()),
});

/** A link of a member. */
export const membership = {
  platform: Type.String(),
  local_user_id: nullable(Type.String()),
  email_assurance: oneOf(['verified', 'asserted']),
  linked_at: Type.String(),
};

/** A member as the server of one of its platforms sees it. */
export const memberView = Type.Object({
  svc_uid: Type.String(),
  tier: Type.String(),
  status: oneOf(['active', 'suspended']),
  /** Codes of the entitlements in force; empty for the free tier. */
  entitlements: Type.Array(Type.String()),
  created_at: Type.String(),
  membership: Type.Object(membership),
});

/** A member as it sees itself. */
export const selfView = Type.Object({
  svc_uid: Type.String(),
  tier: Type.String(),
  entitlements: Type.Array(Type.String()),
  email_masked: Type.String(),
  platforms: Type.Array(Type.String()),
  created_at: Type.String(),
});

/** An entitlement of a member. One that the tier gives has no times. */
export const entitlement = Type.Object({
  code: Type.String(),
  /** `tier:<tier>`, `operator`, `platform:<code>` for the key’s platform and `platform` for any other. */
  source: Type.String(),
  from: nullable(Type.String()),
  /** Exclusive; null for no end. */
  until: nullable(Type.String()),
  granted_at: nullable(Type.String()),
});

/** A grant of an entitlement, with the moment at which it was revoked or a later grant replaces it. */
export const grant = Type.Intersect([
  entitlement,
  Type.Object({ ended_at: nullable(Type.String()) }),
]);

export const entitlementsAnswer = Type.Object({
  svc_uid: Type.String(),
  at: Type.String(),
  /** Entitlements in force at `at`, by the current tier and by grants. */
  entitlements: Type.Array(entitlement),
  /** The latest grants, newest first. */
  history: Type.Array(grant),
});

export const memberAnswer = Type.Object({ member: memberView });

/** A server gets the member as its platform sees it, a page the signed-in member. */
export const lookupAnswer = Type.Object({ member: Type.Union([memberView, selfView]) });

export const meAnswer = Type.Union([
  Type.Object({
    authenticated: Type.Literal(true),
    svc_uid: Type.String(),
    member: selfView,
    session: Type.Object({
      id: Type.String(),
      issued_by: Type.String(),
      expires_at: Type.String(),
    }),
  }),
  Type.Object({
    authenticated: Type.Literal(false),
    svc_uid: Type.Null(),
    member: Type.Null(),
    reason: Type.Optional(Type.Literal('ambiguous_session')),
  }),
]);

/** A consent (`granted`) or its withdrawal. */
const consentStatement = Type.Object({
  purpose: Type.String(),
  granted: Type.Boolean(),
  version: nullable(Type.String()),
  given_at: Type.String(),
  /** True for a consent that still counts after the member was reminded of it. */
  reminded: Type.Boolean(),
});

/** The latest statement about a purpose. */
const latestConsent = Type.Intersect([
  consentStatement,
  /** Two years after a consent to marketing; null for others. */
  Type.Object({ reminder_due_at: nullable(Type.String()) }),
]);

/** A consent or withdrawal on any platform of a member. */
export const memberConsent = Type.Intersect([
  latestConsent,
  Type.Object({ platform: Type.String(), latest: Type.Boolean() }),
]);

export const consentsAnswer = Type.Object({
  svc_uid: Type.String(),
  platform: Type.String(),
  consents: Type.Array(latestConsent),
  /** Required purposes without a consent in force. */
  missing: Type.Array(Type.String()),
  /** Newest first. */
  history: Type.Array(consentStatement),
});

export const consentAnswer = Type.Object({
  svc_uid: Type.String(),
  /** The latest statement about the purpose. */
  consent: consentStatement,
  /** False when it was known already. */
  recorded: Type.Boolean(),
});

/** All stored data of a member, for the member. */
export const exportAnswer = Type.Object({
  svc_uid: Type.String(),
  tier: Type.String(),
  status: oneOf(['active', 'suspended']),
  created_at: Type.String(),
  emails: Type.Array(Type.String()),
  /** Grants, newest first. */
  entitlements: Type.Array(grant),
  memberships: Type.Array(
    Type.Object({
      ...membership,
      email_as_typed: nullable(Type.String()),
      extra: Type.Unknown(),
      /** In the order of their arrival, with the property names of a registration. */
      consents: Type.Array(consentStatement),
      /** Newest first. */
      events: Type.Array(
        Type.Object({
          event_id: Type.String(),
          event: Type.String(),
          source: Type.String(),
          occurred_at: Type.String(),
          meta: Type.Unknown(),
        }),
      ),
    }),
  ),
  /** False when there are more events than an export may contain. */
  complete: Type.Boolean(),
});

export const expectedLocalUserId = Type.Union([localUserId, Type.Null()]);

export const membershipAnswer = Type.Object({
  /** The member with the email address, to whom the membership has moved if it was another member's. */
  svc_uid: Type.String(),
  platform: Type.String(),
  local_user_id: nullable(Type.String()),
  moved: Type.Boolean(),
});

export const leaveAnswer = Type.Object({
  left: Type.Literal(true),
  /** False when other platforms share the member. */
  erased: Type.Boolean(),
});

/** A count; null if it is suppressed. */
const cell = nullable(Type.Integer());

const statisticsHead = {
  definition_version: Type.Integer(),
  time_zone: Type.String(),
  /** The last day that counts. */
  as_of: Type.String(),
  /** Numbers of events and cells that the statistics leave out, since the first day they cover. */
  excluded: Type.Object({
    since: Type.String(),
    /** Left out because a page can forge them. */
    browser_events: Type.Integer(),
    /** Left out because joining a platform is not using it. */
    register_events: Type.Integer(),
    suppressed_cells: Type.Integer(),
  }),
};

const platformSet = Type.Object({ platforms: Type.Array(Type.String()), members: cell });

export const crossPlatformAnswer = Type.Object({
  ...statisticsHead,
  members: cell,
  /** Members active in the last 1, 7 and 28 complete days. */
  active_members: Type.Object({ day: cell, week: cell, month: cell }),
  platforms: Type.Array(
    Type.Object({ platform: Type.String(), members: cell, active_members: cell }),
  ),
  /** `pairs` counts members linked to both, and possibly to others; `sets` those linked to exactly these. */
  overlap: Type.Object({ pairs: Type.Array(platformSet), sets: Type.Array(platformSet) }),
  /** Members by the platform they joined and the platform they had joined before it. */
  flows: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), members: cell })),
});

export const northStarAnswer = Type.Object({
  ...statisticsHead,
  /** Value of the last complete week. */
  value: cell,
  /** Weeks by the date of their Monday, oldest first. */
  weeks: Type.Array(
    Type.Object({
      week: Type.String(),
      value: cell,
      active_members: cell,
      growth: Type.Object({ new: cell, returning: cell, resurrected: cell, dormant: cell }),
    }),
  ),
  /** Members active 0, 1, 2 … weeks after the week of their first activity. */
  retention: Type.Array(Type.Object({ week: Type.String(), active: Type.Array(cell) })),
});
