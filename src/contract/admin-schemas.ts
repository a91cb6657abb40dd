import type { TProperties } from 'typebox';
import { capabilities, operatorRoles } from './enumerations.ts';
import { entitlement, grant, memberConsent, membership } from './member-schemas.ts';
import { anyObject, count, nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** The operator's reason for a change, for the audit log. */
export const reason = Type.String({ minLength: 1, maxLength: 500 });

/** Properties of a platform as a declaration writes them. */
export const platformDeclaration = {
  code: Type.String({ minLength: 2, maxLength: 32 }),
  name: Type.Optional(Type.String()),
  realm: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
  /** `asserted` if the addresses that the platform reports never count as verified. */
  assurance: Type.Optional(oneOf(['trusted', 'asserted'])),
  origins: Type.Optional(Type.Array(Type.String())),
  capabilities: Type.Optional(Type.Array(oneOf(capabilities))),
  cookie_domain: Type.Optional(Type.Boolean()),
  page_stats: Type.Optional(Type.Boolean()),
  company: Type.Optional(nullable(Type.String())),
  disabled: Type.Optional(Type.Boolean()),
};

export const okAnswer = Type.Object({ ok: Type.Literal(true) });

export const sessionAnswer = Type.Object({
  operator: Type.String(),
  role: oneOf(operatorRoles),
  second_factor: Type.Boolean(),
  passkeys: count(),
});

export const operatorsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      role: oneOf(operatorRoles),
      second_factor: Type.Boolean(),
      passkeys: count(),
      /** `invited` until the operator has chosen a passphrase. */
      status: oneOf(['active', 'invited', 'invitation_ended']),
      invitation_ends_at: nullable(Type.String()),
      created_at: Type.String(),
    }),
  ),
});

const invitation = {
  name: Type.String(),
  /** One-time token with which the operator chooses a passphrase. */
  token: Type.String(),
  ends_at: Type.String(),
  shown: Type.Literal('once'),
};

export const invitationAnswer = Type.Object(invitation);

export const changeOperatorAnswer = Type.Object({
  ok: Type.Literal(true),
  /** Null unless the passphrase was reset. */
  invitation: nullable(Type.Object(invitation)),
});

export const totpAnswer = Type.Object({
  /** Random value from which the service derives the secret again when the operator confirms it with a first code. */
  seed: Type.String(),
  /** Base32, to type into an app. */
  secret: Type.String(),
  /** The secret as an `otpauth://` address. */
  uri: Type.String(),
});

export const accessLogAnswer = page({
  seq: count(),
  at: Type.String(),
  /** Empty for a failed sign-in with an unknown name. */
  operator: Type.String(),
  /** Address of origin; IPv6 addresses by their /64. */
  address: Type.String(),
  /** Id of the browser; empty for one that has not signed in before. */
  device: Type.String(),
  action: Type.String(),
  members: Type.Array(Type.String()),
  /**
   * False for an entry that was changed after it was written. In a list without a filter, false also for an entry whose
   * predecessor is missing.
   */
  intact: Type.Boolean(),
});

/** A member in a list, with a masked address. */
const member = {
  svc_uid: Type.String(),
  email_masked: nullable(Type.String()),
  realm: Type.String(),
  tier: Type.String(),
  status: oneOf(['active', 'suspended']),
  platforms: Type.Array(Type.String()),
  created_at: Type.String(),
};

export const membersAnswer = page(member, { total: count() });

export const searchAnswer = list(member);

const journeyEvent = {
  event_id: Type.String(),
  event: Type.String(),
  source: Type.String(),
  platform: Type.String(),
  occurred_at: Type.String(),
  received_at: Type.String(),
  /** Null if the event has none. */
  meta: nullable(anyObject),
};

export const memberAnswer = Type.Object({
  ...member,
  live_sessions: count(),
  /** Live sessions, newest first. */
  sessions: Type.Array(
    Type.Object({
      session_id: Type.String(),
      platform: Type.String(),
      /** Assurance of the link that the session was started through. */
      email_assurance: Type.String(),
      issued_at: Type.String(),
      expires_at: Type.String(),
    }),
  ),
  memberships: Type.Array(Type.Object(membership)),
  /** In force. */
  entitlements: Type.Array(entitlement),
  /** The latest grants, newest first. */
  grants: Type.Array(grant),
  /** Consents and withdrawals on all platforms, newest first. */
  consents: Type.Array(memberConsent),
  merges: Type.Array(Type.Object({ merge_id: count(), merged_at: Type.String() })),
  timeline: Type.Array(Type.Object(journeyEvent)),
  timeline_cursor: nullable(Type.String()),
});

/** Events over all memberships, latest happened first. */
export const timelineAnswer = page(journeyEvent);

export const revealAnswer = Type.Object({
  svc_uid: Type.String(),
  email: nullable(Type.String()),
});

export const tierAnswer = Type.Object({ ok: Type.Literal(true), tier: Type.String() });

export const grantAnswer = Type.Object({ ok: Type.Literal(true), entitlement });

export const revokeAnswer = Type.Object({ ok: Type.Literal(true), ended: count() });

/** Receipt of an erasure, for the user who requested it. */
export const eraseAnswer = Type.Object({
  receipt_id: Type.String(),
  svc_uid: Type.String(),
  erased_at: Type.String(),
  memberships: count(),
  events: count(),
  /**
   * True once the erased data is overwritten in the files of the store. False if a reader blocks this, until a retention
   * job repeats it, and for an engine that cannot overwrite its files.
   */
  files_overwritten: Type.Boolean(),
  /** Time by which backups and logs with the data are gone, by MARU_BACKUP_DAYS; null without it. */
  backups_gone_at: nullable(Type.String()),
});

