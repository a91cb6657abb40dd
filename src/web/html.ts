/** Markup in which all text is escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value in a template: text is escaped; false, null and undefined are left out. */
type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Template tag that escapes every value which is not `Html`. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = strings[0]!;
  for (const [at, value] of values.entries()) markup += markupOf(value) + strings[at + 1]!;
  return new Html(markup);
}

/** Takes markup as it is, such as rendered Markdown of this project. Never call it with text from outside. */
export function raw(markup: string): Html {
  return new Html(markup);
}

/** The text of markup, with one blank between its parts. */
export function plainText({ markup }: Html): string {
  const text = markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity)!).trim();
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string') return unsafe.test(value) ? escape(value) : value;
  if (value === false || value === null || value === undefined) return '';
  return typeof value === 'number' ? String(value) : value.map(markupOf).join('');
}

const unsafe = /[&<>"']|[^\P{Cc}\t\n\r]/u;
const allUnsafe = new RegExp(unsafe, 'gu');

/** Control characters are not allowed in a document (HTML, 13.2.3.5), and are replaced. */
function escape(text: string): string {
  return text.replace(allUnsafe, (character) => entities[character] ?? '\uFFFD');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const characters = new Map(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);
