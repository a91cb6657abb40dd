import { isDatasetWord, withoutDatasetWord } from './dataset-words.ts';

/** True for words of a query that name no topic: 어디, 알려줘, where, and words that fit any dataset. */
export function isFillerWord(word: string): boolean {
  return isSentenceWord(word) || isDatasetWord(word.toLowerCase());
}

/** True for a word that has no subject of its own and only makes a query a sentence: 어디, 알려줘, 있는, where. */
export function isSentenceWord(word: string): boolean {
  const bare = word.toLowerCase().replace(/[?!.~]+$/, '');
  return sentenceWords.has(bare) || sentencePatterns.test(bare);
}

/** Removes a filler word from the end of a word (`도서관위치` → `도서관`); null if there is none. */
export function withoutFillerEnd(word: string): string | null {
  return withoutDatasetWord(word) ?? /^(.{2,})(?:어디|추천|찾기)$/.exec(word)?.[1] ?? null;
}

const sentenceWords: ReadonlySet<string> = new Set(
  `어디 어디야 어디에 어디서 어디임 어딨어 어딘가요 언제 언제야 언제지 개 개야 개인가요 개나 군데 군데나 며칠 며칠부터 몇일 얼마 얼마야 뭐 뭐야 무엇 누구 왜 어떤 어떻게
   있는 있어 있니 있나 있는지 있는곳 있을까 하는 된 되는 일어난 생긴 갈만한 가까운 가는 갈 같이 함께 쪽 근처 주변 인근 부근 내 우리 동네 집 제일 가장 많은 적은 높은 낮은 큰 작은 좋은 싼 비싼 추천 좀 많이 자주 얼마나 빨리 새로 혼자 때문에 및 와 과
   대 건 명 순 순서로 순으로 이번 올해 지금 오늘 현재 최신 최근 대해 대한 대하여 관한 관해 위한 위해 위하여 관련 관련된 지역 지도 곳 모든 모두 찾기 보기
   where what when how find show me lot place places nearby`.split(/\s+/),
);

/** Whole words, beginnings and endings of words that only make a query a sentence. */
const sentencePatterns = new RegExp(
  [
    '^(?:알려|보여|찾아|가르쳐|추천해|검색해|구해)(?:줘|줘요|주세요|달라|줄래)?$',
    '^(?:어디|언제|얼마|무엇|뭐|누구).{0,6}$',
    '^몇.{0,4}$',
    '^있(?:나요|어요|습니까|는가요|을까요)$',
    '(?:나요|까요|세요|네요|는데요?|은데요?|인가요|해요|예요|이에요|입니까|인지|는지|은지|을지)$',
    // Nouns, among them countries, that end like a verb.
    '^(?!가나$|.*(?:코로나|사우나|바나나|마리나|아레나|안테나|라이나|헨티나|츠와나|칸나|누구나)$)[가-힣]+나$',
    '(?:[가-힣]까|(?<!케)냐|[하되했됐있없]니|죠|[어아여려]요)$',
    '^[가-힣]는$',
    '^[곳것](?:은|이|을|에)$',
    '^(?:받|알|보|찾|구하|쓰|얻|보여|가|하)(?:고|려면|으려면|려고)$',
    '^(?:받을|볼|쓸|구할|찾을|얻을|알)$',
    '^(?:싶|궁금|부탁|필요[하한해합])',
    '^[가-힣]{2}(?:된|되는|하는|할)$',
  ].join('|'),
);
