import type { Language } from '../../contract/language.ts';
import type { PageRequest } from '../serve-page.ts';
import type { searchTexts } from './search-texts.ts';

/** A request for the search page. */
export interface SearchView extends PageRequest {
  readonly words: (typeof searchTexts)[Language];
  /** Language in the address; undefined for that of the browser. */
  readonly lang: Language | undefined;
  readonly offset: number;
}
