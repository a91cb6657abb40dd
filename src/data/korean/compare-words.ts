/** True for words that request a comparison and do not name the topic of a query: 비교, 차이, 사이. */
export function isCompareWord(word: string): boolean {
  return compareWord.test(word);
}

const compareWord = /^(?:비교|차이|대비)|^대$|^(?:사이|간)$|^(?:compare|vs)$/i;
