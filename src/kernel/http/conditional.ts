import { entityTag, matchingTag, tagOfBytes } from './entity-tag.ts';
import { codingFor } from './preferences.ts';
import type { RequestContext } from './request-context.ts';
import type { Content, Document, Validity } from './result.ts';

/** A page or a file that is named by its bytes. */
export function cacheable(
  content: Document,
  {
    vary = 'Accept-Encoding',
    cacheControl = shortly,
  }: { readonly vary?: string; readonly cacheControl?: string } = {},
): Document {
  const tag = tagOfBytes(content.body);
  return { ...content, validity: { tag, lastModified: null, isDaily: false, cacheControl, vary } };
}

/** Lifetime in caches, and the time that a stale response may be served while it is revalidated. */
export const shortly = 'public, max-age=60, stale-while-revalidate=600';

/** The response to a request for a representation that the client or the server has already; else null. */
export function knownContent(request: RequestContext, validity: Validity): Content | null {
  const coding = codingFor(request.header('accept-encoding'));
  const tag = currentTag(request, validity);
  if (tag !== null) return notModified(tag, validity);
  if (coding === null) return null;
  const compressed = request.server.compressed.get(`${validity.tag}-${coding}`);
  return compressed === undefined ? null : { ...compressed, validity, coding };
}

/** The entity tag under which the client has the current representation, or null. */
function currentTag(
  request: RequestContext,
  { tag, lastModified, isDaily }: Validity,
): string | null {
  const given = request.header('if-none-match');
  if (given !== null) {
    // The parameters have been checked, so there is a representation, and `*` matches it.
    if (given.trim() === '*') return entityTag(tag, null);
    return matchingTag(given, tag, codingFor(request.header('accept-encoding')));
  }
  const since = request.header('if-modified-since');
  // RFC 9110, 13.1.3: ignored beside If-None-Match. A daily representation changes within one date of the data.
  if (since === null || lastModified === null || isDaily) return null;
  // A later date is not enough: after a rollback the data is older than the client's.
  return Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, null) : null;
}

function notModified(tag: string, { cacheControl, vary, lastModified }: Validity): Content {
  const headers: Record<string, string> = { ETag: tag, 'Cache-Control': cacheControl, Vary: vary };
  if (lastModified !== null) headers['Last-Modified'] = lastModified;
  return { status: 304, body: null, headers };
}
