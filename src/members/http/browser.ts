import type { RequestContext } from '../../kernel/http/request-context.ts';

/**
 * True for a request of a page, by headers that scripts of a page cannot omit. `Sec-Fetch-Mode: cors` alone does not count,
 * because the `fetch` of Node sends it.
 */
export function isFromBrowser(request: RequestContext): boolean {
  if (request.header('origin') !== null) return true;
  if (request.header('sec-fetch-site') !== null || request.header('sec-fetch-dest') !== null) {
    return true;
  }
  const mode = request.header('sec-fetch-mode');
  return mode === 'navigate' || mode === 'websocket';
}
