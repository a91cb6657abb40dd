import type { Language } from '../../contract/language.ts';
import type { PageRequest } from '../serve-page.ts';
import type { Html } from '../html.ts';
import type { SearchIntent } from './search-intent.ts';
import type { searchTexts } from './search-texts.ts';

/** A request for the search page. */
export interface SearchView extends PageRequest {
  readonly words: (typeof searchTexts)[Language];
  /** Language in the address; undefined for the browser's language. */
  readonly lang: Language | undefined;
  readonly offset: number;
  readonly intent: SearchIntent;
}

/** A part of a result with the number of its items. */
export interface ResultSection {
  readonly html: Html;
  readonly count: number;
}
