import { dongKey } from './dongs.ts';

/**
 * The first words of a text, as `dongKey`. A dong is at the start of a lot address, or in brackets at the end of a road
 * address.
 */
export function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(betweenWords, wordsMax).map(dongKey);
}

/** A dot separates words (`운서동.풍림아파트`), but not between numbers: 종로1.2.3.4가동 is a dong. */
const betweenWords = /[\s(),[\]]+|(?<!\d)\.|\.(?!\d)/;
const wordsMax = 12;
