import { currentEmail } from '../store/identifying-text.ts';

/** A table that a move copies, or a part of one. */
export interface MovedTable {
  /** Name in PostgreSQL. */
  readonly name: string;
  /** Name in messages. */
  readonly title?: string;
  /** Columns that order the rows. No two rows have the same. */
  readonly key: readonly string[];
  /** Columns in PostgreSQL, in their order. */
  readonly columns: Readonly<Record<string, Kind>>;
  /** SQL of a condition on the rows of this part. */
  readonly where?: string;
  readonly sqlite?: SqliteVariant;
}

/** Kind of the values of a column. SQLite stores lists as JSON, or as words between blanks. */
export type Kind = 'number' | 'boolean' | 'text' | 'bytes' | 'texts' | 'words' | 'numbers';

/** Differences of a table in SQLite. */
interface SqliteVariant {
  /** SQL of the columns that SQLite names or stores in another way. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly where?: string;
  /** Statements that insert a row, by the names of the columns; one insertion into the table by default. */
  readonly inserts?: readonly string[];
}

/** A row comes after the rows that it refers to: a member before the members that were merged into it. */
export const movedTables: readonly MovedTable[] = [
  {
    name: 'platforms',
    key: ['id'],
    columns: {
      ...numbers('id'),
      ...texts('code', 'name', 'realm', 'assurance'),
      origins: 'texts',
      capabilities: 'texts',
      ...booleans('cookie_domain', 'page_stats'),
      company: 'text',
      disabled: 'boolean',
      ...numbers('session_epoch', 'sessions_from'),
    },
  },
  {
    name: 'api_keys',
    key: ['kid'],
    columns: {
      kid: 'text',
      platform_id: 'number',
      ...texts('environment', 'label'),
      scopes: 'words',
      secret_hash: 'bytes',
      ...numbers('created_at', 'expires_at', 'revoked_at', 'leaked_at'),
      ...numbers('last_used_day', 'browser_seen_day'),
      replaced_by: 'text',
    },
  },
  membersWhere('merged_into IS NULL', 'members'),
  membersWhere('merged_into IS NOT NULL', 'merged members'),
  {
    name: 'memberships',
    key: ['id'],
    columns: {
      ...numbers('id', 'home_id', 'member_id', 'platform_id'),
      ...texts('local_user_id', 'email_typed'),
      ...booleans('verified', 'lowered'),
      ...numbers('linked_at', 'addressed_at', 'came_from', 'version'),
    },
    sqlite: {
      columns: {
        local_user_id: ofLocalUser('local_user_id'),
        email_typed: ofLocalUser('email_typed'),
        addressed_at: 'moved_at',
      },
      inserts: [
        `INSERT INTO memberships (id, home_id, member_id, platform_id, verified, linked_at, came_from, version, moved_at,
           lowered)
         VALUES ($id, $home_id, $member_id, $platform_id, $verified, $linked_at, $came_from, $version, $addressed_at,
           $lowered)`,
        `INSERT INTO local_users (membership_id, platform_id, local_hash, local_user_id, email_typed)
         VALUES ($id, $platform_id, local_hash(ifnull($local_user_id, '')), $local_user_id, $email_typed)`,
      ],
    },
  },
  {
    name: 'extras',
    key: ['membership_id'],
    columns: { membership_id: 'number', extra: 'text' },
    // Addresses of ended links are overwritten in place.
    sqlite: { where: 'membership_id IN (SELECT id FROM memberships)' },
  },
  {
    name: 'moved_links',
    key: ['platform_id', 'svc_uid'],
    columns: {
      platform_id: 'number',
      svc_uid: 'text',
      ...numbers('membership_id', 'moved_at'),
      former_hash: 'bytes',
    },
  },
  {
    name: 'consents',
    key: ['id'],
    columns: {
      ...numbers('id', 'membership_id'),
      purpose: 'text',
      granted: 'boolean',
      text_version: 'text',
      ...numbers('given_at', 'repeated_at'),
      ...booleans('reminded', 'is_latest', 'due_reported'),
    },
  },
  { name: 'consent_purposes', key: ['code'], columns: texts('code', 'purpose') },
  {
    name: 'erasures',
    key: ['receipt_id'],
    columns: {
      ...texts('receipt_id', 'svc_uid', 'realm'),
      tombstone: 'bytes',
      ...numbers('platforms', 'erased_at'),
    },
  },
  departuresIn('departures'),
  departuresIn('early_departures'),
  {
    name: 'released_addresses',
    key: ['realm', 'tombstone', 'home_id', 'platform_id'],
    columns: {
      realm: 'text',
      tombstone: 'bytes',
      ...numbers('home_id', 'platform_id', 'released_at'),
    },
  },
  { name: 'latest_departure', key: ['one'], columns: numbers('one', 'at') },
  {
    name: 'merges',
    key: ['id'],
    columns: {
      ...numbers('id', 'from_id', 'into_id'),
      homes: 'numbers',
      ...numbers('merged_at', 'split_at'),
    },
  },
  {
    name: 'entitlements',
    key: ['id'],
    columns: {
      ...numbers('id', 'home_id', 'member_id'),
      code: 'text',
      ...numbers('platform_id', 'starts_at', 'ends_at', 'over_at', 'granted_at', 'report_at'),
    },
  },
  {
    name: 'entitlement_policy',
    key: ['one'],
    columns: { one: 'number', ...texts('codes', 'tiers') },
  },
  {
    name: 'sessions',
    key: ['token_hash'],
    columns: {
      token_hash: 'bytes',
      id: 'text',
      ...numbers('member_id', 'membership_id', 'platform_id'),
      verified: 'boolean',
      ...numbers('epoch', 'platform_epoch', 'issued_at', 'expires_at'),
    },
  },
  {
    name: 'events',
    key: ['id'],
    columns: {
      ...numbers('id', 'platform_id'),
      event_id: 'text',
      ...numbers('membership_id', 'event', 'source', 'occurred_at', 'received_at'),
      meta: 'text',
    },
    // The `meta` of an erased member is overwritten with zeros.
    sqlite: { columns: { meta: `iif(substr(meta, 1, 1) = '0', NULL, meta)` } },
  },
  {
    name: 'event_totals',
    key: ['day', 'platform_id', 'event', 'source'],
    columns: numbers('day', 'platform_id', 'event', 'source', 'count'),
  },
  {
    name: 'activity_days',
    key: ['day', 'member_id'],
    columns: numbers('day', 'member_id', 'platforms'),
  },
  {
    name: 'assurance_days',
    key: ['day', 'platform_id'],
    columns: numbers('day', 'platform_id', 'upgrades', 'sessions_ended'),
  },
  {
    name: 'audit',
    key: ['seq'],
    columns: {
      ...numbers('seq', 'at'),
      ...texts('actor', 'action', 'subject', 'reason', 'detail', 'hash'),
    },
  },
  { name: 'audit_head', key: ['one'], columns: { ...numbers('one', 'seq'), hash: 'text' } },
  {
    name: 'audit_seals',
    key: ['seq'],
    columns: {
      seq: 'number',
      hash: 'text',
      ...numbers('ended_at', 'sealed_at'),
      ...texts('seal', 'removal'),
    },
  },
  {
    name: 'webhook_endpoints',
    key: ['id'],
    columns: {
      id: 'text',
      platform_id: 'number',
      ...texts('url', 'secret'),
      types: 'words',
      disabled: 'boolean',
      created_at: 'number',
    },
  },
  {
    name: 'webhook_messages',
    key: ['id'],
    columns: {
      id: 'number',
      ...texts('message_id', 'endpoint_id', 'type', 'body'),
      ...numbers('created_at', 'attempts', 'next_at', 'delivered_at', 'status', 'membership_id'),
    },
  },
  {
    name: 'jobs',
    key: ['name'],
    columns: {
      name: 'text',
      ...numbers('started_at', 'finished_at', 'removed'),
      failure: 'text',
    },
  },
  {
    name: 'operators',
    key: ['name'],
    columns: {
      ...texts('name', 'role', 'passphrase'),
      invitation: 'bytes',
      invitation_ends_at: 'number',
      totp_seed: 'text',
      totp_step: 'number',
      epoch: 'text',
      created_at: 'number',
    },
  },
  {
    name: 'passkeys',
    key: ['id'],
    columns: {
      ...texts('id', 'operator', 'name', 'credential_id'),
      public_key: 'bytes',
      sign_count: 'number',
      transports: 'words',
      ...booleans('is_backup_eligible', 'is_backed_up'),
      ...numbers('created_at', 'used_at'),
    },
    sqlite: {
      columns: { is_backup_eligible: 'backup_eligible', is_backed_up: 'backed_up' },
      inserts: [
        `INSERT INTO passkeys VALUES ($id, $operator, $name, $credential_id, $public_key, $sign_count, $transports,
           $is_backup_eligible, $is_backed_up, $created_at, $used_at)`,
      ],
    },
  },
  {
    name: 'access_log',
    key: ['seq'],
    columns: {
      ...numbers('seq', 'at'),
      ...texts('operator', 'address', 'device', 'action', 'seal'),
    },
  },
  {
    name: 'access_log_members',
    key: ['seq', 'svc_uid'],
    columns: { seq: 'number', svc_uid: 'text' },
  },
  {
    name: 'versions',
    key: ['name'],
    columns: { name: 'text', version: 'number' },
    // The numbers of the access log are a sequence of SQLite.
    sqlite: {
      from: `(SELECT name, version FROM versions UNION ALL SELECT 'access_log',
        ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'access_log'), 0))`,
      inserts: [
        `INSERT INTO versions SELECT $name, $version WHERE $name <> 'access_log'`,
        `DELETE FROM sqlite_sequence WHERE name = $name`,
        `INSERT INTO sqlite_sequence SELECT $name, CAST($version AS INTEGER) WHERE $name = 'access_log'`,
      ],
    },
  },
];

