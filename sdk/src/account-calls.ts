import { call, type Target } from './call.ts';
import type { LeaveAnswer, RegisterAnswer, RevokeAnswer, RevokeBody } from './contract.ts';
import { SvcError } from './svc-error.ts';

/** Registers a user; `body` is a `RegisterBody`. */
export async function registerUser(
  target: Target,
  body: object,
  timeoutMs?: number,
): Promise<RegisterAnswer> {
  const options = { body, ...limit(timeoutMs) };
  return (await call<RegisterAnswer>(target, '/members/register', 'svc_uid', options)).answer;
}

/** Ends the membership of a user; `body` is a `LeaveBody`. One that has ended is no error. */
export async function endMembership(
  target: Target,
  body: object,
  timeoutMs?: number,
): Promise<void> {
  const options = { body, ...limit(timeoutMs) };
  try {
    await call<LeaveAnswer>(target, '/members/leave', 'left', options);
  } catch (error) {
    if (codeOf(error) !== 'member_not_found') throw error;
  }
}

/**
 * Ends the sessions of a member; `body` is a `RevokeBody`. A member of whom the platform verified no address keeps those
 * that other platforms began. One without sessions is no error.
 */
export async function endSessions(
  target: Target,
  body: object,
  timeoutMs?: number,
  scope: RevokeBody['scope'] = 'all',
): Promise<void> {
  const options = { body: { ...body, scope }, ...limit(timeoutMs) };
  try {
    await call<RevokeAnswer>(target, '/auth/sso/revoke', 'revoked', options);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'email_unverified' && scope === 'all') {
      return endSessions(target, body, timeoutMs, 'platform');
    }
    if (code !== 'member_erased' && code !== 'member_not_found') throw error;
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof SvcError ? error.code : null;
}

/** That of a server call by default. */
function limit(timeoutMs: number | undefined): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
}
