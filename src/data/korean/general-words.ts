/** True for nouns that name a topic only where a query has no other: 사람 in `도박에 빠진 사람`. */
export function isGeneralWord(word: string): boolean {
  return words.has(word);
}

const words: ReadonlySet<string> = new Set(
  '사람 사람들 돈 나이 이유 방법 가게 동네 마을 나라 비율 순위 기준'.split(' '),
);
