import { tagOfBytes } from './entity-tag.ts';
import type { RequestContext } from './request-context.ts';
import type { ServerContext } from './server-context.ts';
import { cacheControl, heldByClient } from './conditional.ts';
import type { Reply } from './reply.ts';
import { respond, respondNotModified, type Content, type Validity } from './respond.ts';

/** Sends a page or a file of our own: its tag is made of its bytes. */
export function respondDocument(
  front: ServerContext,
  request: RequestContext,
  content: Content,
  options: { readonly vary?: string; readonly cacheControl?: string } = {},
): Reply | Promise<Reply> {
  const validity: Validity = {
    tag: tagOfBytes(content.body),
    lastModified: null,
    daily: false,
    cacheControl: options.cacheControl ?? cacheControl,
    vary: options.vary ?? 'Accept-Encoding',
  };
  const held = heldByClient(request, validity);
  if (held !== null) return respondNotModified(front, request, held, validity);
  return respond(front, request, content, validity);
}