/** Tables that a migration fills: their rows are not data of a store. */
export const filledTables: ReadonlySet<string> = new Set([
  'versions',
  'latest_departure',
  'entitlement_policy',
]);

/** Tables whose ids count up and are never used twice. */
export const countedTables: readonly string[] = [
  'members',
  'memberships',
  'consents',
  'merges',
  'entitlements',
  'events',
  'webhook_messages',
];

function membersWhere(where: string, title: string): MovedTable {
  return {
    name: 'members',
    title,
    key: ['id'],
    columns: {
      id: 'number',
      ...texts('svc_uid', 'realm'),
      email_hash: 'bytes',
      former_hash: 'bytes',
      ...texts('email', 'tier', 'status'),
      ...numbers('platforms', 'session_epoch', 'created_at', 'merged_into', 'first_active_day'),
      entitled: 'number',
    },
    where,
    sqlite: {
      // A released address is overwritten with zeros.
      columns: {
        email: `(SELECT iif(instr(${currentEmail}, '@') > 0, ${currentEmail}, NULL) FROM addresses a
          WHERE a.member_id = members.id)`,
      },
      inserts: [
        `INSERT INTO members (id, svc_uid, realm, email_hash, former_hash, tier, status, platforms, session_epoch,
           created_at, merged_into, first_active_day, entitled)
         VALUES ($id, $svc_uid, $realm, $email_hash, $former_hash, $tier, $status, $platforms, $session_epoch,
           $created_at, $merged_into, $first_active_day, $entitled)`,
        `INSERT INTO addresses VALUES ($id, ifnull($email, ''))`,
      ],
    },
  };
}

function departuresIn(name: string): MovedTable {
  return {
    name,
    key: ['platform_id', 'tombstone'],
    columns: { platform_id: 'number', tombstone: 'bytes', left_at: 'number' },
  };
}

function ofLocalUser(column: string): string {
  return `(SELECT l.${column} FROM local_users l WHERE l.membership_id = memberships.id)`;
}

function numbers(...names: readonly string[]): Record<string, Kind> {
  return columnsOf(names, 'number');
}

function texts(...names: readonly string[]): Record<string, Kind> {
  return columnsOf(names, 'text');
}

function booleans(...names: readonly string[]): Record<string, Kind> {
  return columnsOf(names, 'boolean');
}

function columnsOf(names: readonly string[], kind: Kind): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
