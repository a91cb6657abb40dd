import type { Exchange } from '../../kernel/http/exchange.ts';

/**
 * Whether a request was sent by a page: by headers that a page's script cannot leave out. `Sec-Fetch-Mode: cors` alone
 * does not count: the `fetch` of Node sends it.
 */
export function isFromBrowser(exchange: Exchange): boolean {
  if (exchange.header('origin') !== null) return true;
  if (exchange.header('sec-fetch-site') !== null || exchange.header('sec-fetch-dest') !== null) {
    return true;
  }
  const mode = exchange.header('sec-fetch-mode');
  return mode === 'navigate' || mode === 'websocket';
}