/** Effect of a merge or split; with a dry run, the effect it would have. */
export const mergeAnswer = Type.Object({
  from: Type.String(),
  into: Type.String(),
  /** Null for the dry run of a merge. */
  merge_id: nullable(count()),
  memberships_moved: count(),
  sessions_ended: count(),
  platforms: Type.Array(Type.String()),
});

const platform = Type.Object({
  id: count(),
  code: Type.String(),
  name: Type.String(),
  realm: Type.String(),
  /** `asserted` if the addresses that the platform reports never count as verified. */
  assurance: oneOf(['trusted', 'asserted']),
  origins: Type.Array(Type.String()),
  capabilities: Type.Array(Type.String()),
  cookieDomain: Type.Boolean(),
  pageStats: Type.Boolean(),
  company: nullable(Type.String()),
  disabled: Type.Boolean(),
});

export const platformsAnswer = Type.Object({ items: Type.Array(platform) });

export const declareAnswer = Type.Object({
  ok: Type.Literal(true),
  platform: nullable(platform),
});

export const keysAnswer = page({
  kid: Type.String(),
  /** True for a key that is valid for every platform. */
  operator_key: Type.Boolean(),
  platform: nullable(Type.String()),
  label: Type.String(),
  /** `ending` is a live key with an end, such as one that was rotated. */
  status: oneOf(['live', 'ending', 'expired', 'revoked']),
  scopes: Type.Array(Type.String()),
  created_at: Type.String(),
  expires_at: nullable(Type.String()),
  revoked_at: nullable(Type.String()),
  leaked_at: nullable(Type.String()),
  last_used: nullable(Type.String()),
  /** Last day on which a web page sent the key, so that visitors can read it there; null if none has. */
  seen_in_browser: nullable(Type.String()),
});

export const newKeyAnswer = Type.Object({
  kid: Type.String(),
  key: Type.String(),
  scopes: Type.Array(Type.String()),
  shown: Type.Literal('once'),
});

export const auditAnswer = page({
  seq: count(),
  at: Type.String(),
  /** `operator:<name>`, `key:<kid>`, `member` or `system`. */
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  reason: Type.String(),
  detail: anyObject,
  hash: Type.String(),
});

export const verdictAnswer = Type.Object({
  intact: Type.Boolean(),
  /** Number of intact rows at the start of the log, removed rows included; also the number of the last of them. */
  rows: count(),
  /** Number of the first row that is missing or was changed; null for an intact log. */
  faultAt: nullable(count()),
  /** Current end of the chain; null for an empty or broken chain. */
  anchor: nullable(Type.String()),
  /** First row that was read; those before it were checked when their segment was sealed. */
  checked_from: count(),
  /** Rows that retention removed, from the first one. */
  removed: count(),
  seals: count(),
});

/** Since the start of the process, at most 20. */
export const suspectedAnswer = list({
  session_id: Type.String(),
  svc_uid: Type.String(),
  /** Property in which the two places differ. */
  by: oneOf(['user_agent', 'address']),
  seen_at: Type.String(),
});

export const assuranceAnswer = list({
  day: Type.String(),
  platform: Type.String(),
  /** Members that got their first verified link. */
  upgrades: count(),
  /** Sessions of asserted links that ended. */
  sessions_ended: count(),
});

export const webhooksAnswer = Type.Object({
  endpoints: Type.Array(
    Type.Object({
      id: Type.String(),
      /** Code of the platform whose members the messages are about; null for all members. */
      platform: nullable(Type.String()),
      url: Type.String(),
      types: Type.Array(Type.String()),
      disabled: Type.Boolean(),
      created_at: Type.String(),
    }),
  ),
  messages: Type.Array(
    Type.Object({
      id: count(),
      message_id: Type.String(),
      endpoint_id: Type.String(),
      type: Type.String(),
      attempts: count(),
      /** Status of the last response; null before the first. */
      status: nullable(Type.Integer()),
      created_at: Type.String(),
      /** Null once delivered or given up. */
      next_at: nullable(Type.String()),
      delivered_at: nullable(Type.String()),
    }),
  ),
  next_cursor: nullable(Type.String()),
});

export const addWebhookAnswer = Type.Object({ id: Type.String(), secret: Type.String() });

export const limitsAnswer = list({
  name: Type.String(),
  /** Null without a limit. */
  calls: nullable(Type.Number()),
  window_s: count(),
});

/** Disk space of the data folder, and size of the member store, in bytes. */
export const storageAnswer = Type.Object({
  disk_bytes: count(),
  /** Space that this process may use. */
  free_bytes: count(),
  /** Including the write-ahead log; 0 if the store is elsewhere. */
  members_bytes: count(),
  /** End of the last `./maru backup`; null before the first. */
  last_backup_at: nullable(Type.String()),
});

export const jobsAnswer = list({
  name: Type.String(),
  started_at: Type.String(),
  finished_at: nullable(Type.String()),
  removed: count(),
  /** Reason of the failure; null for a run that completed. */
  failure: nullable(Type.String()),
});

function list<Item extends TProperties>(item: Item) {
  return Type.Object({ items: Type.Array(Type.Object(item)) });
}

/** A page of a list; `next_cursor` is null on the last. */
function page<Item extends TProperties, Extra extends TProperties = {}>(item: Item, extra?: Extra) {
  return Type.Object({
    items: Type.Array(Type.Object(item)),
    next_cursor: nullable(Type.String()),
    ...(extra as Extra),
  });
}
