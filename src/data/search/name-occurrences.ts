import { intersect } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { spread } from './spread.ts';

/**
 * Estimated number of names with a word, by a sample of at most `sampleMax` names; a name in which it only begins a
 * compound counts little.
 */
export function nameOccurrences(chunk: SearchChunk, word: string, sampleMax: number): number {
  const sets = gramsOf(word, gramKind.name).map((key) => chunk.setOf(key));
  const documents = sets.reduce(intersect);
  const sample = spread(documents, sampleMax);
  if (sample.length === 0) return 0;
  const weight = chunk.texts(sample).reduce((sum, text) => sum + weightOf(text, word), 0);
  return (documents.count * weight) / sample.length;
}

function weightOf(text: string, word: string): number {
  const nameEnd = text.indexOf(fieldSeparator);
  const name = nameEnd < 0 ? text : text.slice(0, nameEnd);
  let weight = 0;
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    if (isSyllable(name.charAt(at - 1))) continue;
    weight = Math.max(weight, isSyllable(name.charAt(at + word.length)) ? beginningWeight : 1);
  }
  return weight;
}

const beginningWeight = 0.1;

function isSyllable(letter: string): boolean {
  return letter >= '가' && letter <= '힣';
}
