import type { BilingualText, Language } from '../../contract/language.ts';
import type { Html } from '../../web/html.ts';
import type { AdminCall } from '../api/call.ts';
import type { PageScript } from './page-script.ts';

/** A page request of a signed-in operator. Pages call the handlers of the JSON routes with it. */
export interface View extends AdminCall {
  /** Path of the page. */
  readonly path: string;
  /** Tables of the page, by the names of their CSV files; filled while the page is rendered. */
  readonly sheets: Map<string, () => Sheet>;
  /** Segments of the page’s path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly language: Language;
  /** True if the page was opened at the site of the passkeys. */
  readonly isAtParty: boolean;
  /** Picks the text in the page's language. */
  readonly text: (ko: string, en: string) => string;
}

/** A table as values, for its CSV. */
export interface Sheet {
  readonly title: string;
  readonly labels: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export interface PageContent {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  /** The one script that may run on the page; null for none. */
  readonly script?: PageScript | null;
  /** Result of the action before this page. */
  readonly notice?: string | null;
}

export type Page = (view: View) => Promise<PageContent>;

/** A function that picks the text in a language. */
export function textIn(language: Language): View['text'] {
  return (ko, en) => (language === 'ko' ? ko : en);
}

/** The cursor of a page, from its query. */
export function cursorOf({ query }: View, name: 'after' | 'before'): string | undefined {
  return query.get(name) ?? undefined;
}

/** The label of a name in the page's language, or the name itself if it has none. */
export function wordOf(
  { language }: Pick<View, 'language'>,
  words: Readonly<Record<string, BilingualText>>,
  name: string,
): string {
  return Object.hasOwn(words, name) ? words[name]![language] : name;
}
