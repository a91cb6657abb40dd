/** True for words of a query that name nothing: 어디, 알려줘, 목록, where. */
export function isFillerWord(word: string): boolean {
  const bare = word.toLowerCase().replace(/[?!.~]+$/, '');
  return words.has(bare) || endings.test(bare);
}

/** A word without the filler word at its end (`도서관위치` → `도서관`); null if it has none. */
export function withoutFillerEnd(word: string): string | null {
  for (let cut = bareLengthMin; cut <= word.length - fillerLengthMin; cut++) {
    if (fillerEnds.has(word.slice(cut))) return word.slice(0, cut);
  }
  return null;
}

const bareLengthMin = 2;
const fillerLengthMin = 2;
/** Words that people join to a topic. */
const fillerEnds: ReadonlySet<string> = new Set(
  '어디 위치 목록 리스트 현황 정보 데이터 자료 좌표 주소 연락처 전화번호 명단 추천 조회 검색 찾기'.split(
    ' ',
  ),
);

const words: ReadonlySet<string> = new Set(
  `어디 어디야 어디에 어디서 어디임 어딨어 어딘가요 언제 언제야 언제지 몇 몇개 개 개야 개인가요 몇시 며칠 며칠부터 몇일 얼마 얼마야 뭐 뭐야 무엇 누구 왜 어떤 어떻게
   있는 있어 있니 있나 있는지 있는곳 있을까 하는 된 되는 갈만한 가까운 가는 갈 수 같이 함께 쪽 근처 주변 인근 부근 내 우리 동네 제일 가장 좋은 추천 좀 및 와 과 이번 올해 지금 오늘 현재 최신 최근
   목록 리스트 현황 정보 데이터 자료 데이터셋 통계 위치 곳 좌표 주소 연락처 전화번호 명단 전체 모든 모두 전국 개수 수 파일 다운로드 조회 검색 찾기 보기 공공데이터
   the a an of in at on near for to is are where what when how list data dataset find show me all korea korean public lot place places map info nearby`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const endings =
  /^(?:알려|보여|찾아|가르쳐|추천해|검색해|구해)(?:줘|줘요|주세요|달라|줄래)?$|^(?:어디|언제|얼마|무엇|뭐|누구).{0,6}$|^있(?:나요|어요|습니까|는가요|을까요)$|(?:인가요|일까요|인지|할까요|하나요|했나요|해요|예요|이에요|뭔가요|뭐예요|입니까)$/;
