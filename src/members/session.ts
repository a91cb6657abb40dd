import { isCheckedSecret, newCheckedSecret, secretHash } from './checked-secret.ts';
import type { MemberContext } from './context.ts';
import { newSessionId } from './identifiers.ts';
import { memberLimits } from './limits.ts';
import type { LiveSession, Member, Membership } from './store/entities.ts';
import type { Awaitable } from './store/operator-tables.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

export interface StartedSession {
  /** Sent in the cookie only; the store has its hash. */
  readonly token: string;
  readonly id: string;
  readonly expiresAt: number;
}

/** Starts a session through a link, always with a new token. Beyond twenty live sessions the oldest ends. */
export async function startSession(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  { id: membershipId, platformId, verified }: Membership,
): Promise<StartedSession> {
  const token = newCheckedSecret(tokenPrefix);
  const issuedAt = context.now();
  const session = { id: newSessionId(), expiresAt: issuedAt + memberLimits.sessionLifeMs };
  await tx.sessions.insert(
    {
      ...session,
      tokenHash: secretHash(token),
      memberId: member.id,
      membershipId,
      platformId,
      verified,
      epoch: member.epoch,
      issuedAt,
    },
    memberLimits.liveSessionsMax,
  );
  return { token, ...session };
}

/** The live session of a token, read from the store each time; a malformed token is refused without reading. */
export function checkSession(
  { store, now }: MemberContext,
  token: string,
): Awaitable<LiveSession | null> {
  return isCheckedSecret(token, tokenPrefix)
    ? store.read.sessions.live(secretHash(token), now())
    : null;
}

/**
 * The session to which the `svc_sso` cookies of a request lead. A changed cookie domain or another subdomain can leave
 * several cookies; live sessions of different members are ambiguous.
 */
export function resolveSession(
  context: MemberContext,
  tokens: readonly string[],
): Awaitable<SessionMatch> {
  // The usual case, without an `await` if the store answers synchronously.
  if (tokens.length === 1) {
    const session = checkSession(context, tokens[0]!);
    return session instanceof Promise ? session.then(matchOf) : matchOf(session);
  }
  return resolveAmong(context, tokens);
}

function matchOf(session: LiveSession | null): SessionMatch {
  return session === null ? { kind: 'none' } : { kind: 'live', session };
}

async function resolveAmong(
  context: MemberContext,
  tokens: readonly string[],
): Promise<SessionMatch> {
  const live: LiveSession[] = [];
  for (const token of plausibleTokens(tokens)) {
    const session = await checkSession(context, token);
    if (session !== null) live.push(session);
  }
  const [first] = live;
  if (first === undefined) return { kind: 'none' };
  const same = live.every(({ member }) => member.id === first.member.id);
  if (!same) return { kind: 'ambiguous' };
  const newest = live.reduce((a, b) => (b.issuedAt > a.issuedAt ? b : a));
  return { kind: 'live', session: newest };
}

export type SessionMatch =
  | { readonly kind: 'live'; readonly session: LiveSession }
  | { readonly kind: 'none' }
  /** Sessions of different members: 409 `ambiguous_session` where a session is required. */
  | { readonly kind: 'ambiguous' };

/** Ends the sessions of these tokens, or with `all` every session of their members. True if one ended. */
export async function logOut(
  context: MemberContext,
  tokens: readonly string[],
  scope: 'one' | 'all',
): Promise<boolean> {
  const plausible = plausibleTokens(tokens);
  if (plausible.length === 0) return false;
  return context.store.write(async (tx) => {
    let revoked = false;
    for (const token of plausible) {
      const live = await tx.sessions.live(secretHash(token), context.now());
      const ended = await tx.sessions.end(secretHash(token));
      if (live === null || ended === null) continue;
      revoked = true;
      if (scope === 'all') await tx.sessions.endAll(ended.memberId);
      const payload = { svc_uid: live.member.svcUid, session_id: live.id, scope };
      await queueWebhook(context, tx, 'session.revoked', live.member, payload);
    }
    return revoked;
  });
}

/** The well-formed tokens, up to the limit: malformed cookies that were planted cannot push out the visitor's own. */
function plausibleTokens(tokens: readonly string[]): readonly string[] {
  const checked = tokens.filter((token) => isCheckedSecret(token, tokenPrefix));
  return [...new Set(checked)].slice(0, memberLimits.sessionTokensMax);
}

const tokenPrefix = 'svcs_';
