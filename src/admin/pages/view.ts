import type { adminHandlers } from '../api/app.ts';
import type { Language, BilingualText } from '../../contract/language.ts';
import type { Html } from '../../web/html.ts';

export type HandlerName = keyof typeof adminHandlers;

/** An object of JSON that a handler answered. */
export type Row = Readonly<Record<string, unknown>>;

interface AdminQuestion {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Row;
}

/** Asks a handler of the JSON as the operator who is signed in. */
export type AdminAsk = (operation: HandlerName, question?: AdminQuestion) => Promise<Row>;

/** What a page is made with: whom it asks, and the language it is written in. */
export interface View {
  readonly ask: AdminAsk;
  readonly language: Language;
  /** The one of two texts that is in the page's language. */
  readonly say: (ko: string, en: string) => string;
  readonly query: URLSearchParams;
  readonly parameters: Readonly<Record<string, string>>;
}

export type Page = (view: View) => Promise<{ readonly title: string; readonly main: Html }>;

/** The rows of a list that a handler answered. */
export function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as Row[]) : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Empty for what is absent. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Texts by name, in the language of a view; a name without any is shown as it is. */
export function wordOf(
  { language }: Pick<View, 'language'>,
  words: Readonly<Record<string, BilingualText>>,
  name: unknown,
): string {
  const text = textOf(name);
  return Object.hasOwn(words, text) ? words[text]![language] : text;
}
