import { matchingText } from '../../data/korean/normalise.ts';

/** Part of a page under one heading, as plain text; a search finds sections. */
export interface Section {
  /** Anchor; empty for the part under the title. */
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  readonly text: string;
  /** Heading and text, normalised for matching. */
  readonly compared: { readonly heading: string; readonly text: string };
}

/** Splits a page of this project at its headings. */
export function sectionsOf(body: string): Section[] {
  return body
    .split(/(?=<h[1-3][ >])/)
    .map((part) => /^<h([1-3])(?: id="([^"]*)")?[^>]*>([^]*?)<\/h\1>([^]*)$/.exec(part))
    .filter((match) => match !== null)
    .map(([, level, id = '', heading = '', text = '']) =>
      section(id, Number(level), plainText(heading), plainText(text)),
    );
}

function section(id: string, level: number, heading: string, text: string): Section {
  const compared = { heading: matchingText(heading), text: matchingText(text) };
  return { id, level, heading, text, compared };
}

/** The visible text of HTML that this project rendered. */
function plainText(markup: string): string {
  return markup
    .replace(/<(datalist|button|select)\b[^]*?<\/\1>/g, ' ')
    .replace(/<\/?(p|li|td|th|tr|pre|div|label|summary|h\d)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name]!)
    .replace(/\s+/g, ' ')
    .trim();
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};
