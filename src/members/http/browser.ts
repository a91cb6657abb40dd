import type { RequestContext } from '../../kernel/http/request-context.ts';

/**
 * Whether a request was sent by a page: by headers that a page's script cannot leave out. `Sec-Fetch-Mode: cors` alone
 * does not count: the `fetch` of Node sends it.
 */
export function isFromBrowser(request: RequestContext): boolean {
  if (request.header('origin') !== null) return true;
  if (request.header('sec-fetch-site') !== null || request.header('sec-fetch-dest') !== null) {
    return true;
  }
  const mode = request.header('sec-fetch-mode');
  return mode === 'navigate' || mode === 'websocket';
}
