import { keyboardSlip } from './keyboard.ts';
import { parameterText } from './normalise.ts';
import { withoutParticle } from './particles.ts';

/**
 * Queries to try when nothing matched, most likely first, never the query itself: without trailing particles,
 * without the marks around the words (`설날!`), with the blank that is often missing after the province
 * (`서울특별시강남구`), without blanks, with the keyboard in the other language.
 */
export function querySuggestions(text: string): string[] {
  const query = parameterText(text);
  const suggestions = new Set(withoutParticles(query));
  const bareWords = parameterText(query.replace(/[^\p{L}\p{N}]+/gu, ' '));
  if (bareWords !== query) {
    suggestions.add(bareWords);
    for (const bare of withoutParticles(bareWords)) suggestions.add(bare);
  }
  suggestions.add(query.replace(/(특별시|광역시|특별자치[시도])(?=[가-힣])/gu, '$1 '));
  suggestions.add(query.replaceAll(' ', ''));
  const meant = keyboardSlip(query);
  if (meant !== null) {
    suggestions.add(meant);
    for (const bare of withoutParticles(meant)) suggestions.add(bare);
  }
  suggestions.delete(query);
  suggestions.delete('');
  return [...suggestions];
}

/** Removes stacked particles (`도서관에서는`) one by one; each step is a suggestion. */
function withoutParticles(query: string): string[] {
  const stripped: string[] = [];
  let words = query.split(' ');
  for (let layer = 0; layer < layersMax; layer++) {
    const bare = words.map((word) => withoutParticle(word) ?? word);
    if (bare.every((word, index) => word === words[index])) break;
    words = bare;
    stripped.push(words.join(' '));
  }
  return stripped;
}

/** Korean stacks at most three particles: 에서만은. */
const layersMax = 3;
