import type { AuditRow, AuditSeal } from './entities.ts';
import type { AccessRow, NewAccess, StoredOperator, StoredPasskey } from './operator-entities.ts';

/** An engine in this process answers at once, one over a network later: callers await both. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Statements that read what is kept of operators: their accounts, the audit log and the access log. */
export interface OperatorReads {
  readonly audit: {
    /** End of the chain, stored beside it: rows of sealed segments may be removed. */
    head(): Awaitable<{ readonly seq: number; readonly hash: string } | null>;
    after(seq: number, limit: number): Awaitable<readonly AuditRow[]>;
    /** Rows of some actions since a time, the newest first, of those after a row. */
    latestOf(
      actions: readonly string[],
      from: { readonly seq: number; readonly at: number },
      limit: number,
    ): Awaitable<readonly AuditRow[]>;
    lastSeal(): Awaitable<AuditSeal | null>;
    sealsAfter(seq: number, limit: number): Awaitable<readonly AuditSeal[]>;
  };
  readonly operators: {
    byName(name: string): Awaitable<StoredOperator | null>;
    /** Ordered by name. */
    all(): Awaitable<readonly StoredOperator[]>;
  };
  readonly passkeys: {
    byCredential(credentialId: string): Awaitable<StoredPasskey | null>;
    /** In the order of their registration. */
    of(operator: string): Awaitable<readonly StoredPasskey[]>;
  };
  /** Newest first, before the row `before`. */
  readonly accessLog: {
    list(before: number, limit: number): Awaitable<readonly AccessRow[]>;
    ofOperator(name: string, before: number, limit: number): Awaitable<readonly AccessRow[]>;
    /** Rows of one operator; of every one for null. */
    ofMember(
      svcUid: string,
      operator: string | null,
      before: number,
      limit: number,
    ): Awaitable<readonly AccessRow[]>;
  };
}

/** Statements that write it. */
export interface OperatorWrites {
  readonly audit: {
    append(row: AuditRow): Awaitable<void>;
    insertSeal(seal: AuditSeal): Awaitable<void>;
    setRemoval(seq: number, removal: string): Awaitable<void>;
    deleteThrough(seq: number, limit: number): Awaitable<number>;
  };
  readonly operators: {
    put(operator: StoredOperator): Awaitable<void>;
    /** With their passkeys. */
    delete(name: string): Awaitable<void>;
  };
  readonly passkeys: {
    put(passkey: StoredPasskey): Awaitable<void>;
    delete(id: string): Awaitable<void>;
    deleteAll(operator: string): Awaitable<void>;
  };
  readonly accessLog: {
    /** Adds a row; `sealOf` gives its seal. */
    insert(access: NewAccess, sealOf: (seq: number) => string): Awaitable<void>;
    deleteBefore(at: number, limit: number): Awaitable<number>;
  };
}
