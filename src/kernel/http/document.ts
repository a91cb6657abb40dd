import { entityTag, heldTag, tagOfBytes } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import type { Front } from './front.ts';
import { codingFor } from './preferences.ts';
import { respond, respondNotModified, type Content, type Validity } from './respond.ts';

/** Sends a page or a file of our own: its tag is made of its bytes. */
export function respondDocument(
  front: Front,
  exchange: Exchange,
  content: Content,
  options: { readonly vary?: string; readonly cacheControl?: string } = {},
): Response | Promise<Response> {
  const validity: Validity = {
    tag: tagOfBytes(content.body),
    lastModified: null,
    cacheControl: options.cacheControl ?? 'public, max-age=60, stale-while-revalidate=600',
    vary: options.vary ?? 'Accept-Encoding',
  };
  const asked = exchange.header('if-none-match');
  if (asked !== null) {
    const coding = codingFor(exchange.header('accept-encoding'));
    const held =
      asked.trim() === '*' ? entityTag(validity.tag, null) : heldTag(asked, validity.tag, coding);
    if (held !== null) return respondNotModified(front, exchange, held, validity);
  }
  return respond(front, exchange, content, validity);
}
