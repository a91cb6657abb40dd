import { entityTag, heldTag } from './entity-tag.ts';
import type { RequestContext } from './request-context.ts';
import { codingFor } from './preferences.ts';
import type { Validity } from './respond.ts';

/** The tag under which the client holds the answer already, or null: what a 304 says it still has. */
export function heldByClient(
  request: RequestContext,
  { tag, lastModified, daily }: Validity,
): string | null {
  const asked = request.header('if-none-match');
  const coding = codingFor(request.header('accept-encoding'));
  // A question that passed its checks has an answer, so `*` holds for it.
  if (asked !== null) {
    return asked.trim() === '*' ? entityTag(tag, null) : heldTag(asked, tag, coding);
  }
  const since = request.header('if-modified-since');
  // RFC 9110: heeded only where no tag was sent. Of one day there may be several bodies.
  if (since === null || lastModified === null || daily) return null;
  // Later is not enough: after a rollback the data is older than what the client holds, and other data.
  return Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, null) : null;
}

/** How long an answer may be used unasked, and served while it is asked for again. */
export const cacheControl = 'public, max-age=60, stale-while-revalidate=600';
