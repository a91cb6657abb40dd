import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Language } from '../contract/language.ts';
import { languageFor } from '../kernel/http/preferences.ts';
import { readQuery } from '../kernel/http/query.ts';

/** Language of `lang` in the address, or else the one that the browser prefers. */
export function languageOf(request: RequestContext): Language {
  const chosen = readQuery(request.query).get('lang')?.value;
  return chosen === 'ko' || chosen === 'en'
    ? chosen
    : languageFor(request.header('accept-language'));
}
