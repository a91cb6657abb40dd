import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Language } from '../contract/language.ts';
import { languageFor } from '../kernel/http/preferences.ts';
import { readQuery } from '../kernel/http/query.ts';

/** Language chosen by `lang` in the address, or else preferred by the browser. */
export function languageOf(request: RequestContext): Language {
  const chosen = readQuery(request.query).get('lang')?.value;
  return chosen === 'ko' || chosen === 'en'
    ? chosen
    : languageFor(request.header('accept-language'));
}
