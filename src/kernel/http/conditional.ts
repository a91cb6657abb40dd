import { entityTag, matchingTag, tagOfBytes } from './entity-tag.ts';
import { codingFor } from './preferences.ts';
import type { RequestContext } from './request-context.ts';
import type { Content, Document, Validity } from './result.ts';

/** Makes a page or a file cacheable under the hash of its bytes. */
export function cacheable(
  content: Document,
  {
    vary = 'Accept-Encoding',
    cacheControl = briefCaching,
  }: { readonly vary?: string; readonly cacheControl?: string } = {},
): Document {
  const tag = tagOfBytes(content.body);
  return { ...content, validity: { tag, lastModified: null, isDaily: false, cacheControl, vary } };
}

/** `Cache-Control`: the lifetime in caches, and how long a stale response may be served while it is revalidated. */
export const briefCaching = 'public, max-age=60, stale-while-revalidate=600';

/** 304 if the client has the current representation, the cached body if the server has it compressed, else null. */
export function cachedContent(request: RequestContext, validity: Validity): Content | null {
  const coding = codingFor(request.header('accept-encoding'));
  const tag = currentTag(request, validity);
  if (tag !== null) return notModified(tag, validity);
  if (coding === null) return null;
  const compressed = request.server.compressed.get(`${validity.tag}-${coding}`);
  return compressed === undefined ? null : { ...compressed, validity, coding };
}

/** The entity tag of the client's copy if that copy is current, else null. */
function currentTag(
  request: RequestContext,
  { tag, lastModified, isDaily }: Validity,
): string | null {
  const clientTags = request.header('if-none-match');
  if (clientTags !== null) {
    // The parameters have been checked, so a representation exists, and `*` matches it.
    if (clientTags.trim() === '*') return entityTag(tag, null);
    return matchingTag(clientTags, tag, codingFor(request.header('accept-encoding')));
  }
  const since = request.header('if-modified-since');
  // A daily representation changes without a new date of the data.
  if (since === null || lastModified === null || isDaily) return null;
  // Equal, not later: after a rollback the data is older than the client's copy.
  return Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, null) : null;
}

function notModified(tag: string, { cacheControl, vary, lastModified }: Validity): Content {
  const headers: Record<string, string> = { ETag: tag, 'Cache-Control': cacheControl, Vary: vary };
  if (lastModified !== null) headers['Last-Modified'] = lastModified;
  return { status: 304, body: null, headers };
}
