import type { Exchange } from '../kernel/http/exchange.ts';
import { languageFor, type Language } from '../kernel/http/preferences.ts';
import { readQuery } from '../kernel/http/query.ts';

/** The language chosen on the page, or as the browser prefers. */
export function languageOf(exchange: Exchange): Language {
  const chosen = readQuery(exchange.query).get('lang')?.value;
  return chosen === 'ko' || chosen === 'en'
    ? chosen
    : languageFor(exchange.header('accept-language'));
}
