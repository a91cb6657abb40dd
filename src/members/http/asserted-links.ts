import type { RateLimit } from '../../contract/route.ts';
import type { Problem } from '../../kernel/problem.ts';
import { audit } from '../audit.ts';
import type { RegisterAnswer } from '../register.ts';
import type { ServerCall } from './calls.ts';

/**
 * Counts registrations of unverified addresses that were linked to members of other platforms: `linked` shows the
 * caller who is a member elsewhere. When a key reaches the limit, this is logged and written to the audit log, once a
 * day. No registration is refused, because a sign-up must not fail.
 */
export async function watchAssertedLinks(
  { host, caller }: Pick<ServerCall, 'host' | 'caller'>,
  answers: readonly (RegisterAnswer | Problem)[],
): Promise<void> {
  const { limiter, context, server } = host;
  const verdicts = answers
    .filter((answer) => 'linked' in answer && isAssertedLink(answer))
    .map(() => limiter.take(assertedLinkLimit, caller.kid));
  if (!verdicts.some(({ allowed, remaining }) => !allowed || remaining === 0)) return;
  if (!limiter.take(alertLimit, caller.kid).allowed) return;
  const reason = `${assertedLinkLimit.calls} unverified addresses of members of other platforms were registered.`;
  server.log.warning('asserted_links_suspected', { key: caller.kid });
  await context.store.write((tx) =>
    audit(
      context,
      tx,
      { actor: 'system', reason },
      { action: 'asserted_links_suspected', subject: caller.kid },
    ),
  );
}

function isAssertedLink({ linked, email_assurance: assurance }: RegisterAnswer): boolean {
  return linked && assurance === 'asserted';
}

/** A hundred at once, then one every 36 seconds. */
const assertedLinkLimit: RateLimit = { name: 'asserted_links', calls: 100, windowS: 3_600 };
const alertLimit: RateLimit = { name: 'asserted_links_alert', calls: 1, windowS: 86_400 };
